// Small builders of GameView and StateView for the demo page and the tests. Rules
// here are only as good as the demo needs; the real ones come from the server.
import type {
  CellView,
  EffectView,
  GameView,
  Kind,
  LayoutView,
  LookView,
  MoveView,
  Player,
  PlayerView,
  Site,
  StateView,
  StrokeView,
} from "$protocol";

export interface Fixture {
  game: GameView;
  start: StateView;
  /** The state after a move. */
  play(state: StateView, move: MoveView): StateView;
}

const A = "abcdefghijklmnopqrstuvwxyz";
export const letter = (i: number) => A[i] ?? "";

// ------------------------------------------------------------------ geometry

export function cell(
  name: string,
  x: number,
  y: number,
  d: string | null,
  tone: 0 | 1 | 2 | 3 = 1,
  level = 0,
): CellView {
  return { name, x, y, d, tone, bare: false, hidden: false, level };
}

export const square = (x: number, y: number, s = 100) => `M${x} ${y}h${s}v${s}h${-s}Z`;

export function layout(
  style: LayoutView["style"],
  width: number,
  height: number,
  cells: CellView[],
  more: Partial<LayoutView> = {},
): LayoutView {
  return {
    style,
    width,
    height,
    unit: 100,
    pad: 0,
    frame: null,
    open: false,
    plain: false,
    cells,
    under: [],
    over: [],
    coords: [],
    levels: [],
    trim: null,
    ...more,
  };
}

export function squares(cols: number, rows: number, isCheckered = true): LayoutView {
  const cells: CellView[] = [];
  const coords: LayoutView["coords"] = [];
  for (let r = 0; r < rows; r++)
    for (let c = 0; c < cols; c++) {
      cells.push(
        cell(
          letter(c) + (rows - r),
          c * 100 + 50,
          r * 100 + 50,
          square(c * 100, r * 100),
          isCheckered && (c + r) % 2 ? 2 : 1,
        ),
      );
    }
  for (let c = 0; c < cols; c++)
    coords.push({ text: letter(c), x: c * 100 + 50, y: rows * 100, side: "bottom", big: false });
  for (let r = 0; r < rows; r++)
    coords.push({ text: String(rows - r), x: 0, y: r * 100 + 50, side: "left", big: false });
  return layout(isCheckered ? "checkered" : "grid", cols * 100, rows * 100, cells, { coords });
}

export function points(n: number): LayoutView {
  const cells: CellView[] = [];
  let d = "";
  for (let i = 0; i < n; i++)
    d += `M${50 + i * 100} 50V${50 + (n - 1) * 100}M50 ${50 + i * 100}H${50 + (n - 1) * 100}`;
  for (let r = 0; r < n; r++)
    for (let c = 0; c < n; c++)
      cells.push({ ...cell(letter(c) + (n - r), 50 + c * 100, 50 + r * 100, null), bare: true });
  const under: StrokeView[] = [{ d, fill: null, stroke: "line", width: 3.4 }];
  const stars = n >= 9 ? [3, (n - 1) / 2, n - 4] : [];
  const over: StrokeView[] = stars.flatMap((x) =>
    stars.map((y) => ({
      d: `M${40 + x * 100} ${50 + y * 100}a10 10 0 1 0 20 0a10 10 0 1 0 -20 0Z`,
      fill: "line",
      stroke: null,
      width: 0,
    })),
  );
  return layout("points", n * 100, n * 100, cells, { under: [...under, ...over], plain: true });
}

export function hexes(): LayoutView {
  const files = "abcdefghikl",
    R = 57.7,
    W = R * 1.5,
    H = R * Math.sqrt(3);
  const cells: CellView[] = [],
    coords: LayoutView["coords"] = [];
  const f = (n: number) => Math.round(n * 10) / 10;
  for (let i = 0; i < 11; i++)
    for (let k = 0; k < 11 - Math.abs(i - 5); k++) {
      const x = R + i * W,
        y = 11 * H - (Math.abs(i - 5) / 2 + k + 0.5) * H;
      const d =
        "M" +
        [0, 1, 2, 3, 4, 5]
          .map(
            (n) =>
              `${f(x + R * Math.cos((n * Math.PI) / 3))} ${f(y + R * Math.sin((n * Math.PI) / 3))}`,
          )
          .join("L") +
        "Z";
      const tone = ([3, 1, 2] as const)[(k + Math.min(i, 10 - i)) % 3] ?? 1;
      cells.push(cell(files[i] + String(k + 1), x, y, d, tone));
      if (!k)
        coords.push({
          text: files[i] ?? "",
          x: x + (i - 5) * 5.5,
          y: y + H * 0.78,
          side: "free",
          big: false,
        });
    }
  const width = 2 * R + 10 * W,
    height = 11 * H,
    cx = width / 2,
    cy = height / 2,
    r = 628;
  const frame =
    "M" +
    [0, 1, 2, 3, 4, 5]
      .map(
        (n) =>
          `${f(cx + r * Math.cos(((n + 0.5) * Math.PI) / 3))} ${f(cy + r * Math.sin(((n + 0.5) * Math.PI) / 3))}`,
      )
      .join("L") +
    "Z";
  return layout("hex", width, height, cells, { coords, frame, unit: 90, pad: 30 });
}

