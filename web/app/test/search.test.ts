import type { GameCard, VariantCard } from "$protocol";
import { describe, expect, it } from "vitest";
import { find, fold, isNear, NO_FILTER, suggestion, words } from "../src/lib/search";

const variant = (n: number, title: string, more: Partial<VariantCard> = {}): VariantCard => ({
  n,
  title,
  nPlayers: 2,
  board: "8 × 8",
  shape: "checkered",
  isPuzzle: false,
  hasDice: false,
  hasDrops: false,
  isMenu: false,
  length: "medium",
  pieceNames: [],
  thumb: "",
  ...more,
});
const card = (
  id: string,
  title: string,
  variants: VariantCard[],
  more: Partial<GameCard> = {},
): GameCard => ({
  id,
  title,
  mine: false,
  broken: false,
  nErrors: 0,
  family: "chess",
  also: [],
  variants,
  ...more,
});
const GAMES = [
  card("chess", "Chess", [
    variant(0, "Chess", { pieceNames: ["King", "Knight"] }),
    variant(1, "Chess on a cylinder"),
  ]),
  card("glinski", "Hexagonal Chess", [variant(0, "Hexagonal Chess", { shape: "hex" })]),
  card(
    "nine-mens-morris",
    "Nine Men’s Morris",
    [variant(0, "Nine Men’s Morris", { shape: "points" })],
    { family: "alignment" },
  ),
  card(
    "halma",
    "Halma",
    [variant(0, "Halma", { nPlayers: 2 }), variant(1, "Halma for four", { nPlayers: 4 })],
    { family: "race" },
  ),
  card("peg", "Peg Solitaire", [variant(0, "English board", { nPlayers: 1, isPuzzle: true })], {
    family: "puzzle",
  }),
  card("menu", "Library", [variant(0, "Library", { isMenu: true })], { family: "other" }),
  card("my-1", "Broken", [], { mine: true, broken: true, nErrors: 2 }),
];
const ids = (text: string, more = {}) =>
  find(GAMES, { ...NO_FILTER, text, ...more }).map((hit) => hit.card.id);

describe("one wrong letter", () => {
  it.each([
    ["chess", "ches"],
    ["chess", "cheess"],
    ["chess", "chass"],
    ["chess", "hcess"],
    ["morris", "moris"],
  ])("%s is near %s", (a, b) => {
    expect(isNear(a, b)).toBe(true);
  });
  it.each([
    ["chess", "chas"],
    ["chess", "cess0"],
    ["go", "halma"],
    ["chess", "hcses"],
  ])("%s is not near %s", (a, b) => {
    expect(isNear(a, b)).toBe(false);
  });
});

describe("finding games", () => {
  it("takes accents, case and apostrophes as nothing", () => {
    expect(fold("Élan")).toBe("elan");
    expect(words("Nine Men’s Morris")).toEqual(["nine", "mens", "morris"]);
    expect(ids("nine mens")).toEqual(["nine-mens-morris"]);
  });
  it("takes no word for a misspelling that a game has: menu is not Men’s Morris", () =>
    expect(ids("menu")).toEqual(["menu"]));
  it("finds a game by the other names that players give it", () => {
    const games = [
      card("reversi", "Reversi", [variant(0, "Reversi")], { also: ["Othello"] }),
      card("xiangqi", "Xiangqi", [variant(0, "Xiangqi")], { also: ["Chinese chess"] }),
    ];
    const found = (text: string) => find(games, { ...NO_FILTER, text }).map((hit) => hit.card.id);
    expect(found("othello")).toEqual(["reversi"]);
    expect(found("chinese chess")).toEqual(["xiangqi"]);
    expect(suggestion(games, "otelo")).toBe("Othello");
    expect(suggestion(games, "960")).toBeNull();
  });
  it("shows no menu among the games, and no game twice", () => {
    const games = [
      card("chess", "Chess", [variant(0, "Chess")]),
      card("preset-chess", "Chess", [variant(0, "Chess")], { isPreset: true }),
      card("menu", "Library", [variant(0, "Library", { isMenu: true })]),
    ];
    const found = (more = {}) => find(games, { ...NO_FILTER, ...more }).map((hit) => hit.card.id);
    expect(found()).toEqual(["chess"]);
    expect(found({ isPreset: true })).toEqual(["preset-chess"]);
  });
  it("puts the whole name first", () => expect(ids("chess")[0]).toBe("chess"));
  it("forgives a letter, also while typing", () => {
    expect(ids("hexagonl")).toContain("glinski");
    expect(ids("hexegon")).toContain("glinski");
    expect(ids("knihgt")).toContain("chess");
  });
  it("does not find what is far", () => expect(ids("backgammon")).toEqual([]));
  it("finds a variant and says which", () => {
    const hit = find(GAMES, { ...NO_FILTER, text: "cylinder" })[0];
    expect(hit?.card.id).toBe("chess");
    expect(hit?.variant?.n).toBe(1);
  });
  it("needs every word", () => expect(ids("hexagonal morris")).toEqual([]));
  it("filters by players, shape, family, puzzle", () => {
    expect(ids("", { players: 3 })).toEqual(["halma"]);
    expect(find(GAMES, { ...NO_FILTER, players: 3 })[0]?.variant?.n).toBe(1);
    expect(ids("", { players: 1 })).toEqual(["peg"]);
    expect(ids("", { shape: "points" })).toEqual(["nine-mens-morris"]);
    expect(ids("", { family: "race" })).toEqual(["halma"]);
    expect(ids("", { isPuzzle: true })).toEqual(["peg"]);
    expect(ids("", { hasDice: true })).toEqual([]);
  });
  it("shows broken games unless a filter asks for what they cannot tell", () => {
    expect(ids("")).toContain("my-1");
    expect(ids("", { players: 2 })).not.toContain("my-1");
  });
  it("keeps to a given set", () =>
    expect(ids("", { only: new Set(["halma"]) })).toEqual(["halma"]));
  it("suggests what was meant", () => {
    expect(suggestion(GAMES, "hexgonel")).toBe("hexagonal");
    expect(suggestion(GAMES, "zzzzzz")).toBeNull();
  });
});
