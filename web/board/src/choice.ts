// The choice menu: only when several moves share the click. Up to six pictures if
// the pieces tell the moves apart, else a list in the verbose notation.
import type { MoveView, Site } from "$protocol";
import type { Context } from "./context";
import { html, onPress } from "./dom";
import { arrivalOf, type Piece } from "./moves";
import { pieceIcon } from "./pieces";
import { toClient } from "./view";

export interface Choice {
  close(): void;
}

/** The pieces that stand for the choices, or null if they do not tell them apart. */
export function picturesOf(
  ctx: Pick<Context, "placement" | "state">,
  moves: MoveView[],
): Piece[] | null {
  if (moves.length > 6) return null;
  const pieces = moves.map((it) => arrivalOf(it, ctx.placement, ctx.state?.mover ?? null));
  const keys = new Set(pieces.map((it) => `${it?.player} ${it?.kind}`));
  return keys.size === moves.length && pieces.every((it) => it !== null) ? pieces : null;
}

export function openChoice(
  ctx: Context,
  moves: MoveView[],
  site: Site | null,
  done: (move: MoveView | null) => void,
): Choice {
  const pictures = picturesOf(ctx, moves);
  const menu = html("div", {
    class: pictures ? "bw-choice bw-choice-pictures" : "bw-choice",
    role: "menu",
    "aria-label": ctx.words.choose,
    tabindex: -1,
  });
  moves.forEach((move, i) => {
    const piece = pictures?.[i];
    const item = html("button", {
      type: "button",
      role: "menuitem",
      tabindex: -1,
      "data-move": move.long,
    });
    if (piece && ctx.looks && ctx.game) {
      item.append(pieceIcon(ctx.looks, piece, ctx.settings.flipped));
      const name = ctx.game.kinds[piece.kind]?.name ?? move.long;
      item.setAttribute("aria-label", name.toLowerCase());
      item.title = name;
    } else item.textContent = move.long;
    onPress(item, () => finish(move));
    menu.append(item);
  });
  const items = [...menu.children] as HTMLButtonElement[];
  let at = 0;
  const focus = (i: number) => {
    at = (i + items.length) % items.length;
    items[at]?.focus({ preventScroll: true });
  };
  menu.addEventListener("keydown", (event) => {
    event.stopPropagation();
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    if (step) focus(at + step);
    else if (event.key === "Home") focus(0);
    else if (event.key === "End") focus(items.length - 1);
    else if (event.key === "Escape" || event.key === "Tab" || event.key === "Backspace")
      finish(null);
    else return;
    event.preventDefault();
  });
  const outside = (event: PointerEvent) => {
    if (!menu.contains(event.target as Node)) finish(null);
  };
  let isOpen = true;
  function close() {
    if (!isOpen) return;
    isOpen = false;
    document.removeEventListener("pointerdown", outside, true);
    menu.remove();
  }
  function finish(move: MoveView | null) {
    close();
    done(move);
  }
  ctx.layers.root.append(menu);
  place(ctx, menu, site);
  document.addEventListener("pointerdown", outside, true);
  focus(0);
  return { close };
}

/** Grows from the target cell, but stays inside the board. */
function place(ctx: Context, menu: HTMLElement, site: Site | null) {
  const root = ctx.layers.root.getBoundingClientRect();
  const spot = site === null ? null : ctx.geometry?.places[site];
  const at = spot
    ? toClient(ctx, spot)
    : { x: root.left + root.width / 2, y: root.top + root.height / 2 };
  const item = menu.firstElementChild?.getBoundingClientRect();
  const size = menu.getBoundingClientRect();
  const margin = 4;
  // the first entry covers the site; near the lower edge the list grows upwards
  let left = at.x - root.left - (item?.width ?? 0) / 2 - margin;
  let top = at.y - root.top - (item?.height ?? 0) / 2 - margin;
  if (top + size.height > root.height) top = Math.min(top, root.height - size.height - margin);
  left = Math.max(margin, Math.min(root.width - size.width - margin, left));
  menu.style.left = `${left}px`;
  menu.style.top = `${Math.max(margin, top)}px`;
}
