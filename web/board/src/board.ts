// Wires the parts: the page gives a game and states, the board draws and listens.
import type { GameView, ImageSet, MoveView, Player, Site, StateView } from "$protocol";
import { openChoice, type Choice } from "./choice";
import { mayMove, type Context, type Layers } from "./context";
import { freshId, html, svg } from "./dom";
import { faceOf, groundOfImages, groundOfLayout } from "./geometry";
import { makeHand, type Hand, type HandOptions } from "./hand";
import { Keys } from "./keys";
import { arrange } from "./levels";
import { Loupe } from "./loupe";
import { Minimap } from "./map";
import { drawMarks, forgetMarks } from "./marks";
import { Men } from "./men";
import {
  canPick,
  distinct,
  movesFrom,
  placementOf,
  sameSource,
  type Piece,
  type Source,
} from "./moves";
import { looksOf, pieceIcon } from "./pieces";
import { Pointer } from "./pointer";
import { drawScene } from "./scene";
import { Sites } from "./sites";
import { tellEffects } from "./speech";
import { DEFAULTS, type BoardOptions, type Settings, type ShowOptions } from "./types";
import { applyView, newView, reveal } from "./view";
import { ENGLISH } from "./words";

export interface Board {
  setGame(game: GameView): void;
  show(state: StateView, how?: ShowOptions): void;
  /** Numbers of the seats that this screen may move for. */
  setSeats(seats: number[]): void;
  set(settings: Partial<Settings>): void;
  createHand(host: HTMLElement, options: HandOptions): Hand;
  /** A palette outside the board hands over a pressed piece (edit mode). */
  carry(piece: Piece, event: PointerEvent): void;
  icon(piece: Piece): SVGSVGElement | null;
  select(site: Site | null): void;
  focus(site?: Site): void;
  fit(): void;
  /** Whether the author's pictures are shown now. */
  readonly isPictured: boolean;
  /** Width by height of board and frame; also set as --ratio on the host. */
  readonly ratio: number;
  destroy(): void;
}

const SLIM_BELOW = 480;

