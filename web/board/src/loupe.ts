// The loupe: where sites are smaller than a fingertip, the first tap shows the site
// enlarged with its name, the second tap or the button plays.
import type { Site } from "$protocol";
import { targetsNow, type Context } from "./context";
import { html, svg } from "./dom";
import { preview } from "./marks";
import { toClient } from "./view";

const SIZE = 96;
const HEIGHT = 164; // with the name and the button

export class Loupe {
  armed: Site | null = null;
  private site: Site | null = null;
  private isPressed = false;
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
    this.button.textContent = ctx.words.place;
    this.button.addEventListener("pointerdown", () => {
      this.isPressed = true;
    });
    this.button.addEventListener("click", (event) => {
      const site = this.armed;
      // the click of the tap that brought the button up is not meant for it: it began elsewhere
      const isMeant = this.isPressed || event.detail === 0;
      this.isPressed = false;
      if (site === null || !isMeant) return;
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
    const root = this.ctx.layers.root.getBoundingClientRect(),
      at = toClient(this.ctx, place);
    const left = Math.max(0, Math.min(root.width - SIZE, at.x - root.left - SIZE / 2));
    // above the finger, or below it at the upper edge
    const above = at.y - root.top - HEIGHT - 24;
    this.node.style.left = `${left}px`;
    this.node.style.top = `${above < -60 ? at.y - root.top + 44 : above}px`;
  }

  /** The finger has left: the next tap on this site, or the button, plays. */
  arm(site: Site) {
    this.show(site);
    this.armed = site;
    this.isPressed = false;
    this.button.hidden = !this.isPlayable(site);
  }

  private isPlayable(site: Site): boolean {
    const { state } = this.ctx;
    return (
      targetsNow(this.ctx).some((it) => it.site === site) ||
      (state?.moves.some((it) => it.to === site || it.from === site) ?? false)
    );
  }

  hide() {
    this.site = null;
    this.armed = null;
    this.node.hidden = true;
  }
}
