import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { SPRITE } from "../src/sprite";

const folder = fileURLToPath(new URL("../../../crates/render/pieces", import.meta.url));

it("the sprite holds every drawing as it is (else run `node make-sprite.mjs`)", () => {
  const files = readdirSync(folder).filter(
    (name) => name.endsWith(".svg") && !name.startsWith("token-"),
  );
  expect(Object.keys(SPRITE).sort()).toEqual(files.map((name) => name.slice(0, -4)).sort());
  for (const name of files)
    expect(readFileSync(`${folder}/${name}`, "utf8"), name).toContain(SPRITE[name.slice(0, -4)]);
});

it("no drawing brings a script, a style or an address from outside", () => {
  for (const [name, text] of Object.entries(SPRITE))
    expect(text, name).not.toMatch(/<script|style=|\son\w+=|href="(?!#)|https?:/i);
});
