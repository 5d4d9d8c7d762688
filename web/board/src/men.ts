// The pieces on the board. Each keeps its node while it lives; a move is the
// difference of two placements, and everything that happens, happens together.
import type { EffectView, Site } from "$protocol";
import { stepsBetween, type Step } from "./diff";
import { set, svg } from "./dom";
import type { Point } from "./geometry";
import type { Context } from "./context";
import type { Piece } from "./moves";
import { drawPiece, imageScaleAt } from "./pieces";
import { toBoard } from "./view";

const FADE = 80;
const EASE = "cubic-bezier(.2, .7, .2, 1)";

interface Man {
  node: SVGGElement;
  piece: Piece;
  at: Point;
}

export class Men {
  private men = new Map<Site, Man>();
  private leaving: SVGGElement[] = [];
  private ghosts: SVGGElement[] = [];
  private motions: Animation[] = [];
  private held: Site | null = null;

  constructor(private readonly ctx: Context) {}

  /** Draws a placement without any motion, as after a flip or another piece set. */
  reset(placement: ReadonlyMap<Site, Piece>) {
    for (const node of this.ctx.layers.pieces.querySelectorAll(".bw-piece")) node.remove();
    this.men.clear();
    this.held = null;
    this.leaving = [];
    for (const [site, piece] of placement) this.add(site, piece);
    this.drawGone();
  }

  /** Goes over to another placement; `ms` 0 means at once. */
  change(
    before: ReadonlyMap<Site, Piece>,
    after: ReadonlyMap<Site, Piece>,
    effects: readonly EffectView[],
    ms: number,
  ): Step[] {
    this.finish();
    this.held = null;
    const steps = stepsBetween(before, after, effects);
    const old = this.men;
    this.men = new Map();
    for (const step of steps) this.take(step, old, ms);
    for (const man of old.values()) man.node.remove();
    this.drawGone();
    return steps;
  }

  private take(step: Step, old: Map<Site, Man>, ms: number) {
    switch (step.type) {
      case "stay":
      case "walk": {
        const man = old.get(step.from);
        if (!man) {
          this.add(step.to, step.piece);
          return;
        }
        old.delete(step.from);
        if (step.changes) this.redraw(man, step.to, step.piece);
        this.men.set(step.to, man);
        this.walk(man, step.to, ms);
        return;
      }
      case "copy": {
        const man = this.add(step.to, step.piece);
        const origin = this.ctx.face?.places[step.from];
        if (man && origin && ms > 0 && this.animatesDrops()) {
          man.at = { x: origin.x, y: origin.y };
          this.walk(man, step.to, ms);
        }
        return;
      }
      case "drop": {
        const man = this.add(step.to, step.piece);
        if (!man || ms === 0 || !this.animatesDrops()) return;
        const spot = this.ctx.hands.map((it) => it.spotOf(step.piece)).find((it) => it !== null);
        if (spot && this.ctx.view.scale <= 1.001) {
          man.at = toBoard(this.ctx, spot.x, spot.y);
          this.walk(man, step.to, ms);
        } else {
          const motion = man.node.firstElementChild?.animate(
            [
              { opacity: 0, scale: 1.25 },
              { opacity: 1, scale: 1 },
            ],
            { duration: ms, easing: EASE },
          );
          if (motion) this.motions.push(motion);
        }
        return;
      }
      case "fade": {
        const man = old.get(step.from);
        if (!man) return;
        old.delete(step.from);
        if (ms === 0 || !this.animatesCaptures()) {
          man.node.remove();
          return;
        }
        this.leaving.push(man.node);
        const exit = this.ctx.face?.places[step.to];
        if (step.to !== step.from && exit && !exit.hidden) this.walk(man, step.to, ms);
        // below the piece that takes it
        else man.node.parentNode?.insertBefore(man.node, man.node.parentNode.firstChild);
        const fade = man.node.animate([{ opacity: 1 }, { opacity: 0 }], {
          duration: Math.min(FADE, ms),
          delay: Math.max(0, ms - FADE),
          fill: "both",
        });
        fade.onfinish = () => man.node.remove();
      }
    }
  }

