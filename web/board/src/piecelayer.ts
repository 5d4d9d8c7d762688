// The pieces on the board. Each keeps its SVG node until it leaves; a move is the difference of
// two placements, and all its motions run at the same time.
import type { EffectView, Site } from "$protocol";
import { stepsBetween, type Step } from "./diff";
import { set, svg } from "./dom";
import type { Point } from "./outline";
import type { Context } from "./context";
import type { Piece } from "./moves";
import { drawPiece, imageScaleAt } from "./pieces";
import { toBoard } from "./view";

/** How long a captured piece takes to fade, in milliseconds. */
const FADE = 80;
const EASE = "cubic-bezier(.2, .7, .2, 1)";

interface DrawnPiece {
  node: SVGGElement;
  piece: Piece;
  at: Point;
}

export class PieceLayer {
  private drawn = new Map<Site, DrawnPiece>();
  private leaving: SVGGElement[] = [];
  private ghosts: SVGGElement[] = [];
  private motions: Animation[] = [];
  private held: Site | null = null;
  private advancing: Animation | null = null; // goes on when the referee has answered

  constructor(private readonly ctx: Context) {}

  /** Draws a placement without any motion, as after a flip or another piece set. */
  reset(placement: ReadonlyMap<Site, Piece>) {
    for (const node of this.ctx.layers.pieces.querySelectorAll(".bw-piece")) node.remove();
    this.drawn.clear();
    this.held = null;
    this.leaving = [];
    for (const [site, piece] of placement) this.add(site, piece);
    this.drawGone();
  }

  /** Changes to another placement; `ms` 0 means without motion. */
  change(
    before: ReadonlyMap<Site, Piece>,
    after: ReadonlyMap<Site, Piece>,
    effects: readonly EffectView[],
    ms: number,
  ): Step[] {
    this.finish();
    this.held = null;
    const steps = stepsBetween(before, after, effects);
    const old = this.drawn;
    this.drawn = new Map();
    for (const step of steps) this.apply(step, old, ms);
    for (const drawn of old.values()) drawn.node.remove();
    this.drawGone();
    return steps;
  }

  private apply(step: Step, old: Map<Site, DrawnPiece>, ms: number) {
    const drawn = step.type === "stay" || step.type === "walk" ? old.get(step.from) : undefined;
    if (step.type === "fade") this.fade(step, old, ms);
    else if (step.type === "copy") this.copy(step, ms);
    else if (step.type === "drop" || !drawn) this.drop(step, step.type === "drop" ? ms : 0);
    else {
      old.delete(step.from);
      if (step.changes) this.redraw(drawn, step.to, step.piece);
      this.drawn.set(step.to, drawn);
      this.walk(drawn, step.to, ms);
    }
  }

  private copy(step: Extract<Step, { type: "copy" }>, ms: number) {
    const drawn = this.add(step.to, step.piece);
    const origin = this.ctx.geometry?.places[step.from];
    if (!drawn || !origin || ms === 0 || !this.animatesDrops()) return;
    drawn.at = { x: origin.x, y: origin.y };
    this.walk(drawn, step.to, ms);
  }

  /** Moves a piece in from the hand beside the board if that is in sight, else fades it in. */
  private drop(step: { to: Site; piece: Piece }, ms: number) {
    const drawn = this.add(step.to, step.piece);
    if (!drawn || ms === 0 || !this.animatesDrops()) return;
    const spot = this.ctx.hands.map((it) => it.spotOf(step.piece)).find((it) => it !== null);
    if (spot && this.ctx.view.scale <= 1.001) {
      drawn.at = toBoard(this.ctx, spot.x, spot.y);
      this.walk(drawn, step.to, ms);
      return;
    }
    const frames = [
      { opacity: 0, scale: 1.25 },
      { opacity: 1, scale: 1 },
    ];
    const motion = drawn.node.firstElementChild?.animate(frames, { duration: ms, easing: EASE });
    if (motion) this.motions.push(motion);
  }

  private fade(step: Extract<Step, { type: "fade" }>, old: Map<Site, DrawnPiece>, ms: number) {
    const drawn = old.get(step.from);
    if (!drawn) return;
    old.delete(step.from);
    if (ms === 0 || !this.animatesCaptures()) {
      drawn.node.remove();
      return;
    }
    this.leaving.push(drawn.node);
    const exit = this.ctx.geometry?.places[step.to];
    if (step.to !== step.from && exit && !exit.hidden) this.walk(drawn, step.to, ms);
    // below the piece that takes it
    else drawn.node.parentNode?.insertBefore(drawn.node, drawn.node.parentNode.firstChild);
    const fade = drawn.node.animate([{ opacity: 1 }, { opacity: 0 }], {
      duration: Math.min(FADE, ms),
      delay: Math.max(0, ms - FADE),
      fill: "both",
    });
    fade.onfinish = () => drawn.node.remove();
  }

