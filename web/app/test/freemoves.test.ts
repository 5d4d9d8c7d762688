import { expect, it } from "vitest";
import type { GameView, StateView } from "$protocol";
import { withFreeMoves } from "../src/lib/freemoves";

const cell = (name: string, hidden = false) => ({ name, hidden });
const game = {
  layout: { cells: [cell("a1"), cell("b1"), cell("c1"), cell("x", true)] },
} as unknown as GameView;
const state = (free: boolean) =>
  ({
    free,
    mover: 0,
    moves: [],
    pieces: [
      { site: 0, player: 0, kind: 0 },
      { site: 1, player: 1, kind: 0 },
    ],
  }) as unknown as StateView;

it("offers every piece every other site where nothing is told", () => {
  const longs = withFreeMoves(game, state(true)).moves.map((move) => move.long);
  expect(longs).toEqual(["a1-b1", "a1-c1", "b1-a1", "b1-c1"]);
  expect(withFreeMoves(game, state(true)).moves[0]?.captures).toEqual([1]);
});

it("leaves states alone whose moves are told", () => {
  const told = state(false);
  expect(withFreeMoves(game, told)).toBe(told);
});
