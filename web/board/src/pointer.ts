// Mouse, pen and finger. A press picks up at once; a drag begins after a few pixels;
// everything else is decided on release, by the list of legal moves.
import type { MoveView, Site } from "$protocol";
import { carry, type Carried } from "./carry";
import { isSmart, mayMove, pieceOf, type Context } from "./context";
import { editDrop, editPress } from "./edit";
import { canPick, decide, movesBetween, sameSource, distinct, type Source } from "./moves";
import { refuse } from "./refuse";
import type { Loupe } from "./loupe";
import type { PieceLayer } from "./piecelayer";
import { meantSite, pileMoves } from "./piles";
import { applyView, centerOn, pixelScale, siteAt, toBoard, zoomAt } from "./view";

const LONG_PRESS = 500;
const SMALL = 28; // pixels; below, a finger needs the loupe
const DOUBLE_TAP = 300;
/** How far a dragged piece is drawn above the finger that would hide it; the finger decides. */
const LIFT = 24; // pixels

interface Press {
  id: number;
  x: number;
  y: number;
  site: Site | null;
  isTouch: boolean;
  isFresh: boolean; // this press has picked the piece up
  source: Source | null; // what a drag would carry
  carried: Carried | null;
  timer: number;
  isSpent: boolean; // a long press or the loupe has used it
  pile: MoveView[] | null; // the moves that it means, if a pile was pressed
}

export class Pointer {
  private press: Press | null = null;
  private drawFrom: Site | null = null;
  private pan: { x: number; y: number } | null = null;
  private readonly fingers = new Map<number, { x: number; y: number }>();
  private pinch: { gap: number; x: number; y: number } | null = null;
  private hovered: Site | null = null;
  private lastTap = { time: 0, site: null as Site | null };
  private swallow: { site: Site; until: number } | null = null;
  private readonly stop = new AbortController();

  constructor(
    private readonly ctx: Context,
    private readonly pieces: PieceLayer,
    private readonly loupe: Loupe,
  ) {
    const { svg } = ctx.layers;
    const on = <K extends keyof HTMLElementEventMap>(
      name: K,
      handler: (event: HTMLElementEventMap[K]) => void,
      options = {},
    ) =>
      svg.addEventListener(name as string, handler as EventListener, {
        signal: this.stop.signal,
        ...options,
      });
    on("pointerdown", (event) => this.down(event));
    on("pointermove", (event) => this.move(event));
    on("pointerup", (event) => this.up(event));
    on("pointercancel", (event) => this.cancel(event));
    on("pointerleave", (event) => {
      if (event.pointerType === "mouse" && !this.press) this.hover(null);
    });
    on("contextmenu", (event) => event.preventDefault());
    window.addEventListener(
      "keydown",
      (event) => {
        ctx.isPointing = false;
        if (event.key !== "Escape" || !this.press?.carried) return;
        event.stopPropagation();
        this.abandon();
      },
      { signal: this.stop.signal, capture: true },
    );
    on("wheel", (event) => this.wheel(event), { passive: false });
  }

  destroy() {
    this.stop.abort();
    this.endCarry();
  }

  // ------------------------------------------------------------------ press

  private down(event: PointerEvent) {
    const { ctx } = this;
    ctx.isCursorShown = false;
    ctx.isPointing = true; // until a key is pressed
    if (event.pointerType === "touch" && this.fingerDown(event)) return;
    if (event.button === 1) {
      this.pan = { x: event.clientX, y: event.clientY };
      this.capture(event);
      event.preventDefault();
      return;
    }
    const touched = siteAt(ctx, event.clientX, event.clientY);
    if (event.button === 2) {
      this.drawFrom = touched;
      this.capture(event);
      return;
    }
    if (event.button !== 0) return;
    // the browser would focus and scroll in its own way
    event.preventDefault();
    this.capture(event);
    const site = ctx.settings.editing ? touched : meantSite(ctx, touched);
    if (ctx.drawn.length) {
      ctx.drawn = [];
      ctx.options.onDraw?.([]);
    }
    const press: Press = {
      id: event.pointerId,
      x: event.clientX,
      y: event.clientY,
      site,
      isTouch: event.pointerType === "touch",
      isFresh: false,
      source: null,
      carried: null,
      timer: 0,
      isSpent: false,
      pile: null,
    };
    this.press = press;
    if (press.isTouch) press.timer = window.setTimeout(() => this.longPress(press), LONG_PRESS);
    if (!ctx.settings.editing && mayMove(ctx))
      press.pile = pileMoves(ctx, event.clientX, event.clientY);
    if (press.pile) return;
    if (site === null) return;
    // so that Escape and the arrows go on from here; the ring stays away from the mouse
    ctx.focus(site);
    if (ctx.settings.editing) {
      press.source = editPress(ctx, site);
      return;
    }
    if (!mayMove(ctx) || !ctx.state) return;
    if (press.isTouch && this.needsLoupe()) {
      this.underLoupe(site);
      return;
    }
    const here: Source = { type: "site", site };
    press.source = canPick(ctx.state.moves, here) ? here : null;
    const isTarget =
      ctx.selected !== null && movesBetween(ctx.state.moves, ctx.selected, site).length > 0;
    if (press.source && !isTarget && !sameSource(ctx.selected, here)) {
      press.isFresh = true;
      ctx.select(here);
    }
    ctx.refreshMarks();
  }

