// The dragged piece: it follows the pointer above the whole page, so that it can
// come from a hand beside the board and be seen leaving the board.
import { html } from "./dom";
import type { Context } from "./context";
import type { Piece } from "./moves";
import { pieceIcon } from "./pieces";
import { pixelScale } from "./view";

export interface Carried {
  move(clientX: number, clientY: number): void;
  end(): void;
  at: { x: number; y: number };
}

/** `lift` raises the piece above the finger that would hide it. */
export function carry(ctx: Context, piece: Piece, lift: number): Carried | null {
  if (!ctx.looks || !ctx.geometry) return null;
  const icon = pieceIcon(ctx.looks, piece, ctx.settings.flipped);
  const picture = ctx.looks.images?.pieces.find(
    (it) => it.player === piece.player && it.kind === piece.kind,
  );
  const natural =
    picture && ctx.isPictured ? Math.max(picture.width, picture.height) : ctx.geometry.unit;
  const size = Math.max(24, natural * pixelScale(ctx) * 1.2);
  const node = html("div", { class: "bw-carried", "aria-hidden": "true" });
  node.append(icon);
  node.style.width = node.style.height = `${size}px`;
  document.body.append(node);
  const carried: Carried = {
    at: { x: 0, y: 0 },
    move(x, y) {
      carried.at = { x, y: y - lift };
      node.style.transform = `translate(${x - size / 2}px, ${y - lift - size / 2}px)`;
    },
    end() {
      node.remove();
    },
  };
  return carried;
}
