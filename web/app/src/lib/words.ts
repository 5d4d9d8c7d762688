// Every sentence of the interface has an id. A language is one object from ids to text;
// {name} is filled in, and "one|other" chooses by the number {n}. A language with more plural
// forms than two names them: { one: …, few: …, other: … }.
import { en } from "./words.en";

export type WordId = keyof typeof en;
export type Forms = string | (Partial<Record<Intl.LDMLPluralRule, string>> & { other: string });
/** Complete: a language that lacks an id does not compile. */
export type Language<Id extends string = WordId> = Record<Id, Forms>;
export type Values = Record<string, string | number>;

let current: Language = en;
let plural = new Intl.PluralRules("en");
let numbers = new Intl.NumberFormat("en", { useGrouping: "min2" });
let tag = "en";

export function useLanguage(newTag: string, words: Language): void {
  tag = newTag;
  current = words;
  plural = new Intl.PluralRules(newTag);
  numbers = new Intl.NumberFormat(newTag, { useGrouping: "min2" });
}

/** The tag of the language in use. */
export const languageTag = () => tag;

export function t(id: WordId, values: Values = {}): string {
  return filled(current[id], values);
}

/** A text with its plural chosen and its values filled in. */
export function filled(forms: Forms, values: Values): string {
  return chosen(forms, values.n).replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name];
    if (value === undefined) return whole;
    return typeof value === "number" ? numbers.format(value) : value;
  });
}

function chosen(forms: Forms, n: string | number | undefined): string {
  const form = typeof n === "number" ? plural.select(n) : "other";
  if (typeof forms !== "string") return forms[form] ?? forms.other;
  if (!forms.includes("|")) return forms;
  const [one = "", other = one] = forms.split("|");
  return form === "one" ? one : other;
}

/** A number as the language writes it. */
export function number(value: number, digits = 0): string {
  if (digits === 0) return numbers.format(value);
  return new Intl.NumberFormat(numbers.resolvedOptions().locale, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(value);
}

/** "a, b and c" or "a, b or c". */
export function list(texts: string[], type: "conjunction" | "disjunction" = "conjunction"): string {
  return new Intl.ListFormat(numbers.resolvedOptions().locale, { type }).format(texts);
}
