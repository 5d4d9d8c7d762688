// A hand or stock beside the board: pieces that wait to be dropped. It shares the
// drag, the selection and the looks of its board.
import type { Player } from "$protocol";
import { marksMovable, mayMove, type Context } from "./context";
import { html, set } from "./dom";
import { canPick, sameSource, type Piece, type Source } from "./moves";
import { pieceIcon } from "./pieces";
import type { Pointer } from "./pointer";

export interface HandOptions {
  player: Player;
  /** The opponent's hand stands at the far side: aligned to the end, counts above. */
  far?: boolean;
  /** Shown although nothing is in it, so that the page does not jump. */
  keep?: boolean;
}

export interface Hand {
  destroy(): void;
  set(options: Partial<HandOptions>): void;
}

export function makeHand(
  ctx: Context,
  pointer: Pointer,
  host: HTMLElement,
  initial: HandOptions,
): Hand {
  let options = initial;
  const root = html("div", { class: "bw-handbox", role: "group" });
  host.append(root);
  const buttons = new Map<string, HTMLButtonElement>();

  function refresh() {
    const { state, game, looks } = ctx;
    root.classList.toggle("bw-far", !!options.far);
    if (ctx.settings.theme) root.dataset["board"] = ctx.settings.theme;
    else delete root.dataset["board"];
    if (!state || !game || !looks) {
      root.replaceChildren();
      return;
    }
    set(root, "aria-label", ctx.words.hand(game.players[options.player]?.name ?? ""));
    const entries = state.hands.filter(
      (it) => it.player === options.player && it.count > 0 && !game.kinds[it.kind]?.isThrown,
    );
    root.hidden = !entries.length && !options.keep;
    const wanted = new Set<string>();
    entries.forEach((entry, i) => {
      const piece: Piece = { player: entry.player, kind: entry.kind };
      const look = looks.images ? `i${ctx.settings.imageSet}` : (ctx.settings.pieceSet ?? "");
      const key = `${entry.player} ${entry.kind} ${look} ${ctx.settings.flipped} ${game.game} ${game.n}`;
      wanted.add(key);
      const source: Source = { type: "hand", ...piece };
      const button = buttons.get(key) ?? make(key, source);
      if (root.children[i] !== button) root.insertBefore(button, root.children[i] ?? null);
      const isPickable =
        mayMove(ctx) && entry.player === state.mover && canPick(state.moves, source);
      set(
        button,
        "aria-label",
        ctx.words.handPiece(game.kinds[entry.kind]?.name ?? "", entry.count),
      );
      set(button, "aria-pressed", String(sameSource(ctx.selected, source)));
      set(button, "aria-disabled", String(!isPickable));
      button.classList.toggle("bw-can", isPickable && marksMovable(ctx));
      const count = button.lastElementChild as HTMLElement;
      if (count.textContent !== String(entry.count)) count.textContent = String(entry.count);
    });
    for (const [key, button] of buttons)
      if (!wanted.has(key)) {
        button.remove();
        buttons.delete(key);
      }
  }

  function make(key: string, source: Extract<Source, { type: "hand" }>): HTMLButtonElement {
    const button = html("button", {
      type: "button",
      class: "bw-hp",
      "data-kind": ctx.game?.kinds[source.kind]?.name ?? "",
    });
    if (ctx.looks) button.append(pieceIcon(ctx.looks, source, ctx.settings.flipped));
    button.append(html("b", { class: "bw-count", "aria-hidden": "true" }));
    const isPickable = () => button.getAttribute("aria-disabled") !== "true";
    let wasPicked = false;
    button.addEventListener("pointerdown", (event) => {
      if (event.button !== 0 || !isPickable()) return;
      event.preventDefault();
      // a touch would else keep its events on this button
      if (button.hasPointerCapture(event.pointerId)) button.releasePointerCapture(event.pointerId);
      wasPicked = sameSource(ctx.selected, source);
      if (!wasPicked) ctx.select(source);
      pointer.takeOver(event, source);
    });
    button.addEventListener("click", (event) => {
      if (!isPickable()) return;
      if (event.detail === 0) ctx.select(sameSource(ctx.selected, source) ? null : source);
      else if (wasPicked) ctx.select(null);
      wasPicked = false;
    });
    buttons.set(key, button);
    return button;
  }

  function spotOf(piece: Piece) {
    const button = [...buttons].find(([key]) =>
      key.startsWith(`${piece.player} ${piece.kind} `),
    )?.[1];
    const box = (button ?? root).getBoundingClientRect();
    return piece.player === options.player && box.width
      ? { x: box.left + box.width / 2, y: box.top + box.height / 2 }
      : null;
  }

  const entry = { refresh, spotOf };
  ctx.hands.push(entry);
  refresh();
  return {
    set(more) {
      options = { ...options, ...more };
      refresh();
    },
    destroy() {
      ctx.hands.splice(ctx.hands.indexOf(entry), 1);
      root.remove();
    },
  };
}
