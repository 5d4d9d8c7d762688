import type { EffectView } from "$protocol";
import { describe, expect, it } from "vitest";
import { after as apply, type Board } from "../demo/build";
import { stepsBetween } from "../src/diff";

const piece = (player: number, kind = 0) => ({ player, kind });
const moving = (before: Board, next: Board, effects?: EffectView[]) =>
  stepsBetween(before, next, effects)
    .filter((step) => step.type !== "stay" || step.changes)
    .map(
      (step) =>
        `${step.type} ${"from" in step ? step.from : ""}>${"to" in step && !(step.type === "fade" && step.to === step.from) ? step.to : ""}${"changes" in step && step.changes ? " new" : ""}`,
    )
    .sort();

describe("what happens between two placements", () => {
  it("is nothing if nothing changed", () =>
    expect(moving(new Map([[1, piece(0)]]), new Map([[1, piece(0)]]))).toEqual([]));

  it("is a walk and a capture together", () => {
    const before: Board = new Map([
      [1, piece(0)],
      [5, piece(1)],
      [9, piece(1)],
    ]);
    const effects: EffectView[] = [
      { type: "walk", from: 1, to: 5 },
      { type: "capture", site: 9 },
    ];
    expect(moving(before, new Map([[5, piece(0)]]), effects)).toEqual([
      "fade 5>",
      "fade 9>",
      "walk 1>5",
    ]);
  });

  it("keeps the identity of two like pieces that castle", () => {
    const before: Board = new Map([
      [4, piece(0, 0)],
      [7, piece(0, 1)],
    ]);
    const effects: EffectView[] = [
      { type: "walk", from: 4, to: 6 },
      { type: "walk", from: 7, to: 5 },
    ];
    expect(moving(before, apply(before, effects), effects)).toEqual(["walk 4>6", "walk 7>5"]);
  });

  it("lets two pieces change places", () => {
    const before: Board = new Map([
      [1, piece(0)],
      [2, piece(1)],
    ]);
    const effects: EffectView[] = [
      { type: "walk", from: 1, to: 2 },
      { type: "walk", from: 2, to: 1 },
    ];
    expect(
      moving(
        before,
        new Map([
          [1, piece(1)],
          [2, piece(0)],
        ]),
        effects,
      ),
    ).toEqual(["walk 1>2", "walk 2>1"]);
  });

  it("pushes a row along", () => {
    const before: Board = new Map([
      [1, piece(0)],
      [2, piece(1)],
      [3, piece(1)],
    ]);
    const effects: EffectView[] = [
      { type: "walk", from: 1, to: 2 },
      { type: "walk", from: 2, to: 3 },
      { type: "walk", from: 3, to: 4 },
    ];
    expect(
      moving(
        before,
        new Map([
          [2, piece(0)],
          [3, piece(1)],
          [4, piece(1)],
        ]),
        effects,
      ),
    ).toEqual(["walk 1>2", "walk 2>3", "walk 3>4"]);
  });

  it("walks and becomes another", () => {
    const before: Board = new Map([[1, piece(0, 5)]]);
    const effects: EffectView[] = [
      { type: "walk", from: 1, to: 2 },
      { type: "become", site: 2, kind: 1, player: 0 },
    ];
    expect(moving(before, apply(before, effects), effects)).toEqual(["walk 1>2 new"]);
  });

  it("turns stones over where they lie", () => {
    const before: Board = new Map([
      [1, piece(1)],
      [2, piece(1)],
    ]);
    const effects: EffectView[] = [
      { type: "drop", kind: 0, to: 0, player: 0 },
      { type: "become", site: 1, kind: 0, player: 0 },
    ];
    expect(moving(before, apply(before, effects), effects)).toEqual(["drop >0", "stay 1>1 new"]);
  });

  it("copies out of a piece that stays", () => {
    const before: Board = new Map([[1, piece(0)]]);
    const effects: EffectView[] = [{ type: "copy", from: 1, to: 2 }];
    expect(moving(before, apply(before, effects), effects)).toEqual(["copy 1>2"]);
  });

  it("walks off the board and is gone", () => {
    const effects: EffectView[] = [
      { type: "walk", from: 1, to: 9 },
      { type: "capture", site: 9 },
    ];
    expect(moving(new Map([[1, piece(0)]]), new Map(), effects)).toEqual(["fade 1>9"]);
  });

  it("guesses the walk back when a move is taken back", () => {
    const before: Board = new Map([[5, piece(0)]]),
      next: Board = new Map([
        [1, piece(0)],
        [5, piece(1)],
      ]);
    expect(moving(before, next)).toEqual(["drop >5", "walk 5>1"]);
  });

  it("believes the new placement, not the effects", () => {
    const before: Board = new Map([[1, piece(0)]]);
    expect(moving(before, new Map([[3, piece(1)]]), [{ type: "walk", from: 1, to: 2 }])).toEqual([
      "drop >3",
      "fade 1>2",
    ]);
    expect(
      moving(new Map(), new Map(), [
        { type: "walk", from: 8, to: 9 },
        { type: "capture", site: 4 },
      ]),
    ).toEqual([]);
  });

  it("accounts for every piece of both sides exactly once, whatever the effects", () => {
    let seed = 7;
    const random = (n: number) => {
      seed = (seed * 1103515245 + 12345) & 0x7fffffff;
      return seed % n;
    };
    for (let round = 0; round < 400; round++) {
      const board = () =>
        new Map(Array.from({ length: random(9) }, () => [random(12), piece(random(2), random(3))]));
      const before: Board = board(),
        next: Board = board();
      const effects = Array.from({ length: random(6) }, (): EffectView => {
        const from = random(12),
          to = random(12);
        return (
          [
            { type: "walk", from, to },
            { type: "copy", from, to },
            { type: "capture", site: to },
            { type: "drop", kind: 0, to, player: 0 },
            { type: "become", site: to, kind: 1, player: 1 },
          ] as EffectView[]
        )[random(5)] as EffectView;
      });
      const steps = stepsBetween(before, next, effects);
      const left = steps
        .flatMap((step) => (step.type === "copy" || step.type === "drop" ? [] : [step.from]))
        .sort((a, b) => a - b);
      const arrived = steps
        .flatMap((step) => ("to" in step && step.type !== "fade" ? [step.to] : []))
        .sort((a, b) => a - b);
      expect(left).toEqual([...before.keys()].sort((a, b) => a - b));
      expect(arrived).toEqual([...next.keys()].sort((a, b) => a - b));
      for (const step of steps)
        if (step.type !== "fade") expect(step.piece).toEqual(next.get(step.to));
    }
  });
});
