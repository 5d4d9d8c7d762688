// The games of the demo page: one for each layout and each way of moving.
import type { EffectView, MoveView, Player, Site, StateView } from "$protocol";
import {
  after,
  drop,
  game,
  hexes,
  layout,
  levels,
  letter,
  near,
  player,
  points,
  rings,
  square,
  squares,
  cell,
  state,
  walk,
  type Fixture,
} from "./build";
import { type Rules, fixture, CHESS, chessArt, slide, around } from "./rules";

export function chess(fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"): Fixture {
  const of = squares(8, 8);
  const g = game("Chess", of, CHESS, chessArt);
  const at = (name: string) => of.cells.findIndex((it) => it.name === name);
  const pieces: StateView["pieces"] = [];
  fen.split("/").forEach((row, r) => {
    let c = 0;
    for (const ch of row) {
      if (/\d/.test(ch)) {
        c += Number(ch);
        continue;
      }
      pieces.push({
        site: r * 8 + c++,
        player: ch === ch.toUpperCase() ? 0 : 1,
        kind: "kqrbnp".indexOf(ch.toLowerCase()),
      });
    }
  });
  const rules: Rules = (board, mover) => {
    const moves = slide(g, board, mover, (kind) => {
      if (kind === 0) return { reach: 1, jumps: around([1, 0], [1, 1]) };
      if (kind === 1) return { reach: 8, jumps: around([1, 0], [1, 1]) };
      if (kind === 2) return { reach: 8, jumps: around([1, 0]) };
      if (kind === 3) return { reach: 8, jumps: around([1, 1]) };
      if (kind === 4) return { reach: 1, jumps: around([1, 2]) };
      return null;
    });
    const add = (from: Site, to: Site, more: Partial<MoveView> = {}) =>
      moves.push(walk(moves.length, from, to, of.cells, more));
    for (const [from, piece] of board)
      if (piece.player === mover && piece.kind === 5) {
        const up = mover ? 8 : -8,
          row = Math.floor(from / 8),
          col = from % 8;
        const advance = (to: Site, captures: Site[]) => {
          const effects: EffectView[] = [
            { type: "walk", from, to },
            ...captures.map((site): EffectView => ({ type: "capture", site })),
          ];
          if (Math.floor(to / 8) !== (mover ? 7 : 0)) {
            add(from, to, { captures, effects });
            return;
          }
          for (const kind of [1, 2, 3, 4])
            add(from, to, {
              captures,
              promote: kind,
              long: `Pawn ${of.cells[from]?.name} - ${of.cells[to]?.name} = ${CHESS[kind]}`,
              effects: [...effects, { type: "become", site: to, kind, player: mover }],
            });
        };
        if (!board.has(from + up)) {
          advance(from + up, []);
          if (row === (mover ? 1 : 6) && !board.has(from + 2 * up)) advance(from + 2 * up, []);
        }
        for (const side of [-1, 1]) {
          const to = from + up + side;
          if (col + side >= 0 && col + side < 8 && board.has(to) && board.get(to)?.player !== mover)
            advance(to, [to]);
        }
      }
    for (const [king, rook, to, beside] of mover
      ? [["e8", "h8", "g8", "f8"]]
      : [["e1", "h1", "g1", "f1"]]) {
      const [k, r, t, b] = [at(king ?? ""), at(rook ?? ""), at(to ?? ""), at(beside ?? "")];
      if (board.get(k)?.kind === 0 && board.get(r)?.kind === 2 && !board.has(t) && !board.has(b)) {
        add(k, t, {
          short: "O-O",
          clicks: [{ from: k, to: r }],
          effects: [
            { type: "walk", from: k, to: t },
            { type: "walk", from: r, to: b },
          ],
        });
      }
    }
    return moves;
  };
  return fixture(g, state({ pieces }), rules);
}

