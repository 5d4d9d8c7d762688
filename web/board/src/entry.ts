// From chosen moves to the one that is sent: the menu where several share a click, and steps of
// an unfinished move that play themselves.
import type { MoveView, Site } from "$protocol";
import { openChoice, type Choice } from "./choice";
import { mayMove, type Context } from "./context";
import { canPick, distinct, type Source } from "./moves";

/** Time in which a player sees the step before it is continued, in milliseconds. */
const CONTINUE_DELAY = 300;

export class MoveEntry {
  private choice: Choice | null = null;
  private timer = 0;

  /** `onCancel` is called when the menu was closed without a choice. */
  constructor(
    private readonly ctx: Context,
    private readonly onSend: (move: MoveView) => void,
    private readonly onCancel: () => void,
  ) {}

  /** Plays the only move, or lets the player choose between several. */
  play(moves: MoveView[], site: Site | null) {
    this.closeChoice();
    const only = moves[0];
    if (!only) return;
    if (moves.length === 1) {
      this.send(only, site);
      return;
    }
    const hadFocus = this.hasFocus();
    this.choice = openChoice(this.ctx, moves, site, (move) => {
      this.choice = null;
      if (hadFocus && site !== null) this.ctx.focus(site);
      if (move) this.send(move, site);
      else this.onCancel();
    });
  }

  /** The piece of an unfinished move, which is picked up by itself. */
  unfinished(): Source | null {
    const { state } = this.ctx;
    const site = state?.path[state.path.length - 1];
    if (site === undefined || !state || !mayMove(this.ctx)) return null;
    const source: Source = { type: "site", site };
    return canPick(state.moves, source) ? source : null;
  }

  /** Plays the continuation of an unfinished move after a moment, if there is only one. */
  continueAlone() {
    const { ctx } = this;
    const state = ctx.state;
    if (!state?.path.length || !ctx.settings.autoContinue || !mayMove(ctx)) return;
    const [move, other] = distinct(state.moves, ctx.placement);
    if (!move || other || move.pass) return;
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => {
      if (ctx.state === state && mayMove(ctx)) this.send(move, null);
    }, CONTINUE_DELAY);
  }

  closeChoice() {
    this.choice?.close();
    this.choice = null;
  }

  /** Closes the menu and plays nothing by itself. */
  cancel() {
    window.clearTimeout(this.timer);
    this.closeChoice();
  }

  private send(move: MoveView, site: Site | null) {
    const { ctx } = this;
    ctx.selected = null;
    // after a move the focus stays on the arrival site
    if (move.to !== null && site !== null && this.hasFocus()) ctx.focus(move.to);
    this.onSend(move);
    ctx.options.onMove?.(move);
  }

  private hasFocus(): boolean {
    return this.ctx.layers.root.contains(document.activeElement);
  }
}
