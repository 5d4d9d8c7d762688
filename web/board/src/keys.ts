// The keyboard on any board: travel along the links of the rules, pick up, put down, ask.
import type { Site } from "$protocol";
import { mayMove, targetsNow, type Context } from "./context";
import { editKey } from "./edit";
import { canPick, decide } from "./moves";
import { refuse } from "./refuse";
import { siteLabel, siteName, tellMoves, tellPieces } from "./speech";
import type { Sites } from "./sites";
import {
  ARROWS,
  changeLevel,
  changeRing,
  hexKeys,
  isFlatHex,
  readingOrder,
  travel,
} from "./travel";
import { applyView, reveal, toClient, zoomAt } from "./view";

export class Keys {
  private readonly stop = new AbortController();

  constructor(
    private readonly ctx: Context,
    private readonly sites: Sites,
  ) {
    // on the HTML box, since an SVG group that listens for focus becomes a stop of Tab itself
    const { root } = ctx.layers;
    const { signal } = this.stop;
    root.addEventListener("keydown", (event) => this.key(event), { signal });
    root.addEventListener(
      "focusin",
      (event) => {
        const site = sites.siteOf(event.target);
        if (site === null) return;
        ctx.cursor = site;
        ctx.isCursorShown = !ctx.isPointing && (event.target as Element).matches(":focus-visible");
        ctx.refreshMarks();
      },
      { signal },
    );
    root.addEventListener(
      "focusout",
      () => {
        ctx.isCursorShown = false;
        ctx.refreshMarks();
      },
      { signal },
    );
    // assistive technology presses buttons by a click without a pointer
    root.addEventListener(
      "click",
      (event) => {
        const site = sites.siteOf(event.target);
        if (site !== null && event.detail === 0) this.enter(site);
      },
      { signal },
    );
  }

  destroy() {
    this.stop.abort();
  }

  private key(event: KeyboardEvent) {
    const { ctx } = this;
    const { geometry, game } = ctx;
    const site = this.sites.siteOf(event.target);
    if (!geometry || !game || site === null || event.altKey || event.metaKey) return;
    if (event.ctrlKey) return;
    if (this.handle(event, site)) event.preventDefault();
    else ctx.options.onKey?.(event);
  }

  private handle(event: KeyboardEvent, site: Site): boolean {
    const { ctx } = this;
    const { key } = event;
    if (editKey(ctx, key, site)) return true;
    const step = this.travelKey(key, site);
    if (step !== undefined) {
      this.goTo(step, site);
      return true;
    }
    switch (key) {
      case "Enter":
      case " ":
        this.enter(site);
        return true;
      case "Escape":
        return this.escape(true);
      case "Backspace":
        return this.escape(false);
      case "n":
      case "N":
        this.next(site, event.shiftKey);
        return true;
      case "m":
      case "M":
        this.say(tellMoves(ctx, site));
        return true;
      case "l":
      case "L":
        this.sayLast();
        return true;
      case "p":
      case "P":
        this.say(tellPieces(ctx));
        return true;
      case "+":
      case "=":
        this.zoom(site, 1.5);
        return true;
      case "-":
        this.zoom(site, 1 / 1.5);
        return true;
      case "ContextMenu":
        this.ask(site);
        return true;
      default:
        return false;
    }
  }

  /** undefined: no key of travel; null: no way there. */
  private travelKey(key: string, site: Site): Site | null | undefined {
    const { geometry, game, layout } = this.ctx;
    if (!geometry || !game || !layout) return undefined;
    const arrow = ARROWS[key];
    if (arrow) return travel(geometry.places, game.links, site, arrow);
    if (game.layout.style === "hex") {
      const exact = hexKeys(isFlatHex(geometry.places, game.links))[key.toLowerCase()];
      if (exact) return travel(geometry.places, game.links, site, exact);
    }
    if (key === "PageUp" || key === "PageDown") {
      const up = key === "PageUp";
      if (layout.levels.length)
        return changeLevel(geometry.places, layout.levels, site, up ? 1 : -1);
      return changeRing(geometry.places, game.links, geometry.center, site, up);
    }
    return undefined;
  }