/** Stones on points; a click drops. */
export function gomoku(n = 19): Fixture {
  const of = points(n);
  const g = game("Gomoku", of, ["Stone"], (p) => ({ art: p ? "stone-white" : "stone-black" }), {
    players: [player("Black", "black"), player("White", "white")],
  });
  const at = (names: string) =>
    names
      .split(" ")
      .map((it) => of.cells.findIndex((c) => c.name === it))
      .filter((it) => it >= 0);
  const pieces = [
    ...at("j10 k11 j9 l10").map((site) => ({ site, player: 0, kind: 0 })),
    ...at("k10 l11 k9 m9").map((site) => ({ site, player: 1, kind: 0 })),
  ];
  return fixture(g, state({ pieces, lastSites: at("m9") }), (board, mover) =>
    of.cells.flatMap((_, to) => (board.has(to) ? [] : [drop(to, 0, mover, to, of.cells)])),
  );
}

export function hexChess(): Fixture {
  const of = hexes();
  const g = game("Hexagonal Chess", of, CHESS, chessArt, { links: near(of, 110) });
  const put = (who: Player, text: string) =>
    text.split(" ").map((it) => ({
      site: of.cells.findIndex((c) => c.name === it.slice(1)),
      player: who,
      kind: "KQRBNP".indexOf(it[0] ?? ""),
    }));
  const pieces = [
    ...put(0, "Bf1 Bf2 Bf3 Nd1 Nh1 Rc1 Ri1 Qe1 Kg1 Pb1 Pc2 Pd3 Pe4 Pf5 Pg4 Ph3 Pi2 Pk1"),
    ...put(1, "Bf9 Bf10 Bf11 Nd9 Nh9 Rc8 Ri8 Qe10 Kg10 Pb7 Pc7 Pd7 Pe7 Pf7 Pg7 Ph7 Pi7 Pk7"),
  ];
  // everything steps to a neighbour: enough for a board
  return fixture(g, state({ pieces }), (board, mover) =>
    [...board].flatMap(([from, piece]) =>
      piece.player !== mover
        ? []
        : (g.links[from] ?? []).flatMap((to) =>
            board.get(to)?.player === mover
              ? []
              : [
                  walk(
                    from * 100 + to,
                    from,
                    to,
                    of.cells,
                    board.has(to) ? { captures: [to] } : {},
                  ),
                ],
          ),
    ),
  );
}

export function cube(perRow = 3): Fixture {
  const of = levels(5, 5, perRow);
  const links = of.cells.map((_, i) =>
    of.cells.flatMap((__, j) => {
      const [z, r, c] = [Math.floor(i / 25), Math.floor(i / 5) % 5, i % 5],
        [y, s, d] = [Math.floor(j / 25), Math.floor(j / 5) % 5, j % 5];
      return i !== j && Math.max(Math.abs(z - y), Math.abs(r - s), Math.abs(c - d)) === 1
        ? [j]
        : [];
    }),
  );
  const g = game("Raumschach", of, CHESS, chessArt, { links });
  const at = (name: string) => of.cells.findIndex((it) => it.name === name);
  const put = (who: Player, text: string) =>
    text
      .split(" ")
      .map((it) => ({ site: at(it.slice(1)), player: who, kind: "KQRBNPU".indexOf(it[0] ?? "") }));
  const pieces = [
    ...put(
      0,
      "RAa1 NAb1 KAc1 NAd1 RAe1 PAa2 PAb2 PAc2 PAd2 PAe2 UBa1 BBb1 QBc1 UBd1 BBe1 PBa2 PBb2 PBc2 PBd2 PBe2",
    ),
    ...put(
      1,
      "REa5 NEb5 KEc5 NEd5 REe5 PEa4 PEb4 PEc4 PEd4 PEe4 UDa5 BDb5 QDc5 UDd5 BDe5 PDa4 PDb4 PDc4 PDd4 PDe4",
    ),
  ];
  return fixture(g, state({ pieces }), (board, mover) =>
    [...board].flatMap(([from, piece]) =>
      piece.player !== mover
        ? []
        : (links[from] ?? []).flatMap((to) =>
            board.get(to)?.player === mover
              ? []
              : [
                  walk(
                    from * 125 + to,
                    from,
                    to,
                    of.cells,
                    board.has(to) ? { captures: [to] } : {},
                  ),
                ],
          ),
    ),
  );
}

const SHOGI = ["King", "Rook", "Bishop", "Gold", "Silver", "Knight", "Lance", "Pawn", "Tokin"];