// eslint-disable-next-line max-lines-per-function -- to be split
export function createBoard(host: HTMLElement, options: BoardOptions = {}): Board {
  const worldId = freshId("world"),
    groundId = freshId("ground");
  const layers = makeLayers(worldId, groundId);
  host.append(layers.root);
  let choice: Choice | null = null;
  let continueTimer = 0;

  const ctx: Context = {
    layers,
    options,
    words: options.words ?? ENGLISH,
    settings: { ...DEFAULTS, ...pick(options) },
    game: null,
    state: null,
    placement: new Map(),
    seats: [],
    layout: null,
    face: null,
    looks: null,
    isPictured: false,
    isSlim: false,
    selected: null,
    hover: null,
    pointed: null,
    over: null,
    carried: null,
    cursor: null,
    isCursorShown: false,
    isPointing: false,
    drawn: [],
    gone: new Map(),
    view: newView(),
    hands: [],
    refreshMarks: () => drawMarks(ctx),
    focus: (site) => sites.focus(site),
    select,
    play,
  };
  const men = new Men(ctx);
  const sites = new Sites(ctx);
  const keys = new Keys(ctx, sites);
  const loupe = new Loupe(ctx, worldId, (site) => pointer.click(site, false));
  const pointer = new Pointer(ctx, men, loupe);
  const map = new Minimap(ctx, groundId);
  const help = html("p", { class: "bw-sr", id: freshId("keys") });
  help.textContent = ctx.words.keys;
  layers.root.append(help);
  layers.root.setAttribute("aria-describedby", help.id);
  const observer = new ResizeObserver(() => resize());
  observer.observe(host);

  function refresh() {
    drawMarks(ctx);
    sites.update();
    map.update();
    for (const hand of ctx.hands) hand.refresh();
  }

  /** Builds everything that hangs on the geometry. */
  function rebuild() {
    const { game, settings } = ctx;
    if (!game) return;
    const images = imagesOf(game, settings);
    ctx.isPictured = images?.board != null;
    const layout = (ctx.layout = arrange(game.layout, ctx.isSlim));
    ctx.looks = looksOf(game, settings.pieceSet, images);
    const ground =
      images && ctx.isPictured ? groundOfImages(images, layout) : groundOfLayout(layout);
    ctx.face = faceOf(
      ground,
      settings.flipped,
      game.options.flipping,
      fixedSites(game, ctx.placement),
    );
    const scene = drawScene(layout, ctx.face, {
      slim: ctx.isSlim,
      coordinates: settings.coordinates,
      picture: ctx.isPictured ? (images?.board ?? null) : null,
    });
    layers.ground.replaceChildren(scene.ground);
    layers.coords.replaceChildren(scene.coords);
    ctx.view.full = scene.box;
    host.style.setProperty(
      "--ratio",
      String(Math.round((scene.box.width / scene.box.height) * 10000) / 10000),
    );
    forgetMarks(ctx);
    sites.build();
    men.reset(ctx.placement);
    applyView(ctx);
    refresh();
  }

  function resize() {
    const width = host.clientWidth;
    if (!width) return;
    // some slack, so that a board whose width hangs on its own ratio cannot flicker
    const isSlim = ctx.isSlim ? width < SLIM_BELOW + 40 : width < SLIM_BELOW;
    if (isSlim !== ctx.isSlim) {
      ctx.isSlim = isSlim;
      rebuild();
    } else applyView(ctx);
    loupe.hide();
    choice?.close();
    choice = null;
  }

  function select(source: Source | null, quiet = false) {
    if (sameSource(source, ctx.selected)) return;
    ctx.selected = source;
    if (!quiet) options.onSound?.(source ? "click" : "release");
    options.onSelect?.(source?.type === "site" ? source.site : null);
    refresh();
  }

  /** Several moves share the click: the player says which. */
  function play(moves: MoveView[], site: Site | null) {
    choice?.close();
    choice = null;
    const only = moves[0];
    if (!only) return;
    if (moves.length === 1) {
      send(only, site);
      return;
    }
    const hadFocus = layers.root.contains(document.activeElement);
    choice = openChoice(ctx, moves, site, (move) => {
      choice = null;
      if (hadFocus && site !== null) sites.focus(site);
      if (move) {
        send(move, site);
        return;
      }
      ctx.selected = unfinished();
      men.reset(ctx.placement);
      refresh();
    });
  }

  function send(move: MoveView, site: Site | null) {
    ctx.selected = null;
    loupe.hide();
    // after a move the focus stays on the arrival site
    if (move.to !== null && site !== null && layers.root.contains(document.activeElement))
      sites.focus(move.to);
    refresh();
    options.onMove?.(move);
  }

  function show(state: StateView, how: ShowOptions = {}) {
    window.clearTimeout(continueTimer);
    choice?.close();
    choice = null;
    const before = ctx.placement,
      wasOver = ctx.state?.outcome ?? null;
    const after = placementOf(state);
    const effects = how.effects ?? [];
    const isFirst = ctx.state === null;
    ctx.state = state;
    ctx.placement = after;
    keepGone(state, before, after, effects.length > 0);
    ctx.selected = null;
    ctx.hover = null;
    ctx.pointed = null;
    if (isFirst && ctx.game?.options.flipping === "sitesOnlyTight") rebuild();
    else if (isFirst || !ctx.face) men.reset(after);
    else men.change(before, after, effects, how.animate === false ? 0 : duration());
    ctx.selected = unfinished();
    refresh();
    const last = state.lastSites[state.lastSites.length - 1];
    if (last !== undefined && effects.length && !how.own) reveal(ctx, last);
    if (effects.length) tell(state, before, effects, how, wasOver !== null);
    goOn();
  }

  function duration(): number {
    if (window.matchMedia("(prefers-reduced-motion: reduce)").matches || document.hidden) return 0;
    return Math.max(0, Math.min(600, ctx.settings.animationMs));
  }

  /** What the steps of an unfinished move have taken so far. */
  function keepGone(
    state: StateView,
    before: ReadonlyMap<Site, Piece>,
    after: ReadonlyMap<Site, Piece>,
    isStep: boolean,
  ) {
    const gone = new Map(state.path.length ? ctx.gone : []);
    if (state.path.length && isStep)
      for (const [site, piece] of before)
        if (!after.has(site) && !state.path.includes(site)) gone.set(site, piece);
    for (const site of [...gone.keys()]) if (after.has(site)) gone.delete(site);
    ctx.gone = gone;
  }

  /** The piece that must go on is picked up by itself. */
  function unfinished(): Source | null {
    const site = ctx.state?.path[ctx.state.path.length - 1];
    if (site === undefined || !ctx.state || !mayMove(ctx)) return null;
    const source: Source = { type: "site", site };
    return canPick(ctx.state.moves, source) ? source : null;
  }

  /** If only one continuation exists, it is played after a moment. */
  function goOn() {
    const state = ctx.state;
    if (!state?.path.length || !ctx.settings.autoContinue || !mayMove(ctx)) return;
    const [move, other] = distinct(state.moves, ctx.placement);
    if (!move || other || move.pass) return;
    window.clearTimeout(continueTimer);
    continueTimer = window.setTimeout(() => {
      if (ctx.state === state && mayMove(ctx)) send(move, null);
    }, 300);
  }

  function tell(
    state: StateView,
    before: ReadonlyMap<Site, Piece>,
    effects: NonNullable<ShowOptions["effects"]>,
    how: ShowOptions,
    wasOver: boolean,
  ) {
    const has = (type: string) => effects.some((it) => it.type === type);
    const took =
      has("capture") ||
      effects.some(
        (it) =>
          it.type === "walk" &&
          before.has(it.to) &&
          !effects.some((other) => other.type === "walk" && other.from === it.to),
      );
    options.onSound?.(
      took ? "capture" : has("drop") || has("copy") ? "drop" : has("walk") ? "move" : "change",
    );
    if (!how.own) {
      const text = tellEffects(ctx, before, state, effects);
      if (text) options.onAnnounce?.(text, false);
    }
    if (state.outcome && !wasOver) {
      options.onAnnounce?.(
        [state.outcome.text, state.outcome.why].filter(Boolean).join(": "),
        true,
      );
      options.onSound?.(outcomeSound(state));
    }
  }

  function outcomeSound(state: StateView): "win" | "loss" | "draw" {
    const { winners, losers } = state.outcome ?? { winners: [], losers: [] };
    if (!winners.length && !losers.length) return "draw";
    const seated = (ctx.game?.players ?? [])
      .map((it, player) => ({ it, player }))
      .filter((it) => it.it.isSeat);
    const mine = ctx.seats.map((seat) => seated[seat]?.player as Player);
    if (winners.length) return winners.some((it) => mine.includes(it)) ? "win" : "loss";
    return losers.every((it) => mine.includes(it)) && losers.length ? "loss" : "win";
  }

  function apply(next: Partial<Settings>) {
    const before = ctx.settings;
    ctx.settings = { ...before, ...next };
    const changed = (names: (keyof Settings)[]) =>
      names.some((it) => before[it] !== ctx.settings[it]);
    if (changed(["theme"])) applyTheme();
    if (ctx.settings.disabled || changed(["editing"])) ctx.selected = unfinished();
    else if (changed(["disabled"])) resume();
    if (changed(["pieceSet", "useImages", "imageSet", "flipped", "coordinates"])) rebuild();
    else refresh();
  }

  /** The player may move again: an unfinished move goes on where it was. */
  function resume() {
    men.release(Math.min(120, duration()));
    ctx.selected ??= unfinished();
    goOn();
  }

  function applyTheme() {
    if (ctx.settings.theme) layers.root.dataset["board"] = ctx.settings.theme;
    else delete layers.root.dataset["board"];
  }

  applyTheme();
  return {
    setGame(game) {
      ctx.game = game;
      ctx.state = null;
      ctx.placement = new Map();
      ctx.gone = new Map();
      ctx.selected = ctx.hover = ctx.over = null;
      ctx.cursor = null;
      ctx.drawn = [];
      ctx.view.scale = 1;
      ctx.isSlim = host.clientWidth > 0 && host.clientWidth < SLIM_BELOW;
      rebuild();
    },
    show,
    setSeats(seats) {
      ctx.seats = seats;
      if (!mayMove(ctx)) ctx.selected = null;
      else resume();
      refresh();
    },
    set: apply,
    createHand: (where, handOptions) => makeHand(ctx, pointer, where, handOptions),
    carry(piece, event) {
      pointer.takeOver(event, { type: "hand", ...piece });
    },
    icon: (piece) => (ctx.looks ? pieceIcon(ctx.looks, piece, ctx.settings.flipped) : null),
    select(site) {
      if (site === null) select(null);
      else if (ctx.state && movesFrom(ctx.state.moves, { type: "site", site }).length)
        select({ type: "site", site });
    },
    focus(site) {
      sites.focus(site ?? ctx.cursor ?? 0);
    },
    fit() {
      ctx.view.scale = 1;
      applyView(ctx);
    },
    get isPictured() {
      return ctx.isPictured;
    },
    get ratio() {
      return ctx.view.full.width / ctx.view.full.height;
    },
    destroy() {
      window.clearTimeout(continueTimer);
      observer.disconnect();
      choice?.close();
      keys.destroy();
      pointer.destroy();
      window.clearTimeout(ctx.view.timer);
      layers.root.remove();
    },
  };
}