  private animatesCaptures() {
    return this.ctx.settings.animateCaptures ?? this.ctx.game?.options.animateCaptures ?? true;
  }
  private animatesDrops() {
    return this.ctx.settings.animateDrops ?? this.ctx.game?.options.animateDrops ?? true;
  }

  private add(site: Site, piece: Piece): DrawnPiece | null {
    const place = this.ctx.geometry?.places[site];
    if (!place || !this.ctx.looks || place.hidden) return null;
    const node = svg("g", { class: "bw-piece", "data-at": place.name });
    const drawn: DrawnPiece = { node, piece, at: { x: place.x, y: place.y } };
    this.redraw(drawn, site, piece);
    put(node, place);
    this.ctx.layers.pieces.append(node);
    this.drawn.set(site, drawn);
    return drawn;
  }

  private redraw(drawn: DrawnPiece, site: Site, piece: Piece) {
    const { looks, geometry, isPictured } = this.ctx;
    if (!looks || !geometry) return;
    drawn.piece = piece;
    const place = geometry.places[site];
    const unit = isPictured ? (place?.radius ?? geometry.unit / 2) * 2 : geometry.unit;
    const inner = svg(
      "g",
      { class: "bw-piece-body" },
      drawPiece(
        looks,
        piece,
        unit,
        this.ctx.settings.flipped,
        imageScaleAt(looks, geometry, site, isPictured),
      ),
    );
    drawn.node.replaceChildren(inner);
  }

  private walk(drawn: DrawnPiece, to: Site, ms: number) {
    const place = this.ctx.geometry?.places[to];
    if (!place) return;
    const from = drawn.at;
    drawn.at = { x: place.x, y: place.y };
    set(drawn.node, "data-at", place.name);
    put(drawn.node, place);
    if (ms === 0 || (Math.abs(from.x - place.x) < 0.5 && Math.abs(from.y - place.y) < 0.5)) return;
    this.advancing?.finish();
    this.advancing = null;
    // a moving piece is drawn above the others
    drawn.node.parentNode?.append(drawn.node);
    this.motions.push(
      drawn.node.animate([{ transform: at(from) }, { transform: at(place) }], {
        duration: ms,
        easing: EASE,
      }),
    );
  }

  /** Ends all motion: the next move must not start from half way. */
  finish() {
    for (const node of this.leaving) node.remove();
    this.leaving = [];
    for (const motion of this.motions) motion.finish();
    this.motions = [];
  }

  /** Pieces that the unfinished move has taken stay in sight until it ends. */
  private drawGone() {
    const { ctx } = this;
    for (const node of this.ghosts) node.remove();
    this.ghosts = [];
    for (const [site, piece] of ctx.gone) {
      const place = ctx.geometry?.places[site];
      if (!place || !ctx.looks || !ctx.geometry || this.drawn.has(site)) continue;
      const node = svg(
        "g",
        { class: "bw-piece bw-gone" },
        drawPiece(
          ctx.looks,
          piece,
          ctx.geometry.unit,
          ctx.settings.flipped,
          imageScaleAt(ctx.looks, ctx.geometry, site, ctx.isPictured),
        ),
      );
      put(node, place);
      ctx.layers.pieces.prepend(node);
      this.ghosts.push(node);
    }
  }

  /** Shows a piece faintly on its site while it is dragged. */
  ghost(site: Site, on: boolean) {
    this.drawn.get(site)?.node.classList.toggle("bw-ghost", on);
  }

  /** Leaves a piece where it was put until the referee has answered. */
  hold(from: Site, to: Site) {
    const drawn = this.drawn.get(from),
      place = this.ctx.geometry?.places[to];
    if (!drawn || !place) return;
    this.held = from;
    drawn.at = { x: place.x, y: place.y };
    drawn.node.parentNode?.append(drawn.node);
    put(drawn.node, place);
  }

  /** Moves a piece before the referee has answered; one that was dragged is there already. */
  advance(from: Site, to: Site, ms: number) {
    const drawn = this.drawn.get(from);
    if (!drawn || this.held === from) return;
    this.held = from;
    const before = this.motions.length;
    this.walk(drawn, to, ms);
    this.advancing = this.motions.length > before ? (this.motions.pop() ?? null) : null;
  }

  /** The move was refused: the held piece moves back. */
  release(ms: number) {
    const drawn = this.held === null ? undefined : this.drawn.get(this.held);
    if (drawn && this.held !== null) this.walk(drawn, this.held, ms);
    this.held = null;
  }

  /** Moves a piece from where the pointer left it back to its site. */
  glideBack(site: Site, from: Point, ms: number) {
    const drawn = this.drawn.get(site),
      place = this.ctx.geometry?.places[site];
    if (!drawn || !place) return;
    drawn.at = from;
    this.walk(drawn, site, ms);
  }
}

const at = (p: Point) =>
  `translate(${Math.round(p.x * 10) / 10}px, ${Math.round(p.y * 10) / 10}px)`;
// most pieces stay where they are, and a write costs even if it changes nothing
const put = (node: SVGGElement, p: Point) => {
  const text = at(p);
  if (node.style.transform !== text) node.style.transform = text;
};
