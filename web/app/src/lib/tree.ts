// The record of a match is a tree: node 0 is the start, every move is a child of the one before it.
// The list on the page shows one line of it, and where other moves were tried.
import type { NodeView } from "$protocol";

export class Tree {
  readonly byId = new Map<number, NodeView>();
  private readonly below = new Map<number, number[]>();

  constructor(nodes: NodeView[]) {
    for (const node of nodes) {
      this.byId.set(node.id, node);
      if (node.parent === null) continue;
      const list = this.below.get(node.parent);
      if (list) list.push(node.id);
      else this.below.set(node.parent, [node.id]);
    }
  }

  children(id: number): number[] {
    return this.below.get(id) ?? [];
  }

  parent(id: number): number | null {
    return this.byId.get(id)?.parent ?? null;
  }

  /** From the start to `id`, both included. */
  path(id: number): number[] {
    const path: number[] = [];
    for (
      let at: number | null = id;
      at !== null && this.byId.has(at) && path.length <= this.byId.size;
      at = this.parent(at)
    )
      path.push(at);
    return path.reverse();
  }

  /** The line that goes through `id`: its path, then on along `through` where that leads, else the first move. */
  line(id: number, through: number = id): number[] {
    const line = this.path(id);
    const wanted = new Set(this.path(through));
    for (let at = id; line.length <= this.byId.size;) {
      const next = this.children(at);
      const step = next.find((child) => wanted.has(child)) ?? next[0];
      if (step === undefined) break;
      line.push(step);
      at = step;
    }
    return line;
  }

  /** The number of the row that the move list shows a node in; 0 before the first move. */
  round(id: number): number {
    return this.byId.get(id)?.round ?? 0;
  }

  isOn(id: number, below: number): boolean {
    return this.path(below).includes(id);
  }
}

/** Whether chance passed for a player: the turn is skipped because somebody moves again. */
export function isSkipped(node: NodeView | undefined): boolean {
  return node?.kind === "chance" && node.short === "Pass";
}

export interface ListMove {
  id: number;
  text: string;
  isOpen: boolean; // the same player goes on
  isChance: boolean;
  comment: string;
  others: number[]; // moves tried here instead
}
/** `cells` by column: all steps of one player's turn, with the throw before it. */
export interface ListRow {
  number: number;
  cells: ListMove[][];
}

/**
 * Rows of the move list: one for each round, as the server counts them. `column` gives the column
 * of whoever a node belongs to, for a throw that of the player it was thrown for; null if nobody
 * is known: such a throw stands with the move that follows it.
 */
export function rows(
  tree: Tree,
  line: number[],
  text: (node: NodeView) => string,
  column: (node: NodeView) => number | null,
): ListRow[] {
  const result: ListRow[] = [];
  let at = 0; // the column of the move before
  let thrown: ListMove[] = [];
  const cellOf = (round: number, to: number): ListMove[] => {
    let row = result[result.length - 1];
    if (row === undefined || row.number < round) {
      row = { number: Math.max(1, round), cells: [] };
      result.push(row);
    }
    at = to;
    while (row.cells.length <= to) row.cells.push([]);
    return row.cells[to] ?? [];
  };
  for (const id of line) {
    const node = tree.byId.get(id);
    if (!node || node.kind === "start" || isSkipped(node)) continue;
    const before = node.parent === null ? undefined : tree.byId.get(node.parent);
    if (isSkipped(before) && node.short === "Pass") continue;
    const move = listMove(tree, node, text(node));
    const owner = column(node);
    if (move.isChance && owner === null) {
      thrown.push(move);
      continue;
    }
    cellOf(node.round, owner ?? at).push(...thrown, move);
    thrown = [];
  }
  if (thrown.length > 0) cellOf(0, at).push(...thrown);
  return result;
}

function listMove(tree: Tree, node: NodeView, text: string): ListMove {
  const siblings = node.parent === null ? [] : tree.children(node.parent);
  return {
    id: node.id,
    text,
    isOpen: node.partial,
    isChance: node.kind === "chance",
    comment: node.comment,
    others: siblings.filter((other) => other !== node.id),
  };
}
