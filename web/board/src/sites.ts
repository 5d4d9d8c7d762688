// The layer of buttons for pointers and screen readers: one invisible button for each site, above
// everything. Its nodes are kept until the geometry changes; labels change in place.
import type { Site } from "$protocol";
import { targetsNow, type Context } from "./context";
import { set, svg } from "./dom";
import { pathOf } from "./outline";
import type { How } from "./moves";
import { boardLabel, siteLabel } from "./speech";
import { readingOrder } from "./travel";

export class Sites {
  private nodes: (SVGElement | null)[] = [];
  private tabbed: Site | null = null;

  constructor(private readonly ctx: Context) {}

  build() {
    const { geometry, layers } = this.ctx;
    if (!geometry) return;
    this.nodes = geometry.places.map((place, site) => {
      if (place.hidden) return null;
      const shape = place.outline
        ? svg("path", { d: pathOf(place.outline) })
        : svg("circle", { cx: place.x, cy: place.y, r: place.radius });
      shape.setAttribute("class", "bw-site");
      shape.setAttribute("role", "button");
      shape.setAttribute("tabindex", "-1");
      shape.setAttribute("data-site", String(site));
      shape.setAttribute("data-name", place.name);
      return shape;
    });
    // read in the order in which one reads a board, whatever the order of the rules
    layers.sites.replaceChildren(
      ...readingOrder(geometry.places, geometry.unit).map((site) => this.nodes[site] as SVGElement),
    );
    this.tabbed = null;
    if (this.ctx.cursor === null || !this.nodes[this.ctx.cursor])
      this.ctx.cursor = this.nodes.findIndex((it) => it !== null);
    this.rove();
  }

  /** Brings labels and pressed states up to date. */
  update() {
    const { ctx } = this;
    const targets = new Map<Site, How>(targetsNow(ctx).map((it) => [it.site, it.how]));
    const picked = ctx.selected?.type === "site" ? ctx.selected.site : null;
    this.nodes.forEach((node, site) => {
      if (!node) return;
      set(node, "aria-label", siteLabel(ctx, site, targets));
      if (site === picked) set(node, "aria-pressed", "true");
      else if (node.hasAttribute("aria-pressed")) node.removeAttribute("aria-pressed");
    });
    set(ctx.layers.root, "aria-label", boardLabel(ctx));
    this.rove();
  }

  /** The board is one stop of Tab: only the cursor's site can be reached by it. */
  private rove() {
    const { cursor } = this.ctx;
    if (cursor === this.tabbed) return;
    if (this.tabbed !== null) this.nodes[this.tabbed]?.setAttribute("tabindex", "-1");
    if (cursor !== null) this.nodes[cursor]?.setAttribute("tabindex", "0");
    this.tabbed = cursor;
  }

  focus(site: Site) {
    this.ctx.cursor = site;
    this.rove();
    this.nodes[site]?.focus({ preventScroll: true });
  }

  siteOf(target: EventTarget | null): Site | null {
    const value = target instanceof Element ? target.getAttribute("data-site") : null;
    return value === null ? null : Number(value);
  }
}
