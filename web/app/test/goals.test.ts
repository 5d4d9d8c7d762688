import type { GameView } from "$protocol";
import { expect, it } from "vitest";
import { goalSites } from "../src/lib/goals";

const game = {
  players: [{ name: "White" }, { name: "Black" }],
  layout: { cells: ["a1", "b1", "a2", "b2"].map((name) => ({ name })) },
  zones: [
    { name: "home", player: 0, sites: [2, 3] },
    { name: "home", player: 1, sites: [0, 1] },
    { name: "promotion", player: 0, sites: [1] },
  ],
  goals: [
    { text: "", line: "(win-condition (White Black) (absolute-config Man (home)))", lineNumber: 1 },
    { text: "", line: "(loss-condition (White) (absolute-config King (a1)))", lineNumber: 2 },
  ],
} as unknown as GameView;

it("finds the zones of the player and places by name", () => {
  expect(goalSites(game, 0)).toEqual([0, 2, 3]);
});
it("leaves out conditions of the other player", () => {
  expect(goalSites(game, 1)).toEqual([0, 1]);
});
it("takes all for nobody in particular", () => {
  expect(goalSites(game, null)).toEqual([0, 1, 2, 3]);
});
