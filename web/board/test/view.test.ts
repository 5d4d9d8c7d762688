import { describe, expect, it } from "vitest";
import { chess, cube, FIXTURES } from "../demo/fixtures";
import { geometryOf, shapeOfLayout } from "../src/geometry";
import { flatten } from "../src/outline";
import { arrange } from "../src/levels";
import { nextPiece } from "../src/edit";
import { centerOn, MAX_SCALE, newView, windowOf, zoomAt } from "../src/view";

describe("the window", () => {
  const view = () => ({
    ...newView(),
    full: { x: -44, y: -44, width: 888, height: 888 },
    x: -44,
    y: -44,
  });

  it("keeps the point under the finger while it zooms", () => {
    const it = view(),
      point = { x: 300, y: 500 };
    const share = () => {
      const box = windowOf(it);
      return [(point.x - box.x) / box.width, (point.y - box.y) / box.height];
    };
    const before = share();
    zoomAt(it, point, 1.7);
    zoomAt(it, point, 1.3);
    const after = share();
    expect(after[0]).toBeCloseTo(before[0] as number);
    expect(after[1]).toBeCloseTo(before[1] as number);
  });

  it("never leaves the board and never zooms beyond its limits", () => {
    const it = view();
    for (const [x, y, factor] of [
      [0, 0, 9],
      [800, 800, 3],
      [-44, 844, 0.5],
      [400, 400, 2],
      [900, -100, 1.1],
    ] as const) {
      zoomAt(it, { x, y }, factor);
      const box = windowOf(it);
      expect(it.scale).toBeGreaterThanOrEqual(1);
      expect(it.scale).toBeLessThanOrEqual(MAX_SCALE);
      expect(box.x).toBeGreaterThanOrEqual(-44 - 1e-9);
      expect(box.y + box.height).toBeLessThanOrEqual(844 + 1e-9);
    }
    zoomAt(it, { x: 400, y: 400 }, 0.001);
    expect(windowOf(it)).toEqual(it.full);
  });

  it("goes to a corner as far as the board allows", () => {
    const it = view();
    zoomAt(it, { x: 400, y: 400 }, 4);
    centerOn(it, { x: 0, y: 0 });
    expect(windowOf(it)).toMatchObject({ x: -44, y: -44 });
  });
});

describe("levels on a narrow screen", () => {
  it("stand in two columns, each cell in its level", () => {
    const layout = arrange(cube().game.layout, true);
    expect(new Set(layout.levels.map((it) => it.x)).size).toBe(2);
    for (const level of layout.levels)
      for (const site of level.sites) {
        for (const p of flatten(layout.cells[site]?.d ?? "")) {
          expect(p.x).toBeGreaterThanOrEqual(level.x - 1);
          expect(p.x).toBeLessThanOrEqual(level.x + level.width + 1);
          expect(p.y).toBeGreaterThanOrEqual(level.y - 1);
          expect(p.y).toBeLessThanOrEqual(level.y + level.height + 1);
        }
      }
    const trays = flatten(layout.under[4]?.d ?? "");
    expect(Math.min(...trays.map((p) => p.x))).toBeCloseTo((layout.levels[2]?.x ?? 0) - 14);
    const geometry = geometryOf(shapeOfLayout(layout), true, "allowed");
    geometry.places.forEach((place, site) => expect(geometry.grid.at(place.x, place.y)).toBe(site));
  });

  it("stay as they are on a wide one, and other boards always", () => {
    const wide = cube().game.layout,
      flat = chess().game.layout;
    expect(arrange(wide, false)).toBe(wide);
    expect(arrange(flat, true)).toBe(flat);
  });
});

describe("turning through the pieces", () => {
  const all = [
    { player: 0, kind: 0 },
    { player: 0, kind: 1 },
    { player: 1, kind: 0 },
  ];
  it("ends at the empty site and begins again", () => {
    expect(nextPiece(all, undefined)).toEqual(all[0]);
    expect(nextPiece(all, all[0])).toEqual(all[1]);
    expect(nextPiece(all, all[2])).toBeNull();
    expect(nextPiece([], undefined)).toBeNull();
  });
});

describe("the demo games", () => {
  for (const [name, make] of Object.entries(FIXTURES)) {
    it(`${name} has moves that stay on its board`, () => {
      const { game, start } = make();
      expect(start.moves.length).toBeGreaterThan(0);
      for (const move of start.moves) {
        expect(game.layout.cells[move.to as number]).toBeDefined();
        if (move.from !== null) expect(start.pieces.some((it) => it.site === move.from)).toBe(true);
      }
    });
  }
});
