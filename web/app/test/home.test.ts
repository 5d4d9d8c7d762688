import type { GameView } from "$protocol";
import { describe, expect, it } from "vitest";
import { beginsFar } from "../src/lib/home";

const game = (cells: [y: number, level?: number][], owners: number[], levels: number[] = []) =>
  ({
    layout: {
      cells: cells.map(([y, level = 0]) => ({ y, level, hidden: false })),
      levels: levels.map((y) => ({ y })),
    },
    setup: owners.map((player, site) => ({ site, player, kind: 0 })),
  }) as unknown as GameView;

describe("the near side", () => {
  it("is turned for whoever begins at the top", () => {
    const draughts = game([[10], [90]], [0, 1]);
    expect(beginsFar(draughts, 0, 1, false)).toBe(true);
    expect(beginsFar(draughts, 1, 0, true)).toBe(false);
  });
  it("counts heights within a level, not the place of the level", () => {
    // White below on the upper board, Black above on the lower board
    const stack = game(
      [
        [90, 0],
        [210, 1],
      ],
      [0, 1],
      [0, 200],
    );
    expect(beginsFar(stack, 0, 1, false)).toBe(false);
  });
  it("is left as it was where nothing stands on the board", () => {
    expect(beginsFar(game([[10]], []), 1, 0, true)).toBe(true);
  });
});