  /** A piece of a hand or palette is pressed outside the board; the board takes over. */
  takeOver(event: PointerEvent, source: Source) {
    const isTouch = event.pointerType === "touch";
    this.press = {
      id: event.pointerId,
      x: event.clientX,
      y: event.clientY,
      site: null,
      isTouch,
      isFresh: true,
      source,
      carried: null,
      timer: 0,
      isSpent: false,
      pile: null,
    };
    const outside = new AbortController();
    const listen = (
      name: "pointermove" | "pointerup" | "pointercancel",
      act: (e: PointerEvent) => void,
    ) =>
      window.addEventListener(
        name,
        (e) => {
          if (e.pointerId === event.pointerId) act(e);
        },
        { signal: outside.signal },
      );
    listen("pointermove", (e) => this.move(e));
    listen("pointerup", (e) => {
      outside.abort();
      this.up(e);
    });
    listen("pointercancel", (e) => {
      outside.abort();
      this.cancel(e);
    });
  }

  private capture(event: PointerEvent) {
    // a synthetic pointer cannot be captured, and need not be
    try {
      this.ctx.layers.svg.setPointerCapture(event.pointerId);
    } catch {
      /* see above */
    }
  }

  private longPress(press: Press) {
    if (this.press !== press || press.carried || press.isSpent || press.site === null) return;
    press.isSpent = true;
    this.loupe.hide();
    this.ctx.options.onAskPiece?.(press.site, { x: press.x, y: press.y });
  }

  // ------------------------------------------------------------------ motion

  private move(event: PointerEvent) {
    if (event.pointerType === "touch" && this.fingerMove(event)) return;
    if (this.pan) {
      this.panBy(event.clientX - this.pan.x, event.clientY - this.pan.y);
      this.pan = { x: event.clientX, y: event.clientY };
      return;
    }
    const press = this.press;
    if (!press || press.id !== event.pointerId) {
      if (event.pointerType === "mouse")
        this.hover(
          meantSite(this.ctx, siteAt(this.ctx, event.clientX, event.clientY)),
          mayMove(this.ctx) && !!pileMoves(this.ctx, event.clientX, event.clientY)?.length,
        );
      return;
    }
    if (press.isSpent) return;
    const away = Math.hypot(event.clientX - press.x, event.clientY - press.y);
    const isFar = away > (press.isTouch ? 8 : 4);
    if (isFar && press.timer) {
      window.clearTimeout(press.timer);
      press.timer = 0;
    }
    if (press.isTouch && this.loupe.isShown) {
      this.underLoupe(siteAt(this.ctx, event.clientX, event.clientY));
      return;
    }
    if (!press.carried && isFar && press.source) this.beginDrag(press);
    if (press.carried) this.drag(press, event);
  }

  private beginDrag(press: Press) {
    const { ctx } = this;
    const source = press.source as Source;
    const piece = pieceOf(ctx, source);
    if (!piece) return;
    if (!ctx.settings.editing && !sameSource(ctx.selected, source)) ctx.select(source);
    press.carried = carry(ctx, piece, press.isTouch ? LIFT : 0);
    ctx.carried = source;
    if (source.type === "site") this.pieces.ghost(source.site, true);
    document.documentElement.classList.add("bw-carrying");
  }

  private drag(press: Press, event: PointerEvent) {
    const { ctx } = this;
    press.carried?.move(event.clientX, event.clientY);
    const site = siteAt(ctx, event.clientX, event.clientY);
    const source = press.source as Source;
    const isLegal =
      site !== null &&
      (ctx.settings.editing !== null ||
        (ctx.state !== null && movesBetween(ctx.state.moves, source, site).length > 0));
    const over = isLegal ? site : null;
    if (over !== ctx.over) {
      ctx.over = over;
      ctx.refreshMarks();
    }
  }

