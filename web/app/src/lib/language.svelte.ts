// Which language the pages are in: the one chosen in the settings, else the first of the browser's
// that we have, else English. Only the one in use is loaded.
import { ENGLISH, type Words } from "$board/words";
import { read } from "./storage";
import { useLanguage, type Language } from "./words";
import { en } from "./words.en";

/** What a language brings; `names` are those of players and pieces in rule files. */
export interface LanguagePack {
  words: Language;
  board: Words;
  names: Readonly<Record<string, string>>;
  phrases: Readonly<Record<string, Language[keyof Language]>> | null;
}

/** The languages in the settings, each by its own name. */
export const LANGUAGES = [
  { tag: "en", name: "English" },
  { tag: "de", name: "Deutsch" },
  { tag: "es", name: "Español" },
] as const;

const RIGHT_TO_LEFT = new Set(["ar", "fa", "he", "ur", "en-XB"]);
const ENGLISH_PACK: LanguagePack = { words: en, board: ENGLISH, names: {}, phrases: null };
const LOADERS: Record<string, () => Promise<LanguagePack>> = {
  en: () => Promise.resolve(ENGLISH_PACK),
  de: () => import("./words.de").then((it) => it.pack),
  es: () => import("./words.es").then((it) => it.pack),
  // English from right to left, in brackets: what is outside of them is not translatable
  "en-XB": () => import("./words.pseudo").then((it) => it.pack),
};

/** The language on the screen. */
export const shown = $state({ tag: "en" });
let pack: LanguagePack = ENGLISH_PACK;

/** The language for a preference: a tag, or "system". */
export function languageFor(preference: string, wanted: readonly string[]): string {
  if (preference in LOADERS) return preference;
  for (const tag of wanted) {
    const base = tag.toLowerCase().split("-")[0] ?? "";
    if (LANGUAGES.some((it) => it.tag === base)) return base;
  }
  return "en";
}

/** Loads and uses the language of a preference; English if it cannot be loaded. */
export async function speak(preference: string): Promise<void> {
  const tag = languageFor(preference, navigator.languages);
  if (tag === shown.tag) return;
  let found: LanguagePack;
  try {
    found = (await LOADERS[tag]?.()) ?? ENGLISH_PACK;
  } catch {
    return; // the server is gone: what is on the screen stays
  }
  pack = found;
  useLanguage(tag, found.words);
  const root = document.documentElement;
  root.lang = tag;
  root.dir = RIGHT_TO_LEFT.has(tag) ? "rtl" : "ltr";
  shown.tag = tag;
}

/** The language that this browser was last set to. */
export const storedLanguage = () =>
  read<{ language?: unknown }>("bw.prefs", {}).language?.toString() ?? "system";

/** The words of the board in the language in use. */
export const boardWords = (): Words => pack.board;

/** The name of a player or piece of a rule file, if the language has one for it. */
export const nameOf = (name: string): string => pack.names[name] ?? name;

/** The templates of what the server says; none in English, which the server speaks itself. */
export const phrases = () => pack.phrases;
