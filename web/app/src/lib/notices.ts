// Messages about a match: toasts for the eye, speech for screen readers.
import type { Event } from "$protocol";
import { dismiss, say, toast, toasts } from "./toast.svelte";
import { t } from "./words";

export function noticeRefusal(
  { message, why }: Extract<Event, { type: "refused" }>,
  explain: (why: string) => void,
): void {
  const action = why ? { action: { label: t("play.why"), run: () => explain(why) } } : {};
  toast({ text: message, icon: "info", ...action });
  say(message, true);
}

/** Says when the connection breaks and when it is back. */
export class ConnectionNotice {
  private wasLost = false;

  constructor(private readonly retry: () => void) {}

  lost(hasPendingMove: boolean): void {
    this.wasLost = true;
    toast({
      text: t(hasPendingMove ? "play.lostKept" : "play.lost"),
      icon: "warn",
      isBad: true,
      stays: true,
      action: { label: t("play.retry"), run: this.retry },
    });
  }

  open(): void {
    if (!this.wasLost) return;
    this.wasLost = false;
    if (toasts.now?.stays) dismiss();
    toast({ text: t("play.again"), icon: "check", seconds: 2 });
  }
}
