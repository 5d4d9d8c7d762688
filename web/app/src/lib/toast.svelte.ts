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
let timer: ReturnType<typeof setTimeout> | undefined;

export function toast(message: Toast | string): void {
  clearTimeout(timer);
  toasts.now = typeof message === "string" ? { text: message } : message;
  if (!toasts.now.stays) arm(toasts.now.seconds ?? 5);
}

function arm(seconds: number): void {
  timer = setTimeout(() => {
    if (toasts.isHeld) arm(1);
    else toasts.now = null;
  }, seconds * 1000);
}

export function dismiss(): void {
  clearTimeout(timer);
  toasts.now = null;
}

/** Spoken to a screen reader: politely, or at once. */
export const speech = $state({ polite: "", assertive: "" });
export function say(text: string, isUrgent = false): void {
  if (isUrgent) speech.assertive = text;
  else speech.polite = text;
}
