// Tests of the widget in real Chromium: `npx vitest run -c board/vitest.browser.config.ts`.
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  root: at("."),
  resolve: { alias: { $board: at("src/index.ts"), $protocol: at("../protocol/index.ts") } },
  test: {
    include: ["test/browser/*.browser.ts"],
    globalSetup: [at("test/browser/setup.ts")],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // one browser at a time: the machine is small, and pointers need its attention
    fileParallelism: false,
  },
});
