// The loupe: where sites are smaller than a fingertip, the first tap shows the site
// enlarged with its name, the second tap or the button does what the button says.
import type { Site } from "$protocol";
import { isSmart, mayMove, type Context } from "./context";
import { html, onPress, svg } from "./dom";
import { preview } from "./marks";
import { decide, isCopy } from "./moves";
import type { Point } from "./outline";
import { toClient } from "./view";

const SIZE = 96;
const HEIGHT = 164; // with the name and the button
const ABOVE = 24; // pixels between the loupe and the finger below it
const BELOW = 44; // and the finger above it

export class Loupe {
  armed: Site | null = null;
  private site: Site | null = null;
  private readonly node: HTMLDivElement;
  private readonly glass: SVGSVGElement;
  private readonly ring: SVGCircleElement;
  private readonly ghost = svg("g");
  private readonly label: HTMLElement;
  private readonly button: HTMLButtonElement;

  constructor(
    private readonly ctx: Context,
    worldId: string,
    onPlace: (site: Site) => void,
  ) {
    this.ring = svg("circle", { class: "bw-loupe-ring" });
    this.glass = svg(
      "svg",
      { class: "bw-loupe-glass", "aria-hidden": "true" },
      svg("use", { href: `#${worldId}` }),
      this.ghost,
      this.ring,
    );
    this.label = html("b", { class: "bw-loupe-name" });
    this.button = html("button", { class: "bw-loupe-place", type: "button" });
    onPress(this.button, () => {
      const site = this.armed;
      if (site === null) return;
      this.hide();
      onPlace(site);
    });
    this.node = html("div", { class: "bw-loupe", hidden: "" }, this.glass, this.label, this.button);
    ctx.layers.root.append(this.node);
  }

  get isShown(): boolean {
    return this.site !== null;
  }

  show(site: Site | null) {
    const place = site === null ? null : this.ctx.geometry?.places[site];
    if (site === null || !place || !this.ctx.geometry) return;
    if (site !== this.armed) {
      this.armed = null;
      this.button.hidden = true;
    }
    this.site = site;
    const r = this.ctx.geometry.unit * 1.35;
    this.glass.setAttribute("viewBox", `${place.x - r} ${place.y - r} ${2 * r} ${2 * r}`);
    this.ring.setAttribute("cx", String(place.x));
    this.ring.setAttribute("cy", String(place.y));
    this.ring.setAttribute("r", String(place.radius * 0.94));
    this.ghost.replaceChildren(...[preview(this.ctx, site)].filter((it) => it !== null));
    this.label.textContent = place.name;
    this.node.hidden = false;
    this.settle(place);
  }

  /** Puts the loupe above the finger; below it near the upper edge, beside it on a low board. */
  private settle(place: Point) {
    const root = this.ctx.layers.root.getBoundingClientRect(),
      at = toClient(this.ctx, place);
    const x = at.x - root.left,
      y = at.y - root.top;
    const above = y - HEIGHT - ABOVE,
      below = y + BELOW;
    const isBeside = above < 0 && below + HEIGHT > root.height;
    const side = x > root.width / 2 ? x - SIZE - BELOW : x + BELOW;
    const left = isBeside ? side : x - SIZE / 2;
    const top = above >= 0 ? above : isBeside ? (root.height - HEIGHT) / 2 : below;
    this.node.style.left = `${Math.max(0, Math.min(root.width - SIZE, left))}px`;
    this.node.style.top = `${top}px`;
  }

  /** The finger has left: the next tap on this site, or the button, acts. */
  arm(site: Site) {
    this.show(site);
    this.armed = site;
    const action = this.actionOn(site);
    this.button.hidden = action === null;
    this.button.textContent = action;
  }

  /** What the button does, in words; null if nothing can be done on the site. */
  private actionOn(site: Site): string | null {
    const { ctx } = this;
    if (!ctx.state || !mayMove(ctx)) return null;
    const { selected, placement, state } = ctx;
    const decision = decide({ state, placement, selected, site, smart: isSmart(ctx) });
    const words = ctx.words.loupe;
    if (decision.type === "select") return words.pick;
    if (decision.type !== "play") return null;
    const [move, other] = decision.moves;
    if (other) return words.choose;
    if (move?.captures.length) return words.take;
    return move?.from === null || (move && isCopy(move)) ? words.place : words.move;
  }

  hide() {
    this.site = null;
    this.armed = null;
    this.node.hidden = true;
  }
}
