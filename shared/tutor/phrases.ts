import type { phrases } from "#shared/messages/en/study/phrases.ts";
import { documentLanguage } from "#shared/messages/language.ts";
import { englishPhrase, translatePhrase } from "#shared/messages/translate.ts";
import { textOfPart } from "./message-parts.ts";
import type { MessagePart, PhrasePart, PhraseValue } from "./schema.ts";

type Table = typeof phrases;
/** `plan_day_one` and `plan_day_other` are the forms of one phrase, whose key is `plan_day` with a `count`. */
type Singular<K extends string> = K extends `${infer S}_${"one" | "other"}` ? S : K;
type TextOf<K extends string> = Table[(K | `${K}_one` | `${K}_other`) & keyof Table];
type NamesIn<S> = S extends `${string}{{${infer N}}}${infer Rest}` ? N | NamesIn<Rest> : never;

/** A key of the table of phrases. */
export type PhraseKey = Singular<keyof Table>;
/** The values of a phrase's placeholders; empty for a phrase without placeholders. */
type Params<K extends PhraseKey> = [NamesIn<TextOf<K>>] extends [never]
  ? []
  : [Readonly<Record<NamesIn<TextOf<K>>, PhraseValue>>];

/** Escapes a source's text so that Markdown shows it unchanged. */
export const escapeMarkdown = (text: string) => text.replaceAll(/[\\`*_{}[\]<>#|~$!]/g, String.raw`\$&`);

const unchanged = (text: string) => text;

/** "Tuesday, 1 September" in a language, from `2026-09-01`. */
function formatDay(date: string, language: string): string {
  const tag = language === "de" ? "de" : "en-GB";
  const format = new Intl.DateTimeFormat(tag, { weekday: "long", day: "numeric", month: "long", timeZone: "UTC" });
  return format.format(Date.parse(date));
}

function formatValue(value: PhraseValue, language: string, formatWords: (words: string) => string): string | number {
  if (typeof value === "number") return value;
  if (typeof value === "string") return formatWords(value);
  return "date" in value ? formatDay(value.date, language) : value.list.map(formatWords).join(", ");
}

const formatParams = (params: PhrasePart["params"], language: string, formatWords: (words: string) => string) =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, formatValue(value, language, formatWords)] as const),
  );

function createPhrase(key: string, params: PhrasePart["params"], formatWords: (words: string) => string): PhrasePart {
  return { type: "phrase", key, params, text: englishPhrase(key, formatParams(params, "en", formatWords)) };
}

/** A phrase of an answer. Answers are Markdown, so words in the phrase's values are escaped. */
export const phrase = <K extends PhraseKey>(key: K, ...params: Params<K>): PhrasePart =>
  createPhrase(key, params[0] ?? {}, escapeMarkdown);

/** A phrase outside of Markdown, such as a suggested question. */
export const plainPhrase = <K extends PhraseKey>(key: K, ...params: Params<K>): PhrasePart =>
  createPhrase(key, params[0] ?? {}, unchanged);

/** A phrase in the document's language; in English if its key is unknown here. */
const translate = (part: PhrasePart, formatWords: (words: string) => string): string =>
  translatePhrase(part.text, part.key, formatParams(part.params, documentLanguage(), formatWords));

/** A part of an answer as Markdown in the document's language; words of sources and models stay unchanged. */
export const translatePart = (part: MessagePart): string =>
  part.type === "phrase" ? translate(part, escapeMarkdown) : textOfPart(part);

/** A suggested question in the document's language. */
export const translatePlainPart = (part: MessagePart): string =>
  part.type === "phrase" ? translate(part, unchanged) : textOfPart(part);

/** An answer as Markdown in the document's language; an old answer without parts is shown as it was stored. */
export const translateAnswer = ({ text, parts }: { text: string; parts?: readonly MessagePart[] | undefined }) =>
  parts ? parts.map(translatePart).join("") : text;
