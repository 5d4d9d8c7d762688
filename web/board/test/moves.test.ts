import type { MoveView, StateView } from "$protocol";
import { describe, expect, it } from "vitest";
import { chess, draughts, gomoku, oddities, shogi } from "../demo/fixtures";
import type { Fixture } from "../demo/build";
import {
  decide,
  distinct,
  movesBetween,
  openTargets,
  placementOf,
  targetsOf,
  type Source,
} from "../src/moves";
import { picturesOf } from "../src/choice";

const siteOf = (of: Fixture, name: string) =>
  of.game.layout.cells.findIndex((cell) => cell.name === name);
const nameOf = (of: Fixture, site: number) => of.game.layout.cells[site]?.name;

function click(
  of: Fixture,
  selected: string | null,
  site: string,
  smart = false,
  now: StateView = of.start,
) {
  const source: Source | null =
    selected === null ? null : { type: "site", site: siteOf(of, selected) };
  return decide({
    state: now,
    placement: placementOf(now),
    selected: source,
    site: siteOf(of, site),
    smart,
  });
}

const long = (moves: MoveView[]) => moves.map((move) => move.long);

describe("a click with nothing picked up", () => {
  const of = chess();
  it("picks up a piece that can move", () => {
    expect(click(of, null, "g1")).toEqual({
      type: "select",
      source: { type: "site", site: siteOf(of, "g1") },
    });
  });
  it("does nothing on a piece that cannot", () =>
    expect(click(of, null, "a1")).toEqual({ type: "none" }));
  it("does nothing on an empty site", () =>
    expect(click(of, null, "e5")).toEqual({ type: "none" }));
  it("drops where a drop is all there is", () => {
    const stones = gomoku(19),
      decision = click(stones, null, "a1");
    expect(decision.type === "play" && long(decision.moves)).toEqual(["0 a1"]);
  });
  it("does not spend a piece in hand while others could move", () =>
    expect(click(shogi(), null, "e5")).toEqual({ type: "none" }));
});

describe("smart moves", () => {
  const of = chess();
  it("play the only move to a site", () => {
    const decision = click(of, null, "e4", true);
    expect(decision.type === "play" && long(decision.moves)).toEqual(["e2 - e4"]);
  });
  it("wait where two pieces could come", () =>
    expect(click(of, null, "a3", true)).toEqual({ type: "none" }));
  it("play the only move of a piece", () => {
    const now = of.play(
      of.start,
      of.start.moves.find((move) => move.long === "a2 - a4") as MoveView,
    );
    const again = of.play(now, now.moves.find((move) => move.long === "h7 - h5") as MoveView);
    const decision = click(of, null, "a4", true, again);
    expect(decision.type === "play" && long(decision.moves)).toEqual(["a4 - a5"]);
  });
  it("still pick up a piece with several", () =>
    expect(click(of, null, "g1", true).type).toBe("select"));
});

describe("a click with a piece picked up", () => {
  const of = chess();
  it("moves it", () => {
    const decision = click(of, "g1", "f3");
    expect(decision.type === "play" && long(decision.moves)).toEqual(["g1 - f3"]);
  });
  it("changes to another piece", () => expect(click(of, "g1", "e2").type).toBe("select"));
  it("puts it back on itself", () => expect(click(of, "g1", "g1").type).toBe("clear"));
  it("puts it back on nonsense", () => expect(click(of, "g1", "e5").type).toBe("clear"));
  it("asks which piece a pawn becomes, by pictures", () => {
    const promo = chess("4k2r/1P6/8/8/8/8/8/4K2R"),
      decision = click(promo, "b7", "b8");
    expect(decision.type === "play" && decision.moves.map((move) => move.promote)).toEqual([
      1, 2, 3, 4,
    ]);
    const pieces = picturesOf(
      { placement: placementOf(promo.start), state: promo.start },
      decision.type === "play" ? decision.moves : [],
    );
    expect(pieces?.map((it) => it.kind)).toEqual([1, 2, 3, 4]);
  });
});