/** Captured pieces wait in a hand and come back by drops. */
export function shogi(): Fixture {
  const of = squares(9, 9, false);
  of.over = [
    [3, 3],
    [6, 3],
    [3, 6],
    [6, 6],
  ].map(([x = 0, y = 0]) => ({
    d: `M${x * 100 - 8} ${y * 100}a8 8 0 1 0 16 0a8 8 0 1 0 -16 0Z`,
    fill: "line",
    stroke: null,
    width: 0,
  }));
  const g = game(
    "Shogi",
    of,
    SHOGI,
    (p, k) => ({ art: `shogi-${SHOGI[k]?.toLowerCase()}`, turn: p === 1 }),
    { players: [player("Sente", "white"), player("Gote", "black")] },
  );
  const pieces: StateView["pieces"] = [];
  "lnsgkgsnl/1r5b1/pppp1pppp/4p4/9/4P4/PPPP1PPPP/1B5R1/LNSGKGSNL".split("/").forEach((row, r) => {
    let c = 0;
    for (const ch of row) {
      if (/\d/.test(ch)) {
        c += Number(ch);
        continue;
      }
      pieces.push({
        site: r * 9 + c++,
        player: ch === ch.toUpperCase() ? 0 : 1,
        kind: "krbgsnlp".indexOf(ch.toLowerCase()),
      });
    }
  });
  const hands = [
    { player: 0, kind: 4, count: 1 },
    { player: 0, kind: 7, count: 2 },
    { player: 1, kind: 2, count: 1 },
  ];
  const rules: Rules = (board, mover, now) => {
    const moves: MoveView[] = [];
    for (const [from, piece] of board)
      if (piece.player === mover) {
        const to = from + (mover ? 9 : -9);
        if (to < 0 || to > 80 || board.get(to)?.player === mover) continue;
        const more = board.has(to) ? { captures: [to] } : {};
        moves.push(walk(moves.length, from, to, of.cells, more));
        const zone = mover ? to >= 54 : to < 27;
        if (piece.kind === 7 && zone)
          moves.push(
            walk(moves.length, from, to, of.cells, {
              ...more,
              promote: 8,
              long: `Pawn ${of.cells[to]?.name} = Tokin`,
              effects: [
                { type: "walk", from, to },
                { type: "become", site: to, kind: 8, player: mover },
              ],
            }),
          );
      }
    for (const hand of now.hands)
      if (hand.player === mover && hand.count > 0)
        for (let to = 0; to < 81; to++)
          if (!board.has(to)) moves.push(drop(moves.length, hand.kind, mover, to, of.cells));
    return moves;
  };
  return fixture(g, state({ pieces, hands }), rules);
}

export function circular(): Fixture {
  const of = rings();
  const links = of.cells.map((_, i) => {
    const ring = Math.floor(i / 16),
      k = i % 16;
    return [
      [ring, (k + 1) % 16],
      [ring, (k + 15) % 16],
      [ring + 1, k],
      [ring - 1, k],
    ]
      .filter(([r = 0]) => r >= 0 && r < 4)
      .map(([r = 0, n = 0]) => r * 16 + n);
  });
  const g = game("Circular Chess", of, CHESS, chessArt, { links });
  const back = [
    [0, 1],
    [3, 3],
    [4, 4],
    [2, 2],
  ];
  const pieces = back.flatMap(([a = 0, b = 0], r) =>
    [0, 1].flatMap((p) => {
      const k = p * 8;
      return [
        { site: r * 16 + k, player: p, kind: a },
        { site: r * 16 + k + 1, player: p, kind: b },
        { site: r * 16 + ((k + 15) % 16), player: p, kind: 5 },
        { site: r * 16 + k + 2, player: p, kind: 5 },
      ];
    }),
  );
  return fixture(g, state({ pieces }), (board, mover) =>
    [...board].flatMap(([from, piece]) =>
      piece.player !== mover
        ? []
        : (links[from] ?? []).flatMap((to) =>
            board.get(to)?.player === mover
              ? []
              : [walk(from * 64 + to, from, to, of.cells, board.has(to) ? { captures: [to] } : {})],
          ),
    ),
  );
}

