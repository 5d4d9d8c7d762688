import { svelte } from "@sveltejs/vite-plugin-svelte";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
// The server that `npm run dev` talks to; start it with `boardwright serve --port 8801`.
const server = process.env.BOARDWRIGHT ?? "http://127.0.0.1:8801";

export default defineConfig({
  root: at("."),
  plugins: [svelte({ compilerOptions: { runes: true } })],
  resolve: {
    alias: [
      { find: /^\$board$/, replacement: at("../board/src/index.ts") },
      { find: /^\$board\//, replacement: at("../board/src/") },
      { find: /^\$protocol$/, replacement: at("../protocol/index.ts") },
    ],
  },
  build: {
    outDir: at("dist"),
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0, // the page's security policy allows no data: fonts or scripts
    modulePreload: { polyfill: false },
  },
  server: { port: 5173, proxy: { "/api": { target: server, ws: true } } },
});
