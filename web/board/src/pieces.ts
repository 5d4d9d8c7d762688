// One piece as an SVG group around its own centre: a drawing of the sprite, a token
// with letters, or the author's picture at its natural size.
import type { GameView, ImageSet, LookView, PieceSetView, Site } from "$protocol";
import { svg } from "./dom";
import type { Geometry } from "./geometry";
import type { Piece } from "./moves";
import { SPRITE } from "./sprite";
import { drawToken } from "./token";

const inserted = new Set<string>();
let sprite: Element | null = null;

/** Puts one drawing into the page, once. The text is our own constant, never data. */
export function insertDrawing(art: string) {
  if (!sprite?.isConnected) {
    inserted.clear();
    sprite = svg("svg", { class: "bw-sprite", width: 0, height: 0, "aria-hidden": "true" });
    document.body.prepend(sprite);
  }
  const inner = Object.hasOwn(SPRITE, art) ? SPRITE[art] : undefined;
  if (inner === undefined || inserted.has(art)) return;
  inserted.add(art);
  const text = `<symbol xmlns="http://www.w3.org/2000/svg" id="p-${art}" viewBox="0 0 100 100">${inner}</symbol>`;
  sprite.append(
    document.importNode(
      new DOMParser().parseFromString(text, "image/svg+xml").documentElement,
      true,
    ),
  );
}

/** Puts all drawings into the page, for those who refer to them by hand. */
export function insertSprite() {
  for (const art of Object.keys(SPRITE)) insertDrawing(art);
}

/** How pieces look at present. */
export interface Looks {
  find(piece: Piece): LookView | undefined;
  images: ImageSet | null; // the author's, if they are wanted and there
  hasDirection: boolean; // the far player's pieces are drawn upside down
}

export function looksOf(game: GameView, setId: string | null, images: ImageSet | null): Looks {
  const set: PieceSetView | undefined = game.sets.find((it) => it.id === setId) ?? game.sets[0];
  const byKey = new Map((set?.looks ?? []).map((it) => [it.player * 65536 + it.kind, it]));
  return {
    find: (piece) => byKey.get(piece.player * 65536 + piece.kind),
    images,
    hasDirection: (set?.looks ?? []).some((it) => it.turn),
  };
}

const FALLBACK: LookView = {
  player: 0,
  kind: 0,
  art: null,
  turn: false,
  letters: "?",
  token: "circle",
  tone: "white",
  notches: 0,
};

/** The inside of a piece, centred on (0, 0), as wide as `unit` allows. */
export function drawPiece(
  looks: Looks,
  piece: Piece,
  unit: number,
  flipped: boolean,
  imageScale = 1,
): SVGElement {
  const picture = looks.images?.pieces.find(
    (it) => it.player === piece.player && it.kind === piece.kind,
  );
  if (picture) {
    const width = picture.width * imageScale,
      height = picture.height * imageScale;
    return svg("image", {
      href: picture.url,
      x: -width / 2,
      y: -height / 2,
      width,
      height,
      class: "bw-picture",
    });
  }
  const look = looks.find(piece) ?? FALLBACK;
  const share = look.art?.startsWith("stone")
    ? 0.88
    : look.art && /^(shogi|xiangqi)/.test(look.art)
      ? 0.96
      : 0.92;
  const size = unit * share;
  const isTurned = looks.hasDirection && flipped ? !look.turn : look.turn;
  const turn = isTurned ? "rotate(180)" : undefined;
  // a drawing that this build does not know yet is no reason to show nothing
  if (look.art && Object.hasOwn(SPRITE, look.art)) {
    insertDrawing(look.art);
    return svg("use", {
      href: `#p-${look.art}`,
      x: -size / 2,
      y: -size / 2,
      width: size,
      height: size,
      transform: turn,
    });
  }
  const token = drawToken(look);
  token.setAttribute("transform", `${turn ?? ""} scale(${size / 100}) translate(-50 -50)`.trim());
  return token;
}

/** A piece alone, for plates, menus, palettes and cards. */
export function pieceIcon(looks: Looks, piece: Piece, flipped = false): SVGSVGElement {
  const picture = looks.images?.pieces.find(
    (it) => it.player === piece.player && it.kind === piece.kind,
  );
  const side = picture ? Math.max(picture.width, picture.height) : 100;
  return svg(
    "svg",
    {
      viewBox: `${-side / 2} ${-side / 2} ${side} ${side}`,
      "aria-hidden": "true",
      class: "bw-icon",
    },
    drawPiece(looks, piece, picture ? side : 108, flipped),
  );
}

/** Pictures of pieces on a board that we draw keep their size relative to their rectangle. */
export function imageScaleAt(
  looks: Looks,
  geometry: Geometry,
  site: Site | null,
  isPictured: boolean,
): number {
  if (isPictured || !looks.images) return 1;
  const rect = site === null ? looks.images.rects.find((it) => it) : looks.images.rects[site];
  const side = rect ? Math.min(rect[2] - rect[0], rect[3] - rect[1]) : 0;
  return side > 0 ? geometry.unit / side : 1;
}