/** The names of settings, so that options and callbacks can come in one object. */
function pick(options: BoardOptions): Partial<Settings> {
  return Object.fromEntries(
    Object.keys(DEFAULTS)
      .filter((it) => it in options)
      .map((it) => [it, options[it as keyof Settings]]),
  );
}

function imagesOf(game: GameView, settings: Settings): ImageSet | null {
  if (!settings.useImages || !game.images.length) return null;
  const n = game.images.length;
  return game.images[((settings.imageSet % n) + n) % n] ?? null;
}

/** Sites that a tight flip leaves alone: dummies and those that open something. */
function fixedSites(game: GameView, placement: ReadonlyMap<Site, Piece>): Set<Site> {
  const fixed = new Set<Site>();
  game.layout.cells.forEach((cell, site) => {
    if (cell.hidden) fixed.add(site);
  });
  for (const [site, piece] of placement) if (game.kinds[piece.kind]?.opens) fixed.add(site);
  return fixed;
}

function makeLayers(worldId: string, groundId: string): Layers {
  const group = (name: string) => svg("g", { class: `bw-layer-${name}` });
  const ground = group("ground"),
    last = group("last"),
    selected = group("select"),
    pieces = group("pieces"),
    coords = group("coords");
  const targets = group("targets"),
    arrows = group("arrows"),
    hover = group("hover"),
    cursor = group("cursor"),
    sites = group("sites");
  ground.id = groundId;
  const world = svg(
    "g",
    { id: worldId, class: "bw-world" },
    ground,
    coords,
    last,
    selected,
    pieces,
  );
  const root = svg(
    "svg",
    { class: "bw-svg", role: "presentation", preserveAspectRatio: "xMidYMid meet" },
    world,
    targets,
    arrows,
    hover,
    cursor,
    sites,
  );
  const box = html("div", {
    class: "bw-board",
    role: "application",
    "aria-roledescription": "board",
  });
  const clip = html("div", { class: "bw-clip" });
  clip.append(root);
  box.append(clip);
  return {
    root: box,
    clip,
    svg: root,
    world,
    ground,
    last,
    select: selected,
    pieces,
    coords,
    targets,
    arrows,
    hover,
    cursor,
    sites,
  };
}