/** Draughts with a chain of jumps, taken step by step. */
export function draughts(): Fixture {
  const of = squares(6, 6);
  const g = game("Draughts", of, ["Man", "King"], (p, k) => ({
    art: `draughts-${p ? "black" : "white"}-${k ? "king" : "man"}`,
  }));
  const at = (name: string) => of.cells.findIndex((it) => it.name === name);
  const pieces = [
    ...["a1", "e1", "f2"].map((it) => ({ site: at(it), player: 0, kind: 0 })),
    ...["b2", "b4", "d4"].map((it) => ({ site: at(it), player: 1, kind: 0 })),
  ];
  const rules: Rules = (board, mover, now) => {
    const jumps: MoveView[] = [],
      steps: MoveView[] = [];
    const end = now.path[now.path.length - 1];
    for (const [from, piece] of board) {
      if (piece.player !== mover || (end !== undefined && from !== end)) continue;
      const r = Math.floor(from / 6),
        c = from % 6;
      for (const dr of [-1, 1])
        for (const dc of [-1, 1]) {
          const mid = [r + dr, c + dc],
            to = [r + 2 * dr, c + 2 * dc];
          const isOn = ([y = -1, x = -1]: number[]) => y >= 0 && y < 6 && x >= 0 && x < 6;
          const m = (mid[0] ?? 0) * 6 + (mid[1] ?? 0),
            t = (to[0] ?? 0) * 6 + (to[1] ?? 0);
          if (isOn(to) && board.has(m) && board.get(m)?.player !== mover && !board.has(t)) {
            const more = {
              captures: [m],
              partial: true,
              effects: [
                { type: "walk", from, to: t },
                { type: "capture", site: m },
              ] as EffectView[],
            };
            jumps.push(walk(jumps.length, from, t, of.cells, more));
          } else if (isOn(mid) && !board.has(m) && end === undefined && dr === (mover ? 1 : -1))
            steps.push(walk(steps.length, from, m, of.cells));
        }
    }
    // a jump that leads to no further one ends the move
    const goesOn = (it: MoveView) => {
      const next = after(board, it.effects);
      return [-1, 1].some((dr) =>
        [-1, 1].some((dc) => {
          const r = Math.floor((it.to ?? 0) / 6),
            c = (it.to ?? 0) % 6,
            m = (r + dr) * 6 + c + dc,
            t = (r + 2 * dr) * 6 + c + 2 * dc;
          return (
            r + 2 * dr >= 0 &&
            r + 2 * dr < 6 &&
            c + 2 * dc >= 0 &&
            c + 2 * dc < 6 &&
            next.has(m) &&
            next.get(m)?.player !== mover &&
            !next.has(t)
          );
        }),
      );
    };
    return jumps.length ? jumps.map((it) => ({ ...it, partial: goesOn(it) })) : steps;
  };
  return fixture(g, state({ pieces }), rules);
}

/** Tokens with letters of eight players, moves in place, copies, a choice by text. */
export function oddities(): Fixture {
  const of = squares(8, 8, false);
  const colors = ["white", "black", "red", "blue", "green", "yellow", "orange", "violet"] as const;
  const g = game("Oddities", of, ["Ant", "Camelopard", "Wizard"], () => ({}), {
    players: colors.map((it) => player(it[0]?.toUpperCase() + it.slice(1), it)),
  });
  const at = (name: string) => of.cells.findIndex((it) => it.name === name);
  const pieces = [
    ...colors.map((_, p) => ({ site: at(letter(p) + "8"), player: p, kind: p % 3 })),
    { site: at("c4"), player: 0, kind: 0 },
    { site: at("e4"), player: 0, kind: 1 },
    { site: at("g4"), player: 1, kind: 2 },
  ];
  const c = of.cells;
  const moves = (): MoveView[] => [
    walk(0, at("c4"), at("c4"), c, {
      long: "Ant c4 = Wizard",
      promote: 2,
      effects: [{ type: "become", site: at("c4"), kind: 2, player: 0 }],
    }),
    walk(1, at("c4"), at("c5"), c),
    walk(2, at("c4"), at("b4"), c, {
      long: "copy to b4",
      effects: [{ type: "copy", from: at("c4"), to: at("b4") }],
    }),
    ...[0, 1, 2].map((k) =>
      walk(3 + k, at("e4"), at("e6"), c, { long: `Camelopard e4 - e6 way ${k + 1}`, captures: [] }),
    ),
    walk(6, at("g4"), at("g4"), c, {
      long: "x g4",
      captures: [at("g4")],
      effects: [{ type: "capture", site: at("g4") }],
    }),
  ];
  return fixture(g, state({ pieces }), (board, mover) =>
    mover === 0 ? moves().filter((it) => it.from === null || board.has(it.from)) : [],
  );
}

