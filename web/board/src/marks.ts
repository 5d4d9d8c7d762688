// Marks below and above the pieces. They differ in shape, not only in colour: dots for moves,
// brackets for captures, diamonds for drops, ticks where a move came from.
import type { Site } from "$protocol";
import { arrivalOf, canPick, decide, isCopy } from "./moves";
import { marksMovable, mayMove, targetsNow, type Context } from "./context";
import { svg } from "./dom";
import { markKey } from "./levels";
import { drawPiece, imageScaleAt } from "./pieces";
import { drawPiles, pileCounts } from "./piles";
import { nearest } from "./travel";
import type { Place } from "./geometry";
import { pathOf, round, type Point } from "./outline";
import type { Arrow } from "./types";

const drawnAs = new WeakMap<SVGGElement, string>();

/** Rebuilds a layer only when what it says has changed. */
function layer(group: SVGGElement, key: unknown, build: () => (SVGElement | null)[]) {
  const text = JSON.stringify(key);
  if (drawnAs.get(group) === text) return;
  drawnAs.set(group, text);
  group.replaceChildren(...build().filter((it) => it !== null));
}

/** Makes the next `drawMarks` draw every layer, after a new scene. */
export function forgetMarks(ctx: Context) {
  const { last, select, targets, arrows, hover, cursor } = ctx.layers;
  for (const group of [last, select, targets, arrows, hover, cursor]) drawnAs.delete(group);
}

export function drawMarks(ctx: Context) {
  const { geometry, state, layers, settings, game } = ctx;
  if (!geometry || !game) return;
  const at = (site: Site | null): Place | null =>
    site === null ? null : (geometry.places[site] ?? null);
  const visible = (site: Site | null): Place | null => {
    const it = at(site);
    return it && !it.hidden ? it : null;
  };

  const last = state?.lastSites ?? [];
  const lines = state?.outcome?.sites ?? [];
  const goals = settings.marks.goals;
  const occupied = last.map((site) => ctx.placement.has(site));
  layer(layers.last, [last, lines, goals, occupied], () => [
    ...goals.flatMap((site) => [
      ring(visible(site), "bw-goal-halo"),
      ring(visible(site), "bw-goal"),
    ]),
    ...last.flatMap((site, i) =>
      lastMark(
        visible(site),
        occupied[i] === false && (i < last.length - 1 || last.length === 1),
        ctx.isPictured,
      ),
    ),
    ...lines.map((site) => ground(visible(site), "bw-fill-last")),
  ]);

  const selected = ctx.selected?.type === "site" ? ctx.selected.site : null;
  const check = state?.inCheck ?? [];
  const movable = marksMovable(ctx)
    ? [...ctx.placement.keys()].filter((site) =>
        canPick(state?.moves ?? [], { type: "site", site }),
      )
    : [];
  layer(layers.select, [selected, check, movable], () => [
    ...movable.flatMap((site) => [
      ground(visible(site), "bw-movable"),
      frame(visible(site), "bw-movable-line"),
    ]),
    ground(visible(selected), "bw-selected"),
    frame(visible(selected), "bw-selected-frame"),
    ...check.map((site) => checkRing(visible(site))),
  ]);

  const targets = settings.showTargets ? targetsNow(ctx) : [];
  const isSmall = targets.length > 40;
  const path = state?.path ?? [];
  const { probe, attackers, asked } = settings.marks;
  const gone = [...ctx.gone.keys()];
  const stone = last[last.length - 1] ?? null;
  const hasRing =
    stone !== null &&
    at(stone)?.outline === null &&
    isStone(ctx, stone) &&
    !game.piles.length &&
    selected !== stone;
  layer(
    layers.targets,
    [targets, path, gone, check, probe, attackers, asked, hasRing && stone, pileCounts(ctx)],
    () => [
      ...drawPiles(ctx),
      hasRing ? lastRing(visible(stone)) : null,
      ...drawPath(path.map(visible)),
      ...gone.map((site) => cross(visible(site))),
      ...targets.map((it) => target(visible(it.site), it.how, geometry.unit, isSmall)),
      ...check.map((site) => badge(visible(site))),
      ...probe.map((site) => probeMark(visible(site), geometry.unit)),
      ...attackers.map((site) => attackMark(visible(site))),
      asked === null ? null : frame(visible(asked), "bw-asked"),
    ],
  );

  const arrows = [
    ...settings.marks.arrows,
    ...ctx.drawn,
    ...(settings.showAllMoves ? allMoves(ctx) : []),
  ];
  layer(layers.arrows, arrows, () =>
    arrows.map((it) => arrow(it, visible(it.from), visible(it.to), geometry.unit)),
  );

  const over = ctx.over;
  const isHover = ctx.hover !== null && !ctx.carried && selected !== ctx.hover;
  const pointed = ctx.carried ? ctx.over : (ctx.pointed ?? (ctx.isCursorShown ? ctx.cursor : null));
  layer(layers.hover, [over, isHover, ctx.hover, pointed, ctx.selected], () => [
    ...twins(ctx, pointed).map((site) => frame(visible(site), "bw-twin")),
    over === null ? null : ground(visible(over), "bw-over"),
    over === null ? null : frame(visible(over), "bw-over-frame"),
    isHover ? frame(visible(ctx.hover), "bw-hover") : null,
    preview(ctx, ctx.carried ? null : ctx.pointed),
  ]);
  markKey(
    layers.coords.querySelector(".bw-key"),
    pointed === null ? null : (at(pointed)?.level ?? null),
  );

  const cursor = ctx.isCursorShown ? ctx.cursor : null;
  layer(layers.cursor, [cursor], () => {
    const place = visible(cursor);
    return place ? [frame(place, "bw-cursor-halo"), frame(place, "bw-cursor")] : [];
  });
}

