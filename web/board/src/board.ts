// Wires the parts: the page gives a game and states, the board draws and listens.
import type { GameView, ImageSet, MoveView, Site, StateView, TrimView } from "$protocol";
import { mayMove, type Context } from "./context";
import { freshId, html } from "./dom";
import { MoveEntry } from "./entry";
import { geometryOf, shapeOfImages, shapeOfLayout } from "./geometry";
import { makeHand, type Hand, type HandOptions } from "./hand";
import { Keys } from "./keys";
import { makeLayers } from "./layers";
import { arrange } from "./levels";
import { Loupe } from "./loupe";
import { Minimap } from "./map";
import { drawMarks, forgetMarks } from "./marks";
import {
  movesFrom,
  placementOf,
  sameSource,
  type Piece,
  type Placement,
  type Source,
} from "./moves";
import { PieceLayer } from "./piecelayer";
import { looksOf, pieceIcon } from "./pieces";
import { Pointer } from "./pointer";
import { reportMove } from "./report";
import { drawScene } from "./scene";
import { Sites } from "./sites";
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
  /** Undoes zoom. */
  fit(): void;
  /** Whether the author's pictures are shown now. */
  readonly isPictured: boolean;
  /** Width by height of board and frame; also set as --ratio on the host. */
  readonly ratio: number;
  destroy(): void;
}

export const createBoard = (host: HTMLElement, options: BoardOptions = {}): Board =>
  new BoardWidget(host, options);

/** Below this width in pixels the frame is narrow and levels stand in columns. */
const SLIM_BELOW = 480;
/** Slack, so that a board whose width depends on its own ratio cannot flicker. */
const SLIM_SLACK = 40;
/** The longest time of a motion, and of one that takes a refused move back, in milliseconds. */
const MAX_MOTION = 600;
const MAX_RELEASE = 120;

class BoardWidget implements Board {
  private readonly ctx: Context;
  private readonly entry: MoveEntry;
  private readonly pieces: PieceLayer;
  private readonly sites: Sites;
  private readonly keys: Keys;
  private readonly loupe: Loupe;
  private readonly pointer: Pointer;
  private readonly map: Minimap;
  private readonly observer: ResizeObserver;

  constructor(
    private readonly host: HTMLElement,
    options: BoardOptions,
  ) {
    const worldId = freshId("world");
    const groundId = freshId("ground");
    const ctx = newContext(worldId, groundId, options);
    this.ctx = ctx;
    ctx.refreshMarks = () => drawMarks(ctx);
    ctx.focus = (site) => this.sites.focus(site);
    ctx.select = (source, quiet) => this.pick(source, quiet);
    ctx.play = (moves, site) => this.entry.play(moves, site);
    this.entry = new MoveEntry(
      ctx,
      (move) => this.beforeSend(move),
      () => this.putBack(),
    );
    this.pieces = new PieceLayer(ctx);
    this.sites = new Sites(ctx);
    this.keys = new Keys(ctx, this.sites);
    this.loupe = new Loupe(ctx, worldId, (site) => this.pointer.click(site, false));
    this.pointer = new Pointer(ctx, this.pieces, this.loupe);
    this.map = new Minimap(ctx, groundId);
    host.append(ctx.layers.root);
    describeKeys(ctx);
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(host);
    this.applyTheme();
  }

  setGame(game: GameView) {
    const { ctx, host } = this;
    ctx.game = game;
    ctx.state = null;
    ctx.placement = new Map();
    ctx.gone = new Map();
    ctx.selected = ctx.hover = ctx.over = null;
    ctx.cursor = null;
    ctx.lastMove = "";
    ctx.drawn = [];
    ctx.view.scale = 1;
    ctx.isSlim = host.clientWidth > 0 && host.clientWidth < SLIM_BELOW;
    this.rebuild();
  }

  show(state: StateView, how: ShowOptions = {}) {
    const { ctx } = this;
    this.entry.cancel();
    const before = ctx.placement;
    const wasOver = ctx.state?.outcome != null;
    const isFirst = ctx.state === null;
    const effects = how.effects ?? [];
    ctx.state = state;
    ctx.placement = placementOf(state);
    ctx.gone = takenSoFar(ctx, before, effects.length > 0);
    ctx.selected = null;
    ctx.hover = null;
    ctx.pointed = null;
    if (isFirst && ctx.game?.options.flipping === "sitesOnlyTight") this.rebuild();
    else if (isFirst || !ctx.geometry) this.pieces.reset(ctx.placement);
    else
      this.pieces.change(before, ctx.placement, effects, how.animate === false ? 0 : this.duration);
    ctx.selected = this.entry.unfinished();
    this.refresh();
    const isOwn = how.own === true;
    const last = state.lastSites[state.lastSites.length - 1];
    if (last !== undefined && effects.length && !isOwn) reveal(ctx, last);
    if (effects.length) reportMove(ctx, state, { before, effects, isOwn, wasOver });
    this.entry.continueAlone();
  }

