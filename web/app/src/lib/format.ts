// Numbers and times in words.
import type { SeatSetup } from "$protocol";
import { number, t } from "./words";

/** 0.4 of the first player's pieces, with its sign: "+0.4". */
export function points(hundredths: number): string {
  // a proven win is 100000 less the moves it takes
  if (Math.abs(hundredths) >= 90_000)
    return `${hundredths > 0 ? "+" : "−"}#${Math.max(0, 100_000 - Math.abs(hundredths))}`;
  const value = Math.abs(hundredths) / 100;
  const digits = value >= 100 ? 0 : 1;
  if (Number(value.toFixed(digits)) === 0) return number(0, 1);
  return (hundredths > 0 ? "+" : "−") + number(value, digits);
}

export function big(n: number): string {
  if (n >= 1e9) return `${number(n / 1e9, 1)} G`;
  if (n >= 1e6) return `${number(n / 1e6, 1)} M`;
  if (n >= 1e4) return `${number(Math.round(n / 1e3))} k`;
  if (n >= 1e3) return `${number(n / 1e3, 1)} k`;
  return number(Math.round(n));
}

export function ago(time: number, now = Date.now()): string {
  const minutes = Math.max(0, Math.round((now - time) / 60_000));
  if (minutes < 1) return t("time.now");
  if (minutes < 60) return t("time.minutes", { n: minutes });
  const hours = Math.round(minutes / 60);
  if (hours < 24) return t("time.hours", { n: hours });
  return t("time.days", { n: Math.round(hours / 24) });
}

/** How much of the bar belongs to the first player, 0 to 100. */
export function share(hundredths: number): number {
  return Math.round(100 / (1 + Math.exp(-hundredths / 300)));
}

const LEVELS = [
  "level.1",
  "level.2",
  "level.3",
  "level.4",
  "level.5",
  "level.6",
  "level.7",
  "level.8",
  "level.9",
  "level.10",
] as const;
export function levelWord(level: number): string {
  return t(LEVELS[Math.min(10, Math.max(1, Math.round(level))) - 1] ?? "level.5");
}

export function seatWord(setup: SeatSetup): string {
  switch (setup.type) {
    case "person":
      return setup.name || t("seat.you");
    case "guest":
      return t("seat.guest");
    case "engine":
      return t("seat.engineLevel", { level: setup.level });
    case "random":
      return t("seat.random");
  }
}

/** Who plays, on a card of a list. */
export function seatsWord(seats: string[]): string {
  const [name = ""] = seats;
  if (seats.length < 2 || seats.some((one) => one !== name)) return seats.join(", ");
  return t(seats.length === 2 ? "continue.both" : "continue.together", { name });
}

/** Within a sentence: "against the engine, level 6". */
export function seatInSentence(setup: SeatSetup, name: string): string {
  return setup.type === "engine"
    ? t("seat.engineIn", { level: setup.level })
    : name || seatWord(setup).toLowerCase();
}

export const cap = (text: string) =>
  text === "" ? text : text.charAt(0).toUpperCase() + text.slice(1);
