// Gathers the drawn pieces into one module: `node make-sprite.mjs [folder]`.
// The pieces themselves are drawn elsewhere; this only joins the files, so that
// the page asks for one thing instead of two hundred. Letters on tokens are drawn by
// code (token.ts), so the sample tokens stay out.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const folder = process.argv[2] ?? join(here, "../../crates/render/pieces");
const symbols = readdirSync(folder)
  .filter((name) => name.endsWith(".svg") && !name.startsWith("token-"))
  .sort()
  .map((name) => {
    const text = readFileSync(join(folder, name), "utf8").trim();
    const inner = text.replace(/^<svg[^>]*>/, "").replace(/<\/svg>$/, "");
    return [name.slice(0, -4), inner];
  });
const text = `// Written by make-sprite.mjs from the piece drawings; do not edit.
export const SPRITE: Record<string, string> = {
${symbols.map(([name, inner]) => `  ${JSON.stringify(name)}: ${JSON.stringify(inner)}`).join(",\n")},
};
`;
writeFileSync(join(here, "src/sprite.ts"), text);
console.log(`${symbols.length} drawings, ${text.length} characters`);