  private animatesCaptures() {
    return this.ctx.settings.animateCaptures ?? this.ctx.game?.options.animateCaptures ?? true;
  }
  private animatesDrops() {
    return this.ctx.settings.animateDrops ?? this.ctx.game?.options.animateDrops ?? true;
  }

  private add(site: Site, piece: Piece): Man | null {
    const place = this.ctx.face?.places[site];
    if (!place || !this.ctx.looks || place.hidden) return null;
    const node = svg("g", { class: "bw-piece", "data-at": place.name });
    const man: Man = { node, piece, at: { x: place.x, y: place.y } };
    this.redraw(man, site, piece);
    put(node, place);
    this.ctx.layers.pieces.append(node);
    this.men.set(site, man);
    return man;
  }

  private redraw(man: Man, site: Site, piece: Piece) {
    const { looks, face, isPictured } = this.ctx;
    if (!looks || !face) return;
    man.piece = piece;
    const place = face.places[site];
    const unit = isPictured ? (place?.radius ?? face.unit / 2) * 2 : face.unit;
    const inner = svg(
      "g",
      { class: "bw-man" },
      drawPiece(
        looks,
        piece,
        unit,
        this.ctx.settings.flipped,
        imageScaleAt(looks, face, site, isPictured),
      ),
    );
    man.node.replaceChildren(inner);
  }

  private walk(man: Man, to: Site, ms: number) {
    const place = this.ctx.face?.places[to];
    if (!place) return;
    const from = man.at;
    man.at = { x: place.x, y: place.y };
    set(man.node, "data-at", place.name);
    put(man.node, place);
    if (ms === 0 || (Math.abs(from.x - place.x) < 0.5 && Math.abs(from.y - place.y) < 0.5)) return;
    // what moves passes over what stands
    man.node.parentNode?.append(man.node);
    this.motions.push(
      man.node.animate([{ transform: at(from) }, { transform: at(place) }], {
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
      const place = ctx.face?.places[site];
      if (!place || !ctx.looks || !ctx.face || this.men.has(site)) continue;
      const node = svg(
        "g",
        { class: "bw-piece bw-gone" },
        drawPiece(
          ctx.looks,
          piece,
          ctx.face.unit,
          ctx.settings.flipped,
          imageScaleAt(ctx.looks, ctx.face, site, ctx.isPictured),
        ),
      );
      put(node, place);
      ctx.layers.pieces.prepend(node);
      this.ghosts.push(node);
    }
  }

  /** While a piece is in the hand, its place keeps a ghost. */
  ghost(site: Site, on: boolean) {
    this.men.get(site)?.node.classList.toggle("bw-ghost", on);
  }

  /** Leaves a piece where it was put until the referee has answered. */
  hold(from: Site, to: Site) {
    const man = this.men.get(from),
      place = this.ctx.face?.places[to];
    if (!man || !place) return;
    this.held = from;
    man.at = { x: place.x, y: place.y };
    man.node.parentNode?.append(man.node);
    put(man.node, place);
  }

  /** The answer was no: what was held goes home. */
  release(ms: number) {
    const man = this.held === null ? undefined : this.men.get(this.held);
    if (man && this.held !== null) this.walk(man, this.held, ms);
    this.held = null;
  }

  /** Where a glide back from the pointer begins. */
  glideBack(site: Site, from: Point, ms: number) {
    const man = this.men.get(site),
      place = this.ctx.face?.places[site];
    if (!man || !place) return;
    man.at = from;
    this.walk(man, site, ms);
  }
}

const at = (p: Point) =>
  `translate(${Math.round(p.x * 10) / 10}px, ${Math.round(p.y * 10) / 10}px)`;
// most pieces stay where they are, and a write costs even if it changes nothing
const put = (node: SVGGElement, p: Point) => {
  const text = at(p);
  if (node.style.transform !== text) node.style.transform = text;
};