  private hover(site: Site | null, isPile = false) {
    const { ctx } = this;
    const piece = site !== null && ctx.placement.has(site) ? site : null;
    const isPickable =
      site !== null &&
      mayMove(ctx) &&
      ctx.state !== null &&
      canPick(ctx.state.moves, { type: "site", site });
    const next = isPickable || (ctx.settings.editing && site !== null) ? site : null;
    const isTarget =
      site !== null && !next && mayMove(ctx) && ctx.state !== null && this.isClickable(site);
    const isLink = piece !== null && !!ctx.game?.kinds[ctx.placement.get(piece)?.kind ?? -1]?.opens;
    ctx.layers.svg.classList.toggle("bw-hand", next !== null || isTarget || isLink || isPile);
    const pointed = isTarget || (ctx.layout?.levels.length ?? 0) > 0 ? site : null;
    if (next !== ctx.hover || pointed !== ctx.pointed) {
      ctx.hover = next;
      ctx.pointed = pointed;
      ctx.refreshMarks();
    }
    if (piece !== this.hovered) {
      this.hovered = piece;
      ctx.options.onHoverPiece?.(piece);
    }
  }

  private isClickable(site: Site): boolean {
    const { ctx } = this;
    if (!ctx.state) return false;
    const decision = decide({
      state: ctx.state,
      placement: ctx.placement,
      selected: ctx.selected,
      site,
      smart: isSmart(ctx),
    });
    return decision.type === "play";
  }

  // ------------------------------------------------------------------ release

  private up(event: PointerEvent) {
    if (event.pointerType === "touch" && this.fingerUp(event)) return;
    if (event.button === 1) {
      this.pan = null;
      return;
    }
    if (event.button === 2) {
      this.endDraw(event);
      return;
    }
    const press = this.press;
    if (!press || press.id !== event.pointerId) return;
    this.press = null;
    window.clearTimeout(press.timer);
    if (press.isSpent) return;
    if (press.pile) {
      this.ctx.play(press.pile, null);
      return;
    }
    if (press.carried) {
      this.drop(press, siteAt(this.ctx, event.clientX, event.clientY));
      return;
    }
    const { ctx } = this;
    if (this.loupe.isShown && press.isTouch) {
      this.tapUnderLoupe(siteAt(ctx, event.clientX, event.clientY));
      return;
    }
    if (press.isTouch && this.isDoubleTap(press)) return;
    if (press.source?.type === "hand") return;
    if (press.site === null) {
      if (ctx.selected) ctx.select(null);
      return;
    }
    if (ctx.settings.editing) return;
    this.click(press.site, press.isFresh);
  }

  /** A click on a site; `isFresh` if its press has just picked the piece up. */
  click(site: Site, isFresh: boolean) {
    const { ctx } = this;
    if (!mayMove(ctx) || !ctx.state) {
      ctx.options.onClickSite?.(site);
      return;
    }
    // the second click of somebody who did not expect a smart move must not be the opponent's
    if (this.swallow && this.swallow.site === site && performance.now() < this.swallow.until) {
      this.swallow = null;
      return;
    }
    const smart = isSmart(ctx);
    const decision = decide({
      state: ctx.state,
      placement: ctx.placement,
      selected: isFresh ? null : ctx.selected,
      site,
      smart,
    });
    if (decision.type === "play") {
      const only = decision.moves.length === 1 ? decision.moves[0] : undefined;
      if (isFresh && smart && only && only.to !== null)
        this.swallow = { site: only.to, until: performance.now() + 1200 };
      ctx.play(decision.moves, site);
      return;
    }
    if (isFresh) return;
    const before = ctx.selected;
    if (decision.type === "select") ctx.select(decision.source);
    else if (decision.type === "clear") ctx.select(null);
    refuse(ctx, decision, before, site, true);
  }

  private drop(press: Press, site: Site | null) {
    const { ctx } = this;
    const source = press.source as Source,
      at = press.carried?.at ?? { x: press.x, y: press.y };
    press.carried?.end();
    this.endCarry();
    if (ctx.settings.editing) {
      editDrop(ctx, source, site);
      ctx.refreshMarks();
      return;
    }
    const moves =
      site === null || !ctx.state
        ? []
        : distinct(movesBetween(ctx.state.moves, source, site), ctx.placement);
    if (moves.length && site !== null && mayMove(ctx)) {
      if (source.type === "site" && moves[0]?.effects[0]?.type !== "copy")
        this.pieces.hold(source.site, site);
      ctx.play(moves, site);
    } else if (source.type === "site") {
      this.pieces.glideBack(
        source.site,
        toBoard(ctx, at.x, at.y),
        ctx.settings.animationMs ? 120 : 0,
      );
      ctx.options.onSound?.("release");
    }
    if (!moves.length && site !== null && !sameSource(source, { type: "site", site }))
      ctx.options.onRefused?.(source, site, false);
    ctx.refreshMarks();
  }

  private endCarry() {
    const { ctx } = this;
    if (ctx.carried?.type === "site") this.pieces.ghost(ctx.carried.site, false);
    ctx.carried = null;
    ctx.over = null;
    document.documentElement.classList.remove("bw-carrying");
  }

