import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { paint } from "../src/lib/paint";
import { route } from "../src/lib/route";
import { en } from "../src/lib/words.en";
import { t, useLanguage } from "../src/lib/words";

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
  it("come from another language, with English where it is silent", () => {
    useLanguage("de", { "nav.library": "Sammlung" });
    expect(t("nav.library")).toBe("Sammlung");
    expect(t("nav.mine")).toBe("My games");
    useLanguage("en", {});
  });
  it("are all used somewhere", () => {
    const text = files(SRC)
      .filter((path) => !path.includes("words.en"))
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
