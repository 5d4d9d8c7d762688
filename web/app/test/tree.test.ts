import type { NodeView } from "$protocol";
import { describe, expect, it } from "vitest";
import { roundOf, rows, Tree } from "../src/lib/tree";

const node = (
  id: number,
  parent: number | null,
  player: number | null,
  more: Partial<NodeView> = {},
): NodeView => ({
  id,
  parent,
  ply: id,
  player,
  owner: player,
  short: `s${id}`,
  long: `l${id}`,
  partial: false,
  kind: parent === null ? "start" : "move",
  comment: "",
  score: null,
  ...more,
});
const column = (one: NodeView) => one.player;
const texts = (list: ReturnType<typeof rows>) =>
  list.map((row) => row.cells.map((cell) => cell.map((move) => move.text).join("+")));

describe("the tree of a record", () => {
  // 0 - 1 - 2 - 3, and 4 - 5 tried instead of 2
  const tree = new Tree([
    node(0, null, null),
    node(1, 0, 0),
    node(2, 1, 1),
    node(3, 2, 0),
    node(4, 1, 1),
    node(5, 4, 0),
  ]);
  it("knows the way to a node", () => expect(tree.path(5)).toEqual([0, 1, 4, 5]));
  it("goes on along the first moves", () => expect(tree.line(1)).toEqual([0, 1, 2, 3]));
  it("goes on along the line of play when it passes through", () =>
    expect(tree.line(1, 5)).toEqual([0, 1, 4, 5]));
  it("stays on a branch that play left", () => expect(tree.line(4, 3)).toEqual([0, 1, 4, 5]));
  it("is not caught by nodes it does not know", () => expect(tree.path(99)).toEqual([]));
  it("names the other moves", () => {
    const [first, second] = rows(tree, tree.line(3), false, column);
    expect(texts([first!, second!])).toEqual([["s1", "s2"], ["s3"]]);
    expect(first?.cells[1]?.[0]?.others).toEqual([4]);
  });
});

describe("rows of the list", () => {
  it("put the steps of one move in one cell", () => {
    const tree = new Tree([
      node(0, null, null),
      node(1, 0, 0, { partial: true }),
      node(2, 1, 0),
      node(3, 2, 1),
      node(4, 3, 0),
    ]);
    expect(texts(rows(tree, tree.line(4), true, column))).toEqual([["l1+l2", "l3"], ["l4"]]);
  });
  it("begin a row when the same player moves again without owing a step", () => {
    const tree = new Tree([node(0, null, null), node(1, 0, 0), node(2, 1, 0), node(3, 2, 1)]);
    expect(texts(rows(tree, tree.line(3), false, column))).toEqual([["s1"], ["s2", "s3"]]);
  });
  it("leave a gap when the second player begins", () => {
    const tree = new Tree([node(0, null, null), node(1, 0, 1), node(2, 1, 0)]);
    expect(texts(rows(tree, tree.line(2), false, column))).toEqual([["", "s1"], ["s2"]]);
  });
  it("keep a throw that nobody owns with the move that follows it, and at the end", () => {
    const chance = { kind: "chance" as const };
    const tree = new Tree([
      node(0, null, null),
      node(1, 0, 2, chance),
      node(2, 1, 0),
      node(3, 2, 2, chance),
      node(4, 3, 1),
      node(5, 4, 2, chance),
    ]);
    const two = (one: NodeView) => (one.player === 2 ? null : one.player);
    expect(texts(rows(tree, tree.line(5), false, two))).toEqual([["s1+s2", "s3+s4+s5"]]);
  });
  it("put a throw in the column of the player it was thrown for", () => {
    const chance = { kind: "chance" as const };
    const owned = (one: NodeView) => (one.player === 2 ? one.owner : one.player);
    const tree = new Tree([
      node(0, null, null),
      node(1, 0, 2, { ...chance, owner: 0 }),
      node(2, 1, 0),
      node(3, 2, 2, { ...chance, owner: 1 }),
      node(4, 3, 1),
      node(5, 4, 2, { ...chance, owner: 0 }),
    ]);
    expect(texts(rows(tree, tree.line(5), false, owned))).toEqual([["s1+s2", "s3+s4"], ["s5"]]);
  });
  it("count moves, not plies", () => {
    const tree = new Tree([node(0, null, null), node(1, 0, 0), node(2, 1, 1), node(3, 2, 0)]);
    expect([0, 1, 2, 3].map((id) => roundOf(tree, tree.path(id), column))).toEqual([0, 1, 1, 2]);
  });
  it("hold one column for a puzzle", () => {
    const tree = new Tree([node(0, null, null), node(1, 0, 0), node(2, 1, 0), node(3, 2, 0)]);
    expect(texts(rows(tree, tree.line(3), false, () => 0))).toEqual([["s1"], ["s2"], ["s3"]]);
  });
});