  private cancel(event: PointerEvent) {
    this.fingers.delete(event.pointerId);
    this.pinch = null;
    this.abandon();
  }

  private abandon() {
    const press = this.press;
    this.press = null;
    if (!press) return;
    window.clearTimeout(press.timer);
    press.carried?.end();
    this.endCarry();
    this.loupe.hide();
    this.ctx.refreshMarks();
  }

  // ------------------------------------------------------------------ fingers

  private needsLoupe(): boolean {
    const { geometry } = this.ctx;
    return geometry !== null && geometry.pitch * pixelScale(this.ctx) < SMALL;
  }

  /** The ring shows on the board what the glass shows large. */
  private underLoupe(site: Site | null) {
    const { ctx } = this;
    this.loupe.show(site);
    if (site === null) return;
    ctx.cursor = site;
    ctx.isCursorShown = true;
    ctx.refreshMarks();
  }

  private tapUnderLoupe(site: Site | null) {
    if (site === null) {
      this.loupe.hide();
      return;
    }
    if (this.loupe.armed === site) {
      this.loupe.hide();
      this.click(site, false);
    } else this.loupe.arm(site);
  }

  private isDoubleTap(press: Press): boolean {
    const { ctx } = this;
    const now = performance.now();
    const isDouble =
      press.site !== null &&
      this.lastTap.site === press.site &&
      now - this.lastTap.time < DOUBLE_TAP &&
      !ctx.selected &&
      !this.isClickable(press.site);
    this.lastTap = { time: now, site: press.site };
    if (!isDouble) return false;
    const place = ctx.geometry?.places[press.site as Site];
    if (!place) return false;
    if (ctx.view.scale > 1.5) ctx.view.scale = 1;
    else {
      ctx.view.scale = 2.5;
      centerOn(ctx.view, place);
    }
    applyView(ctx);
    return true;
  }

  /** Two fingers pan and zoom; whatever one finger had begun is put back. */
  private fingerDown(event: PointerEvent): boolean {
    this.fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (this.fingers.size < 2) return false;
    this.abandon();
    this.pinch = this.measure();
    return true;
  }

  private fingerMove(event: PointerEvent): boolean {
    if (this.fingers.has(event.pointerId))
      this.fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (!this.pinch) return false;
    const now = this.measure();
    if (!now) return true;
    const { ctx } = this;
    this.shift(now.x - this.pinch.x, now.y - this.pinch.y);
    zoomAt(ctx.view, toBoard(ctx, now.x, now.y), now.gap / Math.max(1, this.pinch.gap));
    applyView(ctx, true);
    this.pinch = now;
    return true;
  }

  private fingerUp(event: PointerEvent): boolean {
    this.fingers.delete(event.pointerId);
    if (!this.pinch) return false;
    if (this.fingers.size === 0) this.pinch = null;
    else if (this.fingers.size > 1) this.pinch = this.measure();
    return true;
  }

  private measure() {
    const [a, b] = [...this.fingers.values()];
    return a && b
      ? { gap: Math.hypot(a.x - b.x, a.y - b.y), x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 }
      : null;
  }

  // ------------------------------------------------------------------ wheel, middle and right button

  private shift(dx: number, dy: number) {
    const { view } = this.ctx;
    const k = pixelScale(this.ctx);
    view.x -= dx / k;
    view.y -= dy / k;
  }

  private panBy(dx: number, dy: number) {
    this.shift(dx, dy);
    applyView(this.ctx, true);
  }

  private wheel(event: WheelEvent) {
    const { ctx } = this;
    if (event.ctrlKey) {
      event.preventDefault();
      zoomAt(ctx.view, toBoard(ctx, event.clientX, event.clientY), Math.exp(-event.deltaY / 300));
      applyView(ctx, true);
    } else if (ctx.view.scale > 1.001) {
      event.preventDefault();
      const pixels = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 1 : 20;
      this.panBy(-event.deltaX * pixels, -event.deltaY * pixels);
    }
  }

  private endDraw(event: PointerEvent) {
    const { ctx } = this;
    const from = this.drawFrom,
      to = siteAt(ctx, event.clientX, event.clientY);
    this.drawFrom = null;
    if (from === null) return;
    if (ctx.settings.editing) {
      if (to === from) ctx.options.onEdit?.(from, null);
      return;
    }
    if (to === from) {
      ctx.options.onAskPiece?.(from, { x: event.clientX, y: event.clientY });
      return;
    }
    if (to === null || !ctx.settings.mayDraw) return;
    const isThere = ctx.drawn.some((it) => it.from === from && it.to === to);
    ctx.drawn = isThere
      ? ctx.drawn.filter((it) => it.from !== from || it.to !== to)
      : [...ctx.drawn, { from, to, kind: "drawn" }];
    ctx.options.onDraw?.(ctx.drawn);
    ctx.refreshMarks();
  }
}
