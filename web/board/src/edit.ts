// Edit mode: the tool decides what a press does. The board keeps no placement of its
// own here either; it asks, and the page shows the answer.
import type { Site } from "$protocol";
import type { Context } from "./context";
import type { Piece, Source } from "./moves";

/** Every piece that the rules know, in the order in which "next" turns through them. */
export function allPieces(ctx: Context): Piece[] {
  const set = ctx.game?.sets[0];
  if (set?.looks.length) return set.looks.map((it) => ({ player: it.player, kind: it.kind }));
  return (ctx.game?.players ?? []).flatMap((_, player) =>
    (ctx.game?.kinds ?? []).map((__, kind) => ({ player, kind })),
  );
}

/** The piece after this one; after the last the site is empty. */
export function nextPiece(all: Piece[], now: Piece | undefined): Piece | null {
  if (!now) return all[0] ?? null;
  const i = all.findIndex((it) => it.player === now.player && it.kind === now.kind);
  return all[i + 1] ?? null;
}

/** Applies the tool; returns what a drag from here would carry. */
export function editPress(ctx: Context, site: Site): Source | null {
  const { editing } = ctx.settings;
  const here = ctx.placement.get(site);
  switch (editing?.tool) {
    case "place": {
      const isSame =
        here && here.player === editing.piece.player && here.kind === editing.piece.kind;
      ctx.options.onEdit?.(site, isSame ? null : editing.piece);
      return null;
    }
    case "remove":
      ctx.options.onEdit?.(site, null);
      return null;
    case "next":
      ctx.options.onEdit?.(site, nextPiece(allPieces(ctx), here));
      return null;
    default:
      return here ? { type: "site", site } : null;
  }
}

/** A dragged piece is put down; outside the board it is taken away. */
export function editDrop(ctx: Context, source: Source, site: Site | null) {
  const piece =
    source.type === "hand"
      ? { player: source.player, kind: source.kind }
      : ctx.placement.get(source.site);
  if (!piece) return;
  if (source.type === "site" && source.site !== site) ctx.options.onEdit?.(source.site, null);
  if (site !== null && !(source.type === "site" && source.site === site))
    ctx.options.onEdit?.(site, piece);
}

/** Keys of the editor; true if the key was one. */
export function editKey(ctx: Context, key: string, site: Site): boolean {
  if (!ctx.settings.editing) return false;
  if (key === "Delete" || key === "Backspace") ctx.options.onEdit?.(site, null);
  else if (key === " ")
    ctx.options.onEdit?.(site, nextPiece(allPieces(ctx), ctx.placement.get(site)));
  else if (key === "Enter") editEnter(ctx, site);
  else return false;
  return true;
}

/** Enter works the tool; with "move" it picks up and puts down. */
function editEnter(ctx: Context, site: Site) {
  if (ctx.settings.editing?.tool !== "move") {
    editPress(ctx, site);
    return;
  }
  const held = ctx.selected;
  if (held?.type === "site") {
    ctx.select(null);
    editDrop(ctx, held, site);
  } else if (ctx.placement.has(site)) ctx.select({ type: "site", site });
}
