// A language to test with: English in brackets, from right to left. Chosen by setting the
// preference `language` to "en-XB"; it is not in the settings.
import { ENGLISH } from "$board/words";
import type { LanguagePack } from "./language.svelte";
import type { Forms, Language } from "./words";
import { en } from "./words.en";

const bracketed = (text: string): Forms =>
  text
    .split("|")
    .map((it) => `⟦${it}⟧`)
    .join("|");

export const pack: LanguagePack = {
  words: Object.fromEntries(
    Object.entries(en).map(([id, text]) => [id, bracketed(text)]),
  ) as Language,
  board: ENGLISH,
  names: {},
  phrases: null,
};