describe("pairs of clicks", () => {
  it("mean the same move by an alternative pair", () => {
    const of = chess("4k2r/1P6/8/8/8/8/8/4K2R");
    const from: Source = { type: "site", site: siteOf(of, "e1") };
    expect(movesBetween(of.start.moves, from, siteOf(of, "h1")).map((move) => move.short)).toEqual([
      "O-O",
    ]);
    expect(movesBetween(of.start.moves, from, siteOf(of, "g1")).map((move) => move.short)).toEqual([
      "O-O",
    ]);
  });
  it("let a move in place be entered on the piece itself", () => {
    const of = oddities(),
      decision = click(of, "c4", "c4");
    expect(decision.type === "play" && long(decision.moves)).toEqual(["Ant c4 = Wizard"]);
  });
  it("take a copy as a drop, and as a move of its source", () => {
    const of = oddities();
    for (const decision of [click(of, null, "b4"), click(of, "c4", "b4")])
      expect(decision.type === "play" && long(decision.moves)).toEqual(["copy to b4"]);
  });
  it("need one click where a piece of another player is all there is to click", () => {
    const decision = click(oddities(), null, "g4");
    expect(decision.type === "play" && long(decision.moves)).toEqual(["x g4"]);
  });
  it("offer text where pictures would not tell moves apart", () => {
    const of = oddities(),
      decision = click(of, "e4", "e6");
    const moves = decision.type === "play" ? decision.moves : [];
    expect(moves).toHaveLength(3);
    expect(picturesOf({ placement: placementOf(of.start), state: of.start }, moves)).toBeNull();
  });
  it("point at what a piece takes without moving", () => {
    const of = chess(),
      [at, a, b] = [siteOf(of, "d4"), siteOf(of, "c7"), siteOf(of, "f7")];
    const take = (site: number): MoveView => ({
      ...(of.start.moves[0] as MoveView),
      long: `x ${site}`,
      from: at,
      to: at,
      captures: [site],
      clicks: [{ from: at, to: site }],
      effects: [
        { type: "walk", from: at, to: at },
        { type: "capture", site },
      ],
    });
    const now = {
      ...of.start,
      pieces: [...of.start.pieces, { site: at, player: 0, kind: 1 }],
      moves: [take(a), take(b)],
    };
    const targets = targetsOf(now.moves, { type: "site", site: at }, placementOf(now));
    expect(targets).toEqual([
      { site: a, how: "take" },
      { site: b, how: "take" },
    ]);
    for (const [selected, smart] of [
      ["d4", false],
      [null, true],
    ] as const) {
      const decision = click(of, selected, "c7", smart, now);
      expect(decision.type === "play" && long(decision.moves)).toEqual([`x ${a}`]);
    }
    const itself = click(of, "d4", "d4", false, now);
    expect(itself.type === "play" && itself.moves).toHaveLength(2);
  });
  it("never mean a pass", () => {
    const of = chess(),
      pass: MoveView = {
        ...(of.start.moves[0] as MoveView),
        pass: true,
        from: null,
        to: null,
        long: "pass",
      };
    const now = { ...of.start, moves: [pass] };
    expect(click(of, null, "e4", true, now)).toEqual({ type: "none" });
  });
});

describe("copies that lead to the same board", () => {
  it("are one choice", () => {
    const of = oddities(),
      copy = of.start.moves.find((move) => move.long === "copy to b4") as MoveView;
    const twin: MoveView = {
      ...copy,
      long: "copy from elsewhere",
      effects: copy.effects.map((it) =>
        it.type === "copy" ? { ...it, from: siteOf(of, "a8") } : it,
      ),
    };
    expect(distinct([copy, twin], placementOf(of.start))).toHaveLength(1);
    const other: MoveView = {
      ...twin,
      effects: twin.effects.map((it) =>
        it.type === "copy" ? { ...it, from: siteOf(of, "b8") } : it,
      ),
    };
    expect(distinct([copy, other], placementOf(of.start))).toHaveLength(2);
  });
});

describe("targets", () => {
  it("have a shape for each way to arrive", () => {
    const of = oddities(),
      targets = targetsOf(
        of.start.moves,
        { type: "site", site: siteOf(of, "c4") },
        placementOf(of.start),
      );
    expect(Object.fromEntries(targets.map((it) => [nameOf(of, it.site), it.how]))).toEqual({
      c4: "stay",
      c5: "go",
      b4: "drop",
    });
  });
  it("bracket what stands there", () => {
    const of = chess("4k2r/1P6/8/8/8/8/8/4K2R"),
      targets = targetsOf(
        of.start.moves,
        { type: "site", site: siteOf(of, "h1") },
        placementOf(of.start),
      );
    expect(targets.find((it) => nameOf(of, it.site) === "h8")?.how).toBe("take");
  });
  it("of a hand are diamonds on free sites only", () => {
    const of = shogi(),
      targets = targetsOf(
        of.start.moves,
        { type: "hand", player: 0, kind: 4 },
        placementOf(of.start),
      );
    expect(targets).toHaveLength(81 - of.start.pieces.length);
    expect(new Set(targets.map((it) => it.how))).toEqual(new Set(["drop"]));
  });
  it("stay away if nearly every site would carry one", () => {
    const of = gomoku(19);
    expect(openTargets(of.start, placementOf(of.start), 361)).toEqual([]);
    const few = { ...of.start, moves: of.start.moves.slice(0, 5) };
    expect(openTargets(few, placementOf(few), 361)).toHaveLength(5);
  });
});

describe("moves in parts", () => {
  it("keep the path and go on from its end", () => {
    const of = draughts(),
      first = of.start.moves[0] as MoveView;
    expect(first.partial).toBe(true);
    const now = of.play(of.start, first);
    expect(now.path.map((site) => nameOf(of, site))).toEqual(["a1", "c3"]);
    expect(now.mover).toBe(0);
    expect(now.moves.every((move) => nameOf(of, move.from as number) === "c3")).toBe(true);
  });
});
