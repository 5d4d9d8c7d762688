import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { paint } from "../src/lib/paint";
import { route } from "../src/lib/route";
import { en } from "../src/lib/words.en";
import { languageFor } from "../src/lib/language.svelte";
import { number, t, useLanguage, type Forms, type WordId } from "../src/lib/words";
import { pack as german } from "../src/lib/words.de";
import { pack as spanish } from "../src/lib/words.es";

const SRC = fileURLToPath(new URL("../src", import.meta.url));
const files = (folder: string): string[] =>
  readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? files(path) : [path];
  });

describe("words", () => {
  it("fill in names and choose the number", () => {
    expect(t("card.players", { n: 1 })).toBe("1 player");
    expect(t("card.players", { n: 4 })).toBe("4 players");
    expect(t("plate.played", { move: "Qc7" })).toBe("played Qc7");
  });
  it("never repeat what somebody typed as a pattern", () =>
    expect(t("plate.played", { move: "{n}$&" })).toBe("played {n}$&"));
  it("come from another language, with its own plurals and numbers", () => {
    const polish = {
      ...en,
      "card.players": { one: "{n} gracz", few: "{n} gracze", other: "{n} graczy" },
    };
    useLanguage("pl", polish);
    expect([1, 3, 5].map((n) => t("card.players", { n }))).toEqual([
      "1 gracz",
      "3 gracze",
      "5 graczy",
    ]);
    useLanguage("de", german.words);
    expect(t("nav.library")).toBe("Sammlung");
    expect(number(1.5, 1)).toBe("1,5");
    expect(t("settings.matchesText", { n: 12345 })).toContain("12.345");
    useLanguage("en", en);
  });
  it.each([
    ["German", german],
    ["Spanish", spanish],
  ])("of %s have the same values as the English", (_, { words }) => {
    const values = (forms: Forms) =>
      [...new Set(JSON.stringify(forms).match(/\{\w+\}/g) ?? [])].sort();
    for (const [id, forms] of Object.entries(words)) {
      const english: string = en[id as WordId];
      expect([id, values(forms)]).toEqual([id, values(english)]);
      expect([id, JSON.stringify(forms).includes("|")]).toEqual([id, english.includes("|")]);
    }
  });
  it("are chosen by the settings, else by the browser, else English", () => {
    expect(languageFor("es", ["de"])).toBe("es");
    expect(languageFor("system", ["fr-CA", "de-AT", "en"])).toBe("de");
    expect(languageFor("system", ["fr"])).toBe("en");
    expect(languageFor("nonsense", [])).toBe("en");
  });
  it("are all used somewhere", () => {
    const text = files(SRC)
      .filter((path) => !/words\.(en|de|es)/.test(path))
      .map((path) => readFileSync(path, "utf8"))
      .join("\n");
    const unused = Object.keys(en).filter(
      (id) => !text.includes(`"${id}"`) && !text.includes(`'${id}'`),
    );
    expect(unused.filter((id) => !/^new\.(short|medium|long)$/.test(id))).toEqual([]);
  });
});

describe("addresses", () => {
  it.each([
    ["/", { page: "library" }],
    ["/g/chess/3", { page: "new", game: "chess", n: 3 }],
    ["/g/my-a%20b", { page: "new", game: "my-a b", n: 0 }],
    ["/m/abc", { page: "play", id: "abc" }],
    ["/m/abc/edit", { page: "edit", id: "abc" }],
    ["/d/my-1", { page: "problems", game: "my-1" }],
    ["/p/preset-chess", { page: "studio", game: "preset-chess", looksOnly: false }],
    ["/p/my-1/looks", { page: "studio", game: "my-1", looksOnly: true }],
    ["/my", { page: "mine" }],
    ["/settings/sound", { page: "settings", section: "sound" }],
    ["/keys", { page: "keys" }],
    ["/m", { page: "lost" }],
    ["/m/a/b", { page: "lost" }],
    ["/g/chess/x", { page: "lost" }],
    ["/%", { page: "lost" }],
  ])("%s", (path, expected) => expect(route(path)).toEqual(expected));
});

describe("a painted line of rules", () => {
  it.each([
    "(board-setup (White (King e1))) ; start",
    '(option "maximal-captures" true)',
    '"unclosed',
    "",
    ")((",
    "\t(a b)",
  ])("keeps every letter of %s", (line) => {
    expect(
      paint(line)
        .map((piece) => piece.text)
        .join(""),
    ).toBe(line);
  });
  it("knows heads, names, strings and comments", () => {
    expect(
      paint('(title "x") King ;c')
        .filter((piece) => piece.kind !== "")
        .map((piece) => piece.kind),
    ).toEqual(["k", "st", "nm", "cm"]);
  });
});