/** A plain stone can carry the ring of the last move; on other pieces it would hide the drawing. */
function isStone(ctx: Context, site: Site): boolean {
  const piece = ctx.placement.get(site);
  return !!piece && !!ctx.looks?.find(piece)?.art?.startsWith("stone-");
}

/** Arrows of every legal move; of many between the same sites one is enough. */
function allMoves(ctx: Context): Arrow[] {
  const seen = new Map<string, Arrow>();
  if (!ctx.state || !mayMove(ctx)) return [];
  for (const move of ctx.state.moves) {
    if (move.from === null || move.to === null || isCopy(move)) continue;
    seen.set(`${move.from} ${move.to}`, { from: move.from, to: move.to, kind: "line" });
  }
  return [...seen.values()];
}

/** The same square on every other level glows with the one that is pointed at. */
function twins(ctx: Context, site: Site | null): Site[] {
  const { geometry, layout } = ctx;
  const place = site === null ? null : geometry?.places[site];
  if (!geometry || !place || !layout || layout.levels.length < 2) return [];
  const home = layout.levels[place.level];
  if (!home) return [];
  return layout.levels.flatMap((level, i) => {
    const twin =
      i === place.level
        ? null
        : nearest(geometry.places, level.sites, {
            x: place.x - home.x + level.x,
            y: place.y - home.y + level.y,
          });
    return twin === null ? [] : [twin];
  });
}

/** Where one click drops a piece, it is shown before. */
export function preview(ctx: Context, site: Site | null): SVGElement | null {
  const { geometry, state, looks } = ctx;
  const place = site === null ? null : geometry?.places[site];
  if (
    site === null ||
    !geometry ||
    !place ||
    place.hidden ||
    !state ||
    !looks ||
    ctx.placement.has(site)
  )
    return null;
  const decision = decide({
    state,
    placement: ctx.placement,
    selected: ctx.selected,
    site,
    smart: false,
  });
  const only =
    decision.type === "play" && decision.moves.length === 1 ? decision.moves[0] : undefined;
  if (!only || (only.drop === null && !isCopy(only))) return null;
  const piece = arrivalOf(only, ctx.placement, state.mover);
  if (!piece) return null;
  const drawing = drawPiece(
    looks,
    piece,
    ctx.isPictured ? place.radius * 2 : geometry.unit,
    ctx.settings.flipped,
    imageScaleAt(looks, geometry, site, ctx.isPictured),
  );
  return svg("g", { class: "bw-preview", transform: `translate(${place.x} ${place.y})` }, drawing);
}

