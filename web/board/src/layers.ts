// The layers of the drawing, from below: ground, marks, pieces, marks above them, buttons.
import { html, svg } from "./dom";

export interface Layers {
  root: HTMLDivElement;
  clip: HTMLDivElement; // what the zoomed board must not leave
  svg: SVGSVGElement;
  world: SVGGElement; // what the map and the loupe show too
  ground: SVGGElement;
  last: SVGGElement;
  select: SVGGElement;
  pieces: SVGGElement;
  coords: SVGGElement;
  targets: SVGGElement;
  arrows: SVGGElement;
  hover: SVGGElement;
  cursor: SVGGElement;
  sites: SVGGElement;
}

/** Creates empty layers; map and loupe refer to `world` and `ground` by their ids. */
export function makeLayers(worldId: string, groundId: string): Layers {
  const group = (name: string) => svg("g", { class: `bw-layer-${name}` });
  const ground = group("ground");
  const coords = group("coords");
  const last = group("last");
  const select = group("select");
  const pieces = group("pieces");
  const targets = group("targets");
  const arrows = group("arrows");
  const hover = group("hover");
  const cursor = group("cursor");
  const sites = group("sites");
  ground.id = groundId;
  const below = [ground, coords, last, select, pieces];
  const world = svg("g", { id: worldId, class: "bw-world" }, ...below);
  const above = [targets, arrows, hover, cursor, sites];
  const attributes = {
    class: "bw-svg",
    role: "presentation",
    preserveAspectRatio: "xMidYMid meet",
  };
  const picture = svg("svg", attributes, world, ...above);
  const clip = html("div", { class: "bw-clip" }, picture);
  const root = html(
    "div",
    { class: "bw-board", role: "application", "aria-roledescription": "board" },
    clip,
  );
  return {
    root,
    clip,
    svg: picture,
    world,
    ground,
    coords,
    last,
    select,
    pieces,
    targets,
    arrows,
    hover,
    cursor,
    sites,
  };
}