  setSeats(seats: number[]) {
    this.ctx.seats = seats;
    if (mayMove(this.ctx)) this.resume();
    else this.ctx.selected = null;
    this.refresh();
  }

  set(next: Partial<Settings>) {
    const { ctx } = this;
    const before = ctx.settings;
    ctx.settings = { ...before, ...next };
    const changed = (...names: (keyof Settings)[]) =>
      names.some((it) => before[it] !== ctx.settings[it]);
    if (changed("theme")) this.applyTheme();
    if (ctx.settings.disabled || changed("editing")) ctx.selected = this.entry.unfinished();
    else if (changed("disabled")) this.resume();
    if (changed("pieceSet", "useImages", "imageSet", "flipped", "coordinates")) this.rebuild();
    else this.refresh();
  }

  createHand(where: HTMLElement, options: HandOptions): Hand {
    return makeHand(this.ctx, this.pointer, where, options);
  }

  carry(piece: Piece, event: PointerEvent) {
    this.pointer.takeOver(event, { type: "hand", ...piece });
  }

  icon(piece: Piece): SVGSVGElement | null {
    const { looks, settings } = this.ctx;
    return looks && pieceIcon(looks, piece, settings.flipped);
  }

  select(site: Site | null) {
    const source: Source | null = site === null ? null : { type: "site", site };
    const isPickable =
      source !== null && this.ctx.state && movesFrom(this.ctx.state.moves, source).length > 0;
    if (source === null || isPickable) this.pick(source);
  }

  focus(site?: Site) {
    this.sites.focus(site ?? this.ctx.cursor ?? 0);
  }

  fit() {
    this.ctx.view.scale = 1;
    applyView(this.ctx);
  }

  get isPictured() {
    return this.ctx.isPictured;
  }

  get ratio() {
    const { full } = this.ctx.view;
    return full.width / full.height;
  }

  destroy() {
    this.entry.cancel();
    this.observer.disconnect();
    this.keys.destroy();
    this.pointer.destroy();
    window.clearTimeout(this.ctx.view.timer);
    this.ctx.layers.root.remove();
  }

  /** Brings everything up to date that depends on the selection or the settings. */
  private refresh() {
    drawMarks(this.ctx);
    this.sites.update();
    this.map.update();
    for (const hand of this.ctx.hands) hand.refresh();
  }

  /** Builds everything that depends on the geometry. */
  private rebuild() {
    const { ctx } = this;
    const { game, settings, layers } = ctx;
    if (!game) return;
    const images = imagesOf(game, settings);
    const picture = images?.board ?? null;
    ctx.isPictured = picture !== null;
    const layout = (ctx.layout = arrange(game.layout, ctx.isSlim));
    ctx.looks = looksOf(game, settings.pieceSet, images);
    const shape = images && picture ? shapeOfImages(images, layout) : shapeOfLayout(layout);
    const fixed = fixedSites(game, ctx.placement);
    ctx.geometry = geometryOf(shape, settings.flipped, game.options.flipping, fixed);
    const scene = drawScene(layout, ctx.geometry, {
      slim: ctx.isSlim,
      coordinates: settings.coordinates,
      picture: picture === null ? null : images,
      flipped: settings.flipped,
    });
    trimOf(layers.root, layout.trim);
    layers.ground.replaceChildren(scene.ground);
    layers.coords.replaceChildren(scene.coords);
    ctx.view.full = scene.box;
    this.host.style.setProperty("--ratio", String(Math.round(this.ratio * 10000) / 10000));
    forgetMarks(ctx);
    this.sites.build();
    this.pieces.reset(ctx.placement);
    applyView(ctx);
    this.refresh();
  }

  private resize() {
    const { ctx } = this;
    const width = this.host.clientWidth;
    if (!width) return;
    const isSlim = width < SLIM_BELOW + (ctx.isSlim ? SLIM_SLACK : 0);
    if (isSlim === ctx.isSlim) applyView(ctx);
    else {
      ctx.isSlim = isSlim;
      this.rebuild();
    }
    this.loupe.hide();
    this.entry.closeChoice();
  }