export function levels(n: number, count: number, perRow: number): LayoutView {
  const cells: CellView[] = [],
    under: StrokeView[] = [],
    coords: LayoutView["coords"] = [],
    out: LayoutView["levels"] = [];
  const gap = 76,
    names = "ABCDE";
  for (let z = 0; z < count; z++) {
    const x = (z % perRow) * (n * 100 + gap),
      y = Math.floor(z / perRow) * (n * 100 + gap + 60);
    const rect = (by: number) =>
      `M${x - by} ${y - by}h${n * 100 + 2 * by}v${n * 100 + 2 * by}h${-n * 100 - 2 * by}Z`;
    under.push(
      { d: rect(14), fill: "frame", stroke: "frame", width: 4 },
      { d: rect(7), fill: null, stroke: "inlay", width: 2.6 },
    );
    coords.push({
      text: `Level ${names[z]}`,
      x: x + n * 50,
      y: y + n * 100 + 50,
      side: "free",
      big: true,
    });
    const sites: Site[] = [];
    for (let r = 0; r < n; r++)
      for (let c = 0; c < n; c++) {
        sites.push(cells.length);
        cells.push(
          cell(
            (names[z] ?? "") + letter(c) + (n - r),
            x + c * 100 + 50,
            y + r * 100 + 50,
            square(x + c * 100, y + r * 100),
            (c + r + z) % 2 ? 2 : 1,
            z,
          ),
        );
      }
    out.push({ label: `Level ${names[z]}`, x, y, width: n * 100, height: n * 100, sites });
  }
  const rows = Math.ceil(count / perRow),
    cols = Math.min(count, perRow);
  return layout(
    "levels",
    cols * (n * 100 + gap) - gap,
    rows * (n * 100 + gap + 60) - gap + 10,
    cells,
    { under, coords, levels: out, open: true, pad: 16 },
  );
}

