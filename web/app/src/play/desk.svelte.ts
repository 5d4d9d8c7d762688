// What one play page shows and hides; nothing here reaches the server.
export type Tab = "moves" | "analysis" | "rules" | "notes" | "chat" | "game";

export class Desk {
  tab = $state<Tab>("moves");
  isFlipped = $state(false);
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
}