// ------------------------------------------------------------------ shapes

function ground(place: Place | null, name: string): SVGElement | null {
  if (!place) return null;
  return place.outline
    ? svg("path", { d: pathOf(place.outline), class: name })
    : svg("circle", { cx: place.x, cy: place.y, r: place.radius * 0.98, class: name });
}

/** A line just inside the cell. */
function frame(place: Place | null, name: string): SVGElement | null {
  if (!place) return null;
  return place.outline
    ? svg("path", { d: pathOf(place.outline, place, 0.94), class: name })
    : svg("circle", { cx: place.x, cy: place.y, r: place.radius * 0.96, class: name });
}

function ring(place: Place | null, name: string): SVGElement | null {
  return (
    place && svg("circle", { cx: place.x, cy: place.y, r: round(place.radius * 0.86), class: name })
  );
}

function lastMark(
  place: Place | null,
  isOrigin: boolean,
  isPictured: boolean,
): (SVGElement | null)[] {
  if (!place) return [];
  if (isPictured) return [ground(place, "bw-fill-last"), frame(place, "bw-last-line")];
  if (!place.outline) {
    return isOrigin
      ? [
          svg("circle", {
            cx: place.x,
            cy: place.y,
            r: place.radius * 0.72,
            class: "bw-last-origin",
          }),
        ]
      : [
          svg("circle", {
            cx: place.x,
            cy: place.y,
            r: place.radius * 1.08,
            class: "bw-fill-last",
          }),
        ];
  }
  return [ground(place, "bw-fill-last"), isOrigin ? ticks(place) : null];
}

/** Corners of a square where a move came from; a dashed outline on other shapes. */
function ticks(place: Place): SVGElement {
  const r = place.radius;
  if (place.outline?.length !== 4)
    return svg("path", { d: pathOf(place.outline ?? [], place, 0.84), class: "bw-last-origin" });
  const k = r * 0.84,
    l = r * 0.3;
  const d = [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ]
    .map(
      ([a = 0, b = 0]) =>
        `M${round(place.x + a * k)} ${round(place.y + b * (k - l))}V${round(place.y + b * k)}H${round(place.x + a * (k - l))}`,
    )
    .join("");
  return svg("path", { d, class: "bw-ticks" });
}

/** On lines the ground is hidden by the piece: a ring of brass on the piece itself. */
function lastRing(place: Place | null): SVGElement | null {
  return (
    place &&
    svg("circle", { cx: place.x, cy: place.y, r: round(place.radius * 0.4), class: "bw-last-ring" })
  );
}

function checkRing(place: Place | null): SVGElement | null {
  if (!place) return null;
  return svg(
    "g",
    {},
    svg("circle", { cx: place.x, cy: place.y, r: place.radius * 0.94, class: "bw-check" }),
    svg("circle", { cx: place.x, cy: place.y, r: place.radius * 0.88, class: "bw-check-line" }),
  );
}

function badge(place: Place | null): SVGElement | null {
  if (!place) return null;
  const k = place.radius / 50,
    x = place.x + 36 * k,
    y = place.y - 36 * k;
  return svg(
    "g",
    { transform: `translate(${round(x)} ${round(y)}) scale(${round(k * 10) / 10})` },
    svg("circle", { r: 16, class: "bw-badge" }),
    svg("path", { d: "M0 -8v9m0 6.2v.6", class: "bw-badge-mark" }),
  );
}

function target(
  place: Place | null,
  how: string,
  unit: number,
  isSmall: boolean,
): SVGElement | null {
  if (!place) return null;
  const u = Math.min(unit, place.radius * 2.2) * (isSmall ? 2 / 3 : 1);
  const { x, y } = place;
  switch (how) {
    case "go":
      return svg("circle", { cx: x, cy: y, r: round(u * 0.155), class: "bw-dot" });
    case "drop":
      return svg("rect", {
        x: round(x - u * 0.11),
        y: round(y - u * 0.11),
        width: round(u * 0.22),
        height: round(u * 0.22),
        rx: round(u * 0.04),
        transform: `rotate(45 ${x} ${y})`,
        class: "bw-dot",
      });
    case "stay":
      return svg(
        "g",
        {},
        brackets(place, "bw-bracket-halo", 24),
        brackets(place, "bw-bracket", 24),
      );
    default:
      return svg("g", {}, brackets(place, "bw-bracket-halo", 4), brackets(place, "bw-bracket", 4));
  }
}