/** A field of free cells with an author's picture of its own. */
export function pictured(): Fixture {
  const of = squares(3, 3, false);
  const draw = (w: number, h: number, paint: (c: CanvasRenderingContext2D) => void): string => {
    if (typeof document === "undefined") return "data:image/png;base64,";
    const canvas = document.createElement("canvas");
    canvas.width = w;
    canvas.height = h;
    const c = canvas.getContext("2d");
    if (c) paint(c);
    return canvas.toDataURL();
  };
  const board = draw(340, 320, (c) => {
    c.fillStyle = "#345";
    c.fillRect(0, 0, 340, 320);
    c.fillStyle = "#9ab";
    for (let i = 0; i < 9; i++)
      c.fillRect(20 + (i % 3) * 104, 10 + Math.floor(i / 3) * 104, 92, 92);
  });
  const mark = (color: string) =>
    draw(60, 60, (c) => {
      c.strokeStyle = color;
      c.lineWidth = 12;
      c.strokeRect(10, 10, 40, 40);
    });
  const rects = of.cells.map((_, i): [number, number, number, number] => [
    20 + (i % 3) * 104,
    10 + Math.floor(i / 3) * 104,
    112 + (i % 3) * 104,
    102 + Math.floor(i / 3) * 104,
  ]);
  const set = (a: string, b: string) => ({
    width: 340,
    height: 320,
    board,
    rects,
    tile: null,
    flipped: null,
    pieces: [
      { player: 0, kind: 0, url: mark(a), width: 60, height: 60 },
      { player: 1, kind: 0, url: mark(b), width: 60, height: 60 },
    ],
  });
  const g = game("Pictured", of, ["Mark"], (p) => ({ art: p ? "stone-black" : "stone-white" }), {
    images: [set("#fff", "#111"), set("#fc6", "#6cf")],
  });
  return fixture(g, state({ pieces: [{ site: 4, player: 1, kind: 0 }] }), (b, mover) =>
    of.cells.flatMap((_, to) => (b.has(to) ? [] : [drop(to, 0, mover, to, of.cells)])),
  );
}

/** Thirty by thirty, to see that it stays fluid. */
export function vast(n = 30): Fixture {
  const cells = Array.from({ length: n * n }, (_, i) =>
    cell(
      `${letter(i % 26)}${Math.floor(i / n) + 1}-${i % n}`,
      (i % n) * 100 + 50,
      Math.floor(i / n) * 100 + 50,
      square((i % n) * 100, Math.floor(i / n) * 100),
      ((i % n) + Math.floor(i / n)) % 2 ? 2 : 1,
    ),
  );
  const of = layout("checkered", n * 100, n * 100, cells);
  const g = game("Vast", of, CHESS, chessArt);
  const pieces = cells.flatMap((_, i) => (i % 3 ? [] : [{ site: i, player: i % 2, kind: i % 6 }]));
  return fixture(g, state({ pieces }), (board, mover) =>
    slide(g, board, mover, () => ({ reach: 2, jumps: around([1, 0]) })),
  );
}

export const FIXTURES: Record<string, () => Fixture> = {
  chess: () => chess(),
  promo: () => chess("4k2r/1P6/8/8/8/8/8/4K2R"),
  gomoku: () => gomoku(19),
  hex: hexChess,
  cube: () => cube(3),
  tower: () => cube(1),
  shogi,
  rings: circular,
  draughts,
  oddities,
  pictured,
  vast: () => vast(),
};
