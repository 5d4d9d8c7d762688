import { describe, expect, it } from "vitest";
import { chess, circular, cube, gomoku, hexChess, pictured, vast } from "../demo/fixtures";
import {
  geometryOf,
  shapeOfImages,
  shapeOfLayout,
  turn,
  type Geometry,
  type FlipMode,
} from "../src/geometry";
import { flatten, isInside } from "../src/outline";
import type { Fixture } from "../demo/build";

const geometry = (of: Fixture, flipped = false, mode: FlipMode = "allowed"): Geometry =>
  geometryOf(shapeOfLayout(of.game.layout), flipped, mode);
const siteOf = (of: Fixture, name: string) =>
  of.game.layout.cells.findIndex((cell) => cell.name === name);

describe("outlines", () => {
  it("read absolute and relative commands alike", () => {
    const corners = [
      { x: 10, y: 20 },
      { x: 30, y: 20 },
      { x: 30, y: 50 },
      { x: 10, y: 50 },
    ];
    expect(flatten("M10 20h20v30h-20Z")).toEqual(corners);
    expect(flatten("M10,20L30,20 30,50 10,50Z")).toEqual(corners);
    expect(flatten("M10 20H30V50H10Z")).toEqual(corners);
  });
  it("follow arcs to their end, along the circle", () => {
    const points = flatten("M100 0A100 100 0 0 1 0 100");
    for (const p of points) expect(Math.hypot(p.x, p.y)).toBeCloseTo(100, 6);
    expect(points[points.length - 1]?.y).toBeCloseTo(100);
    expect(points.length).toBeGreaterThan(5);
  });
  it("survive nonsense", () => {
    expect(flatten("")).toEqual([]);
    expect(flatten("hello 1e999")).toBeInstanceOf(Array);
    expect(isInside([], 0, 0)).toBe(false);
  });
});

describe("the site under a point", () => {
  for (const [name, make] of Object.entries({ chess, gomoku, hexChess, cube, circular, vast })) {
    it(`is found at every centre of ${name}, from both sides`, () => {
      const of = make();
      for (const flipped of [false, true]) {
        const it = geometry(of, flipped);
        it.places.forEach((place, site) => expect(it.grid.at(place.x, place.y)).toBe(site));
      }
    });
  }
  it("is none outside", () => {
    const it = geometry(chess());
    expect(it.grid.at(-1, 50)).toBeNull();
    expect(it.grid.at(NaN, 50)).toBeNull();
  });
  it("ends half way between cells", () => {
    const of = chess(),
      it = geometry(of);
    expect(it.grid.at(99, 750)).toBe(siteOf(of, "a1"));
    expect(it.grid.at(101, 750)).toBe(siteOf(of, "b1"));
  });
  it("is the nearest point within reach", () => {
    const of = gomoku(19),
      it = geometry(of);
    expect(it.grid.at(70, 70)).toBe(siteOf(of, "a19"));
    expect(it.grid.at(100, 100)).toBeNull();
  });
});

describe("flipping", () => {
  it("turns sites and picture by half", () => {
    const of = chess(),
      it = geometry(of, true);
    expect(it.turned).toBe(true);
    expect(it.places[siteOf(of, "a1")]).toMatchObject({ x: 750, y: 50 });
    expect(it.places[siteOf(of, "h8")]).toMatchObject({ x: 50, y: 750 });
  });
  it("is its own inverse", () => {
    const c = { x: 40, y: 70 },
      p = { x: 13, y: 5 };
    expect(turn(turn(p, c), c)).toEqual(p);
  });
  it("does nothing where it is prevented", () => {
    const of = chess();
    expect(geometry(of, true, "prevented").places).toEqual(geometry(of, false).places);
    expect(geometry(of, true, "prevented").turned).toBe(false);
  });
  it("of sites only leaves the picture as it is", () => {
    const it = geometry(chess(), true, "sitesOnly");
    expect(it.turned).toBe(false);
    expect(it.places[0]).toMatchObject({ x: 750, y: 750 });
  });
  it("of sites only, tight, goes by the bounds of the sites and leaves fixed ones", () => {
    const of = pictured(),
      ground = shapeOfImages(of.game.images[0] as never, of.game.layout);
    const whole = geometryOf(ground, true, "sitesOnly"),
      tight = geometryOf(ground, true, "sitesOnlyTight");
    // the picture is 340 wide, the sites run from 20 to 320: only the tight turn keeps the grid
    expect(whole.places[0]?.x).toBe(340 - 66);
    expect(tight.places[0]).toMatchObject({ x: ground.places[8]?.x, y: ground.places[8]?.y });
    const fixed = geometryOf(ground, true, "sitesOnlyTight", new Set([0]));
    expect(fixed.places[0]).toEqual(ground.places[0]);
  });
  it("turns each level in itself", () => {
    const of = cube(),
      plain = geometry(of),
      flipped = geometry(of, true);
    const a = siteOf(of, "Ba1"),
      b = siteOf(of, "Be5");
    expect(flipped.places[a]).toMatchObject({ x: plain.places[b]?.x, y: plain.places[b]?.y });
  });
});
