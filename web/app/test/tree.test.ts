import type { NodeView } from "$protocol";
import { describe, expect, it } from "vitest";
import { rows, Tree } from "../src/lib/tree";

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
  request: "",
  round: 0,
  ...more,
});
const column = (one: NodeView) => one.player;
const short = (one: NodeView) => one.short;
const texts = (list: ReturnType<typeof rows>) =>
  list.map((row) => row.cells.map((cell) => cell.map((move) => move.text).join("+")));

describe("the tree of a record", () => {
  // 0 - 1 - 2 - 3, and 4 - 5 tried instead of 2
  const tree = new Tree([
    node(0, null, null),
    node(1, 0, 0, { round: 1 }),
    node(2, 1, 1, { round: 1 }),
    node(3, 2, 0, { round: 2 }),
    node(4, 1, 1, { round: 1 }),
    node(5, 4, 0, { round: 2 }),
  ]);
  it("knows the way to a node", () => expect(tree.path(5)).toEqual([0, 1, 4, 5]));
  it("goes on along the first moves", () => expect(tree.line(1)).toEqual([0, 1, 2, 3]));
  it("goes on along the line of play when it passes through", () =>
    expect(tree.line(1, 5)).toEqual([0, 1, 4, 5]));
  it("stays on a branch that play left", () => expect(tree.line(4, 3)).toEqual([0, 1, 4, 5]));
  it("is not caught by nodes it does not know", () => expect(tree.path(99)).toEqual([]));
  it("names the other moves", () => {
    const [first, second] = rows(tree, tree.line(3), short, column);
    expect(texts([first!, second!])).toEqual([["s1", "s2"], ["s3"]]);
    expect(first?.cells[1]?.[0]?.others).toEqual([4]);
  });
});

describe("turns that the rules only skip", () => {
  it("are not listed as failed turns of everybody else", () => {
    // a six, its move, the throw and turn of the other side passed, the next throw
    const chance = (id: number, short: string) =>
      node(id, id - 1, 9, { kind: "chance", short, owner: 0, round: 1 });
    const tree = new Tree([
      node(0, null, null),
      chance(1, "6"),
      node(2, 1, 0, { short: "a–g", round: 1 }),
      { ...chance(3, "Pass"), owner: 1 },
      node(4, 3, 1, { short: "Pass", round: 1 }),
      chance(5, "3"),
      node(6, 5, 0, { short: "Pass", round: 2 }),
    ]);
    const list = rows(tree, tree.line(0), short, (one) => one.owner);
    expect(texts(list)).toEqual([["6+a–g+3"], ["Pass"]]);
  });
});

/** Nodes in one line, each with its player, its round, and what else is special about it. */
const lineOf = (...moves: [player: number, round: number, more?: Partial<NodeView>][]) =>
  new Tree([
    node(0, null, null),
    ...moves.map(([player, round, more], i) => node(i + 1, i, player, { round, ...more })),
  ]);
const rowsOf = (tree: Tree, isLong: boolean, columnOf = column) =>
  rows(tree, tree.line(0), isLong ? (one) => one.long : short, columnOf);

describe("rows of the list", () => {
  const chance = { kind: "chance" as const };

  it("are numbered by the rounds of the server", () => {
    const tree = lineOf([0, 1], [1, 1], [0, 2]);
    expect(rowsOf(tree, false).map((row) => row.number)).toEqual([1, 2]);
    expect([0, 1, 2, 3].map((id) => tree.round(id))).toEqual([0, 1, 1, 2]);
  });
  it("put the steps of one move in one cell", () => {
    const tree = lineOf([0, 1, { partial: true }], [0, 1], [1, 1], [0, 2]);
    expect(texts(rowsOf(tree, true))).toEqual([["l1+l2", "l3"], ["l4"]]);
  });
  it("begin a row when the same player moves again without owing a step", () => {
    expect(texts(rowsOf(lineOf([0, 1], [0, 2], [1, 2]), false))).toEqual([["s1"], ["s2", "s3"]]);
  });
  it("leave a gap when the second player begins", () => {
    expect(texts(rowsOf(lineOf([1, 1], [0, 2]), false))).toEqual([["", "s1"], ["s2"]]);
  });
  it("keep a throw that nobody owns with the move that follows it, and at the end", () => {
    const tree = lineOf([2, 0, chance], [0, 1], [2, 1, chance], [1, 1], [2, 1, chance]);
    const two = (one: NodeView) => (one.player === 2 ? null : one.player);
    expect(texts(rowsOf(tree, false, two))).toEqual([["s1+s2", "s3+s4+s5"]]);
  });
  it("put a throw in the column of the player it was thrown for", () => {
    const thrownFor = (owner: number) => ({ ...chance, owner });
    const tree = lineOf(
      [2, 1, thrownFor(0)],
      [0, 1],
      [2, 1, thrownFor(1)],
      [1, 1],
      [2, 2, thrownFor(0)],
    );
    const owned = (one: NodeView) => (one.player === 2 ? one.owner : one.player);
    expect(texts(rowsOf(tree, false, owned))).toEqual([["s1+s2", "s3+s4"], ["s5"]]);
  });
  it("hold one column for a puzzle", () => {
    const tree = lineOf([0, 1], [0, 2], [0, 3]);
    expect(texts(rowsOf(tree, false, () => 0))).toEqual([["s1"], ["s2"], ["s3"]]);
  });
});
