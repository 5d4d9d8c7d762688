import { svelte } from "@sveltejs/vite-plugin-svelte";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  plugins: [svelte()],
  resolve: {
    alias: [
      { find: /^\$board$/, replacement: at("board/src/index.ts") },
      { find: /^\$board\//, replacement: at("board/src/") },
      { find: /^\$protocol$/, replacement: at("protocol/index.ts") },
    ],
  },
  test: { include: ["app/test/**/*.test.ts", "board/test/**/*.test.ts"] },
});
