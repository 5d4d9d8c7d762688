// The user's preferences: appearance, sound, engine. Kept in this browser at once,
// and with the server so that another browser finds it.
import type { UserView } from "$protocol";
import * as api from "./api";
import { speak } from "./language.svelte";
import { read, write } from "./storage";

export type Theme = "system" | "light" | "dark";
export type BoardTheme = "walnut" | "baize" | "slate" | "ink";

export interface Prefs {
  language: string; // the tag of one that we have, or "system"
  theme: Theme;
  board: BoardTheme;
  pieces: string; // id of a set; a game without it uses its first
  ownPictures: boolean;
  imageSet: number;
  targets: boolean;
  coordinates: boolean;
  animation: number; // milliseconds a move
  smartMoves: "game" | "on" | "off";
  autoStep: boolean;
  sound: boolean;
  volume: number; // 0 to 100
  gameSounds: boolean;
  verbose: boolean;
  level: number;
  seconds: number;
  variety: number;
  lines: number;
  name: string;
  autoplay: number; // milliseconds a ply
}

export const DEFAULTS: Prefs = {
  language: "system",
  theme: "system",
  board: "walnut",
  pieces: "turned",
  ownPictures: true,
  imageSet: 0,
  targets: true,
  coordinates: true,
  animation: 200,
  smartMoves: "game",
  autoStep: true,
  sound: true,
  volume: 70,
  gameSounds: true,
  verbose: false,
  level: 5,
  seconds: 3,
  variety: 1,
  lines: 3,
  name: "",
  autoplay: 900,
};

export const prefs: Prefs = $state({ ...DEFAULTS, ...read<Partial<Prefs>>("bw.prefs", {}) });
export const user = $state<{ favourites: string[]; recent: string[] }>({
  favourites: read("bw.favourites", []),
  recent: read("bw.recent", []),
});

/** Whether this browser has the key of the person who runs the server; unknown at first. */
export const visitor = $state<{ isOwner: boolean | null }>({ isOwner: null });

let timer: ReturnType<typeof setTimeout> | undefined;
let isLoaded = false;

/** Asks the server once; what it knows wins over this browser's copy. */
export async function loadUser(): Promise<void> {
  try {
    visitor.isOwner = (await api.visitor()).isOwner;
    // the preferences of a guest stay in this browser
    if (!visitor.isOwner) return;
    const view: UserView = await api.user();
    if (!view) return;
    Object.assign(prefs, valid(view.preferences));
    user.favourites = view.favourites;
    user.recent = view.recent;
    isLoaded = true;
    keepHere();
    applyTheme();
    await speak(prefs.language);
  } catch {
    // offline: this browser's copy stands
  }
}

/** Only keys we know, with the type we expect. */
export function valid(values: Record<string, unknown>): Partial<Prefs> {
  const known = Object.entries(values ?? {}).filter(
    ([key, value]) => key in DEFAULTS && typeof value === typeof DEFAULTS[key as keyof Prefs],
  );
  return Object.fromEntries(known) as Partial<Prefs>;
}

export function set<K extends keyof Prefs>(key: K, value: Prefs[K]): void {
  prefs[key] = value;
  if (key === "theme" || key === "board") applyTheme();
  save();
  if (key === "language") void speak(prefs.language);
}

export function reset(): void {
  Object.assign(prefs, DEFAULTS);
  applyTheme();
  save();
  void speak(prefs.language);
}

export function toggleFavourite(game: string): void {
  user.favourites = user.favourites.includes(game)
    ? user.favourites.filter((id) => id !== game)
    : [...user.favourites, game];
  save();
}

export function touchRecent(game: string): void {
  user.recent = [game, ...user.recent.filter((id) => id !== game)].slice(0, 12);
  save();
}

function keepHere(): void {
  write("bw.prefs", $state.snapshot(prefs));
  write("bw.favourites", user.favourites);
  write("bw.recent", user.recent);
}

function save(): void {
  keepHere();
  clearTimeout(timer);
  timer = setTimeout(() => {
    if (isLoaded)
      api
        .putUser({
          favourites: user.favourites,
          recent: user.recent,
          preferences: { ...$state.snapshot(prefs) },
        })
        .catch(() => undefined);
  }, 400);
}

const darkSystem = matchMedia("(prefers-color-scheme: dark)");
export const looks = $state({
  isDark: document.documentElement.dataset.theme === "dark",
  board: "walnut" as BoardTheme,
});

export function applyTheme(): void {
  const root = document.documentElement;
  looks.isDark = prefs.theme === "dark" || (prefs.theme === "system" && darkSystem.matches);
  root.dataset.theme = looks.isDark ? "dark" : "light";
  const wantsContrast = matchMedia("(prefers-contrast: more)").matches && prefs.board === "walnut";
  looks.board = wantsContrast ? "ink" : prefs.board;
  if (looks.board === "walnut") delete root.dataset.board;
  else root.dataset.board = looks.board;
  try {
    if (prefs.theme === "system") localStorage.removeItem("bw.theme");
    else localStorage.setItem("bw.theme", prefs.theme);
    localStorage.setItem("bw.board", prefs.board);
  } catch {
    // see storage.ts
  }
}
darkSystem.addEventListener("change", applyTheme);

/** The address of a thumbnail with the chosen board theme and piece set. */
export function thumb(url: string): string {
  return `${url}${url.includes("?") ? "&" : "?"}theme=${looks.board}${looks.isDark ? "&dark=1" : ""}${prefs.pieces === DEFAULTS.pieces ? "" : `&set=${encodeURIComponent(prefs.pieces)}`}`;
}
