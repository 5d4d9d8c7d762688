import { describe, expect, it } from "vitest";
import type { Fixture } from "../demo/build";
import { chess, circular, cube, gomoku, hexChess } from "../demo/fixtures";
import { geometryOf, shapeOfLayout } from "../src/geometry";
import {
  ARROWS,
  changeLevel,
  changeRing,
  hexKeys,
  isFlatHex,
  readingOrder,
  travel,
} from "../src/travel";

function traveller(of: Fixture, flipped = false) {
  const geometry = geometryOf(shapeOfLayout(of.game.layout), flipped, "allowed");
  const cells = of.game.layout.cells;
  const site = (name: string) => cells.findIndex((cell) => cell.name === name);
  const name = (at: number | null) => (at === null ? null : cells[at]?.name);
  return {
    geometry,
    site,
    name,
    go: (from: string, key: string) =>
      name(
        travel(
          geometry.places,
          of.game.links,
          site(from),
          (ARROWS[key] ?? hexKeys(true)[key]) as never,
        ),
      ),
  };
}

describe("arrows", () => {
  it("follow the squares", () => {
    const { go } = traveller(chess());
    expect(go("e4", "ArrowUp")).toBe("e5");
    expect(go("e4", "ArrowLeft")).toBe("d4");
    expect(go("a1", "ArrowLeft")).toBeNull();
    expect(go("h8", "ArrowUp")).toBeNull();
  });
  it("go back along links that the rules name one way only", () => {
    const of = chess(),
      { geometry, site, name } = traveller(of);
    const oneWay = of.game.links.map((targets, from) => targets.filter((to) => to > from));
    expect(name(travel(geometry.places, oneWay, site("e4"), ARROWS["ArrowUp"] as never))).toBe(
      "e5",
    );
    expect(name(travel(geometry.places, oneWay, site("e4"), ARROWS["ArrowLeft"] as never))).toBe(
      "d4",
    );
  });
  it("follow the screen when the board is flipped", () =>
    expect(traveller(chess(), true).go("e4", "ArrowUp")).toBe("e3"));
  it("take the nearest line of a hex board", () => {
    const { go } = traveller(hexChess());
    expect(go("f6", "ArrowUp")).toBe("f7");
    expect(["g6", "g5"]).toContain(go("f6", "ArrowRight"));
  });
  it("stay on their level", () => {
    const { go } = traveller(cube());
    expect(go("Be3", "ArrowRight")).toBeNull();
    expect(go("Bb2", "ArrowUp")).toBe("Bb3");
  });
  it("reach every site from every other on each board", () => {
    for (const of of [chess(), gomoku(19), hexChess(), circular()]) {
      const { geometry } = traveller(of);
      const seen = new Set([0]),
        queue = [0];
      while (queue.length) {
        const at = queue.pop() as number;
        for (const direction of Object.values(ARROWS)) {
          const to = travel(geometry.places, of.game.links, at, direction);
          if (to !== null && !seen.has(to)) {
            seen.add(to);
            queue.push(to);
          }
        }
      }
      expect(seen.size, of.game.title).toBe(geometry.places.length);
    }
  });
});

describe("letters on hexes", () => {
  it("take the six directions exactly", () => {
    const of = hexChess(),
      { go, geometry } = traveller(of);
    expect(isFlatHex(geometry.places, of.game.links)).toBe(true);
    expect(["q", "w", "e", "a", "s", "d"].map((key) => go("f6", key))).toEqual([
      "e6",
      "f7",
      "g6",
      "e5",
      "f5",
      "g5",
    ]);
  });
});

describe("page keys", () => {
  it("change the level", () => {
    const of = cube(),
      { geometry, site, name } = traveller(of);
    expect(name(changeLevel(geometry.places, of.game.layout.levels, site("Bb3"), 1))).toBe("Cb3");
    expect(changeLevel(geometry.places, of.game.layout.levels, site("Ab3"), -1)).toBeNull();
  });
  it("change the ring", () => {
    const of = circular(),
      { geometry, site, name } = traveller(of);
    expect(
      name(changeRing(geometry.places, of.game.links, geometry.center, site("b5"), true)),
    ).toBe("c5");
    expect(
      name(changeRing(geometry.places, of.game.links, geometry.center, site("b5"), false)),
    ).toBe("a5");
    expect(
      changeRing(geometry.places, of.game.links, geometry.center, site("d5"), true),
    ).toBeNull();
  });
});

describe("reading order", () => {
  it("begins at the upper left, whatever the order of the rules", () => {
    const { geometry, name } = traveller(chess());
    const order = readingOrder(geometry.places, geometry.unit).map(name);
    expect(order.slice(0, 3)).toEqual(["a8", "b8", "c8"]);
    expect(order[63]).toBe("h1");
    const flipped = traveller(chess(), true);
    expect(flipped.name(readingOrder(flipped.geometry.places, 100)[0] as number)).toBe("h1");
  });
});
