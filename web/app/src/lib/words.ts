// Every sentence of the interface has an id. A language is one object from ids to text;
// {name} is filled in, and "one|many" chooses by the number {n}.
import { en } from "./words.en";

export type WordId = keyof typeof en;
export type Language = Record<WordId, string>;

let current: Language = en;
let plural = new Intl.PluralRules("en");

/** Another language may lack ids: English stands in for them. */
export function useLanguage(tag: string, words: Partial<Language>): void {
  current = { ...en, ...words };
  plural = new Intl.PluralRules(tag);
}

export function t(id: WordId, values: Record<string, string | number> = {}): string {
  let text: string = current[id];
  if (text.includes("|")) {
    const forms = text.split("|");
    const isOne = typeof values.n === "number" && plural.select(values.n) === "one";
    text = (isOne ? forms[0] : forms[forms.length - 1]) ?? text;
  }
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name];
    return value === undefined ? whole : String(value);
  });
}
