// View state of a play page: tabs, dialogs, what is highlighted. Nothing here reaches the server.
import { read, write } from "../lib/storage";

export type Tab = "moves" | "analysis" | "rules" | "notes" | "chat" | "game";

export class PlayUi {
  tab = $state<Tab>("moves");
  isFlipped = $state(false);
  private readonly match: string;
  showAttacks = $state(false);
  showGoals = $state(false);
  showAll = $state(false);
  isResultFolded = $state(false);
  isTyping = $state(false);
  dialog = $state<"seats" | "share" | "resign" | "looks" | null>(null);
  hovered = $state<number | null>(null); // the site under the pointer or cursor
  asked = $state<number | null>(null); // the site a card was asked for
  pointedLine = $state<number | null>(null);
  rule = $state<string | null>(null); // a line of the rules that "Why?" asked for

  constructor(match: string) {
    this.match = match;
  }

  /** Turns the board, and keeps it so when the page is loaded again. */
  flip(isFlipped = !this.isFlipped): void {
    this.isFlipped = isFlipped;
    write(`bw.flip.${this.match}`, isFlipped);
  }

  /** How the board was left; `otherwise` when nobody turned it yet. */
  flipAsBefore(otherwise: boolean): void {
    this.isFlipped = read<boolean | null>(`bw.flip.${this.match}`, null) ?? otherwise;
  }
}