/** A circle of `n` strokes: four brackets around what can be taken, dots around what can stay. */
function brackets(place: Place, name: string, n: number): SVGElement {
  const r = place.radius * 0.94,
    part = (2 * Math.PI * r) / n;
  return svg("circle", {
    cx: place.x,
    cy: place.y,
    r: round(r),
    class: name,
    transform: `rotate(17 ${place.x} ${place.y})`,
    "stroke-dasharray": `${round(part * 0.624)} ${round(part * 0.376)}`,
  });
}

function probeMark(place: Place | null, unit: number): SVGElement | null {
  return (
    place && svg("circle", { cx: place.x, cy: place.y, r: round(unit * 0.2), class: "bw-probe" })
  );
}

function attackMark(place: Place | null): SVGElement | null {
  if (!place) return null;
  const d = triangle(place, place.radius);
  return svg(
    "g",
    {},
    svg("path", { d, class: "bw-attack-halo" }),
    svg("path", { d, class: "bw-attack" }),
  );
}

function triangle(p: Point, r: number): string {
  const x = p.x + r * 0.62,
    y = p.y + r * 0.62,
    k = r * 0.28;
  return `M${round(x)} ${round(y - k)}L${round(x + k)} ${round(y + k * 0.8)}L${round(x - k)} ${round(y + k * 0.8)}Z`;
}

function cross(place: Place | null): SVGElement | null {
  if (!place) return null;
  const k = place.radius * 0.44,
    d = `M${place.x - k} ${place.y - k}l${2 * k} ${2 * k}m0 ${-2 * k}l${-2 * k} ${2 * k}`;
  return svg(
    "g",
    {},
    svg("path", { d, class: "bw-cross-halo" }),
    svg("path", { d, class: "bw-cross" }),
  );
}

function drawPath(places: (Place | null)[]): (SVGElement | null)[] {
  const known = places.filter((it) => it !== null);
  const first = known[0];
  if (!first || known.length < 2) return [];
  return [
    svg("path", {
      d: "M" + known.map((p) => `${round(p.x)} ${round(p.y)}`).join("L"),
      class: "bw-path",
    }),
    svg("circle", {
      cx: first.x,
      cy: first.y,
      r: round(first.radius * 0.36),
      class: "bw-path-start",
    }),
  ];
}

function arrow(it: Arrow, from: Place | null, to: Place | null, unit: number): SVGElement | null {
  if (!from || !to) return null;
  const k = unit / 100;
  if (from === to)
    return svg("circle", {
      cx: to.x,
      cy: to.y,
      r: round(to.radius * 0.9),
      class: `bw-arrow-ring bw-arrow-${it.kind ?? "hint"}`,
    });
  const dx = to.x - from.x,
    dy = to.y - from.y,
    length = Math.hypot(dx, dy) || 1,
    ux = dx / length,
    uy = dy / length;
  const thin = it.kind === "line" ? 0.5 : 1;
  const head = 46 * k * (thin === 1 ? 1 : 0.62),
    wide = 26 * k * (thin === 1 ? 1 : 0.62);
  const d = `M${round(from.x)} ${round(from.y)}L${round(to.x - ux * head * 0.74)} ${round(to.y - uy * head * 0.74)}`;
  const tip = `M${round(to.x)} ${round(to.y)}L${round(to.x - ux * head - uy * wide)} ${round(to.y - uy * head + ux * wide)}L${round(to.x - ux * head + uy * wide)} ${round(to.y - uy * head - ux * wide)}Z`;
  return svg(
    "g",
    { class: `bw-arrow bw-arrow-${it.kind ?? "hint"}` },
    svg("path", { d, class: "bw-arrow-halo", "stroke-width": 21 * k * thin }),
    svg("path", { d, class: "bw-arrow-shaft", "stroke-width": 14 * k * thin }),
    svg("path", { d: tip, class: "bw-arrow-tip", "stroke-width": 3.5 * k }),
  );
}
