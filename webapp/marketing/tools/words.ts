import type { tools } from "#shared/messages/en/public/tools.ts";

type Key = keyof typeof tools;
export type ToolWords = Readonly<Record<Key, string>>;
/** Keys with plural forms: `cards_one` and `cards_other` are requested as `cards` with a count. */
type Counted = { [K in Key]: K extends `${infer S}_other` ? S : never }[Key];
type Values = Readonly<Record<string, string | number>>;

let words: Partial<ToolWords> = {};
let language = "en";

/** Sets the texts in the page's language. Called before anything is rendered. */
export function setToolWords(next: ToolWords, nextLanguage: string): void {
  words = next;
  language = nextLanguage;
}

/** Reads the texts that the build wrote into the page. */
export function readToolWords(): void {
  const data = document.getElementById("tool-words")?.textContent ?? "{}";
  setToolWords(JSON.parse(data) as ToolWords, document.documentElement.lang || "en");
}

export const toolLanguage = (): string => language;

/** A text of a tool in the page's language. */
export const word = (key: Key, values: Values = {}): string =>
  (words[key] ?? key).replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name] ?? ""));

/** A text of a tool in the form for this count. */
export const countWord = (key: Counted, count: number, values: Values = {}): string =>
  word(`${key}_${count === 1 ? "one" : "other"}` as Key, { count, ...values });
