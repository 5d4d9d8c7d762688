// Zoomed in: a small map in the corner that shows the window and can be dragged,
// and two buttons. Both are absent while the board fits.
import type { Context } from "./context";
import { html, svg } from "./dom";
import { applyView, centerOn, windowOf, zoomAt } from "./view";

export class Minimap {
  private readonly node: HTMLDivElement;
  private readonly picture: SVGSVGElement;
  private readonly frame: SVGRectElement;
  private readonly use: SVGUseElement;
  private readonly stones = svg("g");
  private shown: unknown = null;
  private readonly buttons: HTMLDivElement;

  constructor(
    private readonly ctx: Context,
    private readonly groundId: string,
  ) {
    this.use = svg("use");
    this.frame = svg("rect", { class: "bw-map-window" });
    this.picture = svg("svg", { "aria-hidden": "true" }, this.use, this.stones, this.frame);
    this.node = html("div", { class: "bw-map", hidden: "" });
    this.node.append(this.picture);
    const follow = (event: PointerEvent) => {
      const matrix = this.picture.getScreenCTM();
      if (!matrix) return;
      const p = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
      centerOn(ctx.view, p);
      applyView(ctx);
    };
    this.node.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      this.node.setPointerCapture(event.pointerId);
      follow(event);
    });
    this.node.addEventListener("pointermove", (event) => {
      if (event.buttons) follow(event);
    });
    const zoomIn = this.button(ctx.words.zoomIn, "M12 5v14M5 12h14", () => this.zoom(1.6));
    const fit = this.button(ctx.words.fit, "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5", () => {
      ctx.view.scale = 1;
      applyView(ctx);
    });
    this.buttons = html(
      "div",
      { class: "bw-zoom", role: "group", "aria-label": ctx.words.map, hidden: "" },
      zoomIn,
      fit,
    );
    ctx.layers.root.append(this.node, this.buttons);
    ctx.view.listeners.push(() => this.update());
  }

  private button(label: string, d: string, act: () => void): HTMLButtonElement {
    const button = html("button", { type: "button", "aria-label": label, title: label });
    button.append(svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d })));
    button.addEventListener("click", act);
    return button;
  }

  private zoom(factor: number) {
    const { ctx } = this;
    const box = windowOf(ctx.view);
    const place = ctx.cursor !== null ? ctx.geometry?.places[ctx.cursor] : null;
    zoomAt(
      ctx.view,
      place && !place.hidden && ctx.isCursorShown
        ? place
        : { x: box.x + box.width / 2, y: box.y + box.height / 2 },
      factor,
    );
    applyView(ctx);
  }

  /** Pieces are dots here: at this size nothing else could be told apart. */
  private drawStones() {
    const { placement, geometry, game } = this.ctx;
    if (this.shown === placement || !geometry || !game) return;
    this.shown = placement;
    const dots = new Map<string, string>();
    const r = Math.round(geometry.unit * 0.4);
    for (const [site, piece] of placement) {
      const place = geometry.places[site];
      if (!place || place.hidden) continue;
      const tone = game.players[piece.player]?.color ?? "white";
      dots.set(
        tone,
        `${dots.get(tone) ?? ""}M${Math.round(place.x) - r} ${Math.round(place.y)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`,
      );
    }
    this.stones.replaceChildren(
      ...[...dots].map(([tone, d]) => svg("path", { d, class: `bw-map-dots bw-tone-${tone}` })),
    );
  }

  update() {
    const { view } = this.ctx;
    const isZoomed = view.scale > 1.001;
    this.node.hidden = !isZoomed;
    // without zoom the map would draw the board twice for nothing
    if (isZoomed) this.use.setAttribute("href", `#${this.groundId}`);
    else this.use.removeAttribute("href");
    if (isZoomed) this.drawStones();
    // at fit they would cover sites; pinch, wheel and keys begin a zoom
    this.buttons.hidden = !isZoomed;
    const { full } = view,
      box = windowOf(view);
    this.picture.setAttribute("viewBox", `${full.x} ${full.y} ${full.width} ${full.height}`);
    this.node.style.aspectRatio = String(full.width / full.height);
    for (const [name, value] of Object.entries(box)) this.frame.setAttribute(name, String(value));
    this.frame.setAttribute("stroke-width", String(full.width / 40));
  }
}
