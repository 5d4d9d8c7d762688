// One short message at a time; never the only place of a fact.
export interface Toast {
  text: string;
  icon?: string;
  isBad?: boolean;
  stays?: boolean;
  action?: { label: string; run: () => void };
  seconds?: number;
}

export const toasts = $state<{ now: Toast | null; isHeld: boolean }>({ now: null, isHeld: false });
let number = 0;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Shows a message; the number it gives takes back this message and no later one. */
export function toast(message: Toast | string): number {
  clearTimeout(timer);
  number += 1;
  toasts.now = typeof message === "string" ? { text: message } : message;
  if (!toasts.now.stays) arm(toasts.now.seconds ?? 5);
  return number;
}

function arm(seconds: number): void {
  timer = setTimeout(() => {
    if (toasts.isHeld) arm(1);
    else toasts.now = null;
  }, seconds * 1000);
}

/** Takes the message away; with a number, only the one that has it. */
export function dismiss(which?: number): void {
  if (which !== undefined && which !== number) return;
  clearTimeout(timer);
  toasts.now = null;
}

/** Spoken to a screen reader: politely, or at once. */
export const speech = $state({ polite: "", assertive: "" });
export function say(text: string, isUrgent = false): void {
  if (isUrgent) speech.assertive = text;
  else speech.polite = text;
}