export function rings(): LayoutView {
  const cells: CellView[] = [],
    C = 460,
    f = (n: number) => Math.round(n * 10) / 10;
  for (let ring = 0; ring < 4; ring++)
    for (let k = 0; k < 16; k++) {
      const a0 = (k * Math.PI) / 8 + (Math.PI * 3) / 8,
        a1 = a0 + Math.PI / 8,
        ri = 175 + ring * 68,
        ro = ri + 68;
      const p = (r: number, a: number) => `${f(C + r * Math.cos(a))} ${f(C + r * Math.sin(a))}`;
      const am = (a0 + a1) / 2,
        rm = (ri + ro) / 2;
      cells.push(
        cell(
          letter(ring) + (k + 1),
          C + rm * Math.cos(am),
          C + rm * Math.sin(am),
          `M${p(ri, a0)}L${p(ro, a0)}A${ro} ${ro} 0 0 1 ${p(ro, a1)}L${p(ri, a1)}A${ri} ${ri} 0 0 0 ${p(ri, a0)}Z`,
          (ring + k) % 2 ? 2 : 1,
        ),
      );
    }
  const circle = (r: number) =>
    `M${C - r} ${C}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;
  const under: StrokeView[] = [
    { d: circle(307), fill: null, stroke: "frame", width: 302 },
    { d: circle(451), fill: null, stroke: "inlay", width: 2.6 },
    { d: circle(168), fill: null, stroke: "inlay", width: 2.6 },
  ];
  return layout("rings", 920, 920, cells, { under, unit: 68, open: true, pad: 2 });
}

/** Links between sites whose centres are at most `reach` apart. */
export function near(of: LayoutView, reach: number): Site[][] {
  return of.cells.map((a, i) =>
    of.cells.flatMap((b, j) => (i !== j && Math.hypot(a.x - b.x, a.y - b.y) <= reach ? [j] : [])),
  );
}

// ------------------------------------------------------------------ games and states

export function player(name: string, color: PlayerView["color"]): PlayerView {
  return { name, color, isSeat: true, isRandom: false };
}

export function game(
  title: string,
  of: LayoutView,
  kinds: string[],
  looks: (player: Player, kind: Kind) => Partial<LookView>,
  more: Partial<GameView> = {},
): GameView {
  const players = more.players ?? [player("White", "white"), player("Black", "black")];
  const tokens = ["circle", "square", "hexagon", "shield"] as const;
  const make = (letters: boolean): LookView[] =>
    players.flatMap((_, p) =>
      kinds.map((name, k): LookView => ({
        player: p,
        kind: k,
        art: null,
        turn: false,
        letters: name.slice(0, name.length > 6 ? 2 : 1),
        token: tokens[p % 4] ?? "circle",
        tone: players[p]?.color ?? "white",
        notches: Math.floor(p / 4),
        ...(letters ? {} : looks(p, k)),
      })),
    );
  return {
    game: title.toLowerCase(),
    n: 0,
    title,
    gameTitle: title,
    variants: [],
    description: null,
    history: null,
    strategy: null,
    hasSolution: false,
    isPuzzle: false,
    hasDice: false,
    isMenu: false,
    hasTrays: true,
    score: null,
    hasColumns: false,
    passSites: [],
    piles: [],
    progressive: false,
    players,
    kinds: kinds.map((name) => ({
      name,
      notation: "",
      help: null,
      description: null,
      value: null,
      opens: null,
    })),
    layout: of,
    setup: [],
    sets: [
      { id: "turned", title: "Turned", looks: make(false) },
      { id: "letters", title: "Letters", looks: make(true) },
    ],
    images: [],
    links: near(of, 145),
    zones: [],
    options: {
      smartMoves: null,
      showMovesList: null,
      animateCaptures: null,
      animateDrops: null,
      highlightGoals: null,
      flipping: "allowed",
      silentRandomMoves: false,
    },
    sounds: {},
    music: null,
    goals: [],
    diagnostics: [],
    ...more,
  };
}

export function state(more: Partial<StateView> = {}): StateView {
  return {
    node: 0,
    ply: 0,
    pieces: [],
    hands: [],
    mover: 0,
    seat: 0,
    isChance: false,
    moves: [],
    lastSites: [],
    path: [],
    inCheck: [],
    outcome: null,
    text: "",
    ...more,
  };
}

export function walk(
  i: number,
  from: Site,
  to: Site,
  names: CellView[],
  more: Partial<MoveView> = {},
): MoveView {
  const text = `${names[from]?.name} - ${names[to]?.name}`;
  return {
    i,
    short: text,
    long: text,
    from,
    to,
    drop: null,
    promote: null,
    captures: [],
    pass: false,
    partial: false,
    clicks: [],
    effects: [{ type: "walk", from, to }],
    ...more,
  };
}

export function drop(
  i: number,
  kind: Kind,
  by: Player,
  to: Site,
  names: CellView[],
  more: Partial<MoveView> = {},
): MoveView {
  const text = `${kind} ${names[to]?.name}`;
  return {
    i,
    short: text,
    long: text,
    from: null,
    to,
    drop: kind,
    promote: null,
    captures: [],
    pass: false,
    partial: false,
    clicks: [],
    effects: [{ type: "drop", kind, to, player: by }],
    ...more,
  };
}

export type Board = Map<Site, { player: Player; kind: Kind }>;

export const boardOf = (of: StateView): Board =>
  new Map(of.pieces.map((it) => [it.site, { player: it.player, kind: it.kind }]));
export const piecesOf = (board: Board): StateView["pieces"] =>
  [...board].map(([site, piece]) => ({ site, ...piece }));

/** The board after the effects; walks speak of the board before. */
export function after(board: Board, effects: EffectView[]): Board {
  const out = new Map(board);
  for (const it of effects) if (it.type === "capture") out.delete(it.site);
  for (const it of effects) if (it.type === "walk") out.delete(it.from);
  for (const it of effects) {
    if (it.type === "walk" || it.type === "copy") {
      const piece = board.get(it.from);
      if (piece) out.set(it.to, piece);
    }
    if (it.type === "drop") out.set(it.to, { player: it.player, kind: it.kind });
    if (it.type === "become") out.set(it.site, { player: it.player, kind: it.kind });
  }
  return out;
}
