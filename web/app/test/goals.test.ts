import type { GameView } from "$protocol";
import { expect, it } from "vitest";
import { goalSites } from "../src/lib/goals";

const game = {
  goals: [
    {
      sites: [
        { player: 0, sites: [2, 3] },
        { player: 1, sites: [0, 1] },
      ],
    },
    { sites: [{ player: 0, sites: [0, 2] }] },
    { sites: [] },
  ],
} as unknown as GameView;

it("joins the sites of all conditions of a player, each once", () => {
  expect(goalSites(game, 0)).toEqual([0, 2, 3]);
});
it("leaves out conditions of the other player", () => {
  expect(goalSites(game, 1)).toEqual([0, 1]);
});
it("takes all players when it is nobody's turn", () => {
  expect(goalSites(game, null)).toEqual([0, 1, 2, 3]);
});
