// Gathers the drawn pieces into one module: `node make-sprite.mjs [folder]`.
// The pieces themselves are drawn elsewhere; this only joins the files, so that
// the page asks for one thing instead of eighty. Letters on tokens are drawn by
// code (token.ts), so the sample tokens stay out.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const folder = process.argv[2] ?? join(here, '../../crates/render/pieces');
const symbols = readdirSync(folder)
  .filter(name => name.endsWith('.svg') && !name.startsWith('token-'))
  .sort()
  .map(name => {
    const text = readFileSync(join(folder, name), 'utf8').trim();
    const inner = text.replace(/^<svg[^>]*>/, '').replace(/<\/svg>$/, '');
    return `<symbol id="p-${name.slice(0, -4)}" viewBox="0 0 100 100">${inner}</symbol>`;
  });
const text = `// Written by make-sprite.mjs from the piece drawings; do not edit.
/* eslint-disable */
export const SPRITE =
${symbols.map(it => `  ${JSON.stringify(it)}`).join(' +\n')};
`;
writeFileSync(join(here, 'src/sprite.ts'), text);
console.log(`${symbols.length} symbols, ${text.length} characters`);