  private pick(source: Source | null, quiet = false) {
    const { ctx } = this;
    if (sameSource(source, ctx.selected)) return;
    ctx.selected = source;
    if (!quiet) ctx.options.onSound?.(source ? "click" : "release");
    ctx.options.onSelect?.(source?.type === "site" ? source.site : null);
    this.refresh();
  }

  /** Shows the move at once; whoever refuses it shows the state again. */
  private beforeSend(move: MoveView) {
    this.loupe.hide();
    const first = move.effects[0];
    if (first?.type === "walk") this.pieces.advance(first.from, first.to, this.duration);
    this.refresh();
  }

  /** No move was chosen: the piece goes back. */
  private putBack() {
    this.ctx.selected = this.entry.unfinished();
    this.pieces.reset(this.ctx.placement);
    this.refresh();
  }

  /** The player may move again: an unfinished move goes on where it was. */
  private resume() {
    this.pieces.release(Math.min(MAX_RELEASE, this.duration));
    this.ctx.selected ??= this.entry.unfinished();
    this.entry.continueAlone();
  }

  /** How long a motion lasts, in milliseconds. */
  private get duration(): number {
    if (window.matchMedia("(prefers-reduced-motion: reduce)").matches || document.hidden) return 0;
    return Math.max(0, Math.min(MAX_MOTION, this.ctx.settings.animationMs));
  }

  private applyTheme() {
    const { theme } = this.ctx.settings;
    const { dataset } = this.ctx.layers.root;
    if (theme) dataset["board"] = theme;
    else delete dataset["board"];
  }
}

/** A context without a game; its callbacks do nothing until the board sets them. */
function newContext(worldId: string, groundId: string, options: BoardOptions): Context {
  return {
    layers: makeLayers(worldId, groundId),
    options,
    words: options.words ?? ENGLISH,
    settings: { ...DEFAULTS, ...settingsIn(options) },
    game: null,
    state: null,
    placement: new Map(),
    seats: [],
    layout: null,
    geometry: null,
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
    lastMove: "",
    drawn: [],
    gone: new Map(),
    view: newView(),
    hands: [],
    refreshMarks: () => {},
    focus: () => {},
    select: () => {},
    play: () => {},
  };
}

/** Settings may come in one object with callbacks. */
function settingsIn(options: BoardOptions): Partial<Settings> {
  const names = Object.keys(DEFAULTS).filter((it) => it in options);
  return Object.fromEntries(names.map((it) => [it, options[it as keyof Settings]]));
}

/** Lets screen readers tell which keys the board knows. */
function describeKeys({ layers, words }: Context) {
  const help = html("p", { class: "bw-sr", id: freshId("keys") }, words.keys);
  layers.root.append(help);
  layers.root.setAttribute("aria-describedby", help.id);
}

/** The author's colours of the frame, its labels and the last move, in place of the theme's. */
function trimOf(root: HTMLElement, trim: TrimView | null) {
  const put = (name: string, value: string | null | undefined) => {
    if (value) root.style.setProperty(name, value);
    else root.style.removeProperty(name);
  };
  put("--b-frame", trim?.border);
  put("--b-inlay", trim?.border);
  put("--b-coord", trim?.text);
  put("--b-last", trim?.last && `color-mix(in srgb, ${trim.last} 55%, transparent)`);
  put("--bw-coord-font", trim?.font && `"${trim.font}", ${trim.font}`);
}

function imagesOf(game: GameView, settings: Settings): ImageSet | null {
  const n = game.images.length;
  if (!settings.useImages || !n) return null;
  return game.images[((settings.imageSet % n) + n) % n] ?? null;
}

/** Sites that a tight flip leaves alone: dummies and those that open something. */
function fixedSites(game: GameView, placement: Placement): Set<Site> {
  const fixed = new Set<Site>();
  game.layout.cells.forEach((cell, site) => {
    if (cell.hidden) fixed.add(site);
  });
  for (const [site, piece] of placement) if (game.kinds[piece.kind]?.opens) fixed.add(site);
  return fixed;
}

/** What the steps of an unfinished move have captured so far. */
function takenSoFar(ctx: Context, before: Placement, isStep: boolean): Map<Site, Piece> {
  const path = ctx.state?.path ?? [];
  const gone = new Map(path.length ? ctx.gone : []);
  if (path.length && isStep) {
    for (const [site, piece] of before)
      if (!ctx.placement.has(site) && !path.includes(site)) gone.set(site, piece);
  }
  for (const site of [...gone.keys()]) if (ctx.placement.has(site)) gone.delete(site);
  return gone;
}
