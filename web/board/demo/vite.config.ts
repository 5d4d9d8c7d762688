import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  root: at("."),
  base: "./",
  resolve: { alias: { $board: at("../src/index.ts"), $protocol: at("../../protocol/index.ts") } },
  build: { outDir: at("dist"), emptyOutDir: true, target: "es2022" },
});