  private goTo(to: Site | null, from: Site) {
    const { ctx } = this;
    ctx.isCursorShown = true;
    if (to === null) {
      ctx.options.onSound?.("tick");
      ctx.refreshMarks();
      return;
    }
    if (to !== from) {
      this.sites.focus(to);
      reveal(ctx, to);
      ctx.options.onHoverPiece?.(ctx.placement.has(to) ? to : null);
    }
    ctx.isCursorShown = true;
    ctx.refreshMarks();
  }

  /** Picks up, puts down, chooses. Smart moves are for the pointer: a key must not surprise. */
  enter(site: Site) {
    const { ctx } = this;
    if (!ctx.state || !mayMove(ctx)) {
      ctx.options.onClickSite?.(site);
      return;
    }
    const decision = decide({
      state: ctx.state,
      placement: ctx.placement,
      selected: ctx.selected,
      site,
      smart: false,
    });
    if (decision.type === "play") ctx.play(decision.moves, site);
    else if (decision.type === "select") {
      ctx.select(decision.source);
      const piece = ctx.placement.get(site);
      if (piece) this.say(ctx.words.picked(siteLabelShort(ctx, site), targetsNow(ctx).length));
      return;
    }
    const before = ctx.selected;
    if (decision.type === "clear") {
      ctx.select(null);
      this.say(ctx.words.putBack);
    } else if (decision.type === "none") this.say(ctx.words.noMoves);
    refuse(ctx, decision, before, site, false);
  }

  private escape(all: boolean): boolean {
    const { ctx } = this;
    if (ctx.selected && !ctx.state?.path.length) {
      ctx.select(null);
      this.say(ctx.words.putBack);
      return true;
    }
    if (ctx.drawn.length) {
      ctx.drawn = [];
      ctx.options.onDraw?.([]);
      ctx.refreshMarks();
      return true;
    }
    if (ctx.state?.path.length && mayMove(ctx)) {
      ctx.options.onUndoStep?.(all);
      return true;
    }
    return false;
  }

  private next(site: Site, back: boolean) {
    const { ctx } = this;
    const { geometry, state } = ctx;
    if (!geometry || !state || !mayMove(ctx)) return;
    const stops = new Set(
      ctx.selected
        ? targetsNow(ctx).map((it) => it.site)
        : readingOrder(geometry.places, geometry.unit).filter((it) =>
            canPick(state.moves, { type: "site", site: it }),
          ),
    );
    if (!ctx.selected && !stops.size) for (const target of targetsNow(ctx)) stops.add(target.site);
    const order = readingOrder(geometry.places, geometry.unit);
    const at = order.indexOf(site);
    for (let i = 1; i <= order.length; i++) {
      const to = order[(at + (back ? -i : i) + order.length * 2) % order.length] as Site;
      if (stops.has(to)) {
        this.goTo(to, site);
        return;
      }
    }
    ctx.options.onSound?.("tick");
  }

  private sayLast() {
    const { ctx } = this;
    const sites = ctx.state?.lastSites ?? [];
    if (ctx.lastMove && sites.length) {
      this.say(ctx.lastMove);
      return;
    }
    this.say(
      sites.length ? sites.map((it) => siteLabel(ctx, it, new Map())).join("; ") : ctx.words.noLast,
    );
  }

  private say(text: string) {
    this.ctx.options.onAnnounce?.(text, false);
  }

  private zoom(site: Site, factor: number) {
    const { ctx } = this;
    const place = ctx.geometry?.places[site];
    if (!place) return;
    zoomAt(ctx.view, place, factor);
    applyView(ctx);
  }

  private ask(site: Site) {
    const { ctx } = this;
    const place = ctx.geometry?.places[site];
    if (place) ctx.options.onAskPiece?.(site, toClient(ctx, place));
  }
}

function siteLabelShort(ctx: Context, site: Site): string {
  const piece = ctx.placement.get(site);
  const kind = piece ? ctx.words.kind(ctx.game?.kinds[piece.kind]?.name ?? "") : "";
  return `${kind} ${siteName(ctx, site)}`.trim();
}
