import { createInstance } from "i18next";
import { english } from "./english.ts";
import { documentLanguage } from "./language.ts";
import type { Reason, ReasonParams, SentReason } from "./reasons.ts";
import { renamedReasons } from "./renamed-reasons.ts";

type Joined<P extends string, K extends string> = P extends "" ? K : `${P}.${K}`;
/** `due_one` and `due_other` are plural forms of one message, requested as `due` with a `count`. */
type Singular<K extends string> = K extends `${infer S}_${"zero" | "one" | "two" | "few" | "many" | "other"}` ? S : K;
type Entries<T, P extends string = ""> = {
  [K in keyof T & string]: T[K] extends string ? [Joined<P, Singular<K>>, T[K]] : Entries<T[K], Joined<P, K>>;
}[keyof T & string];

type Entry = Entries<typeof english>;
type TextOf<K extends MessageKey> = Extract<Entry, [K, string]>[1];
type NamesIn<S> = S extends `${string}{{${infer N}}}${infer Rest}` ? N | NamesIn<Rest> : never;
type Values<K extends MessageKey> = [NamesIn<TextOf<K>>] extends [never]
  ? []
  : [Record<NamesIn<TextOf<K>>, string | number>];

export type MessageKey = Entry[0];

const numbers = new Map<string, Intl.NumberFormat>();

/** Formats a number in the document's language; four digits are not grouped, as in years and page numbers. */
export function formatNumber(value: number, fractionDigits?: number): string {
  const key = `${documentLanguage()} ${fractionDigits ?? ""}`;
  const digits =
    fractionDigits === undefined
      ? {}
      : { minimumFractionDigits: fractionDigits, maximumFractionDigits: fractionDigits };
  const format = numbers.get(key) ?? new Intl.NumberFormat(documentLanguage(), { useGrouping: "min2", ...digits });
  numbers.set(key, format);
  return format.format(value);
}

const messages = createInstance({
  lng: "en",
  fallbackLng: "en",
  resources: { en: { translation: english } },
  initAsync: false,
  // React escapes what it renders; escaping here too would show entities. This hook only formats numbers.
  interpolation: {
    escapeValue: true,
    useRawValueToEscape: true,
    escape: (value: unknown) => (typeof value === "number" ? formatNumber(value) : String(value)),
  },
});
void messages.init();

/**
 * Adds a feature's messages; the build calls it where the feature's code is loaded.
 * @public
 */
export function addMessages(part: Partial<typeof english>): void {
  messages.addResourceBundle("en", "translation", part, true, true);
}

/** Adds English reasons that originate in this client; those of the server come with their English text. */
export function addReasons(part: Partial<typeof english.reasons>): void {
  messages.addResourceBundle("en", "translation", { reasons: part }, true, true);
}

interface LanguagePack {
  table: object;
  /** Screen titles by their English text. */
  titles: Readonly<Record<string, string>>;
}

/** Switches to another language; English is the fallback for missing messages. */
export async function setLanguage(language: string, pack: LanguagePack): Promise<void> {
  messages.addResourceBundle(language, "translation", pack.table, true, true);
  await messages.changeLanguage(language);
  titles = pack.titles;
}

/** Sets a function that post-processes every message before it is shown. */
export function setPostprocessor(transform: (message: string) => string): void {
  postprocess = transform;
}

let titles: LanguagePack["titles"] = {};

/** A screen's title in the current language; the table of screens names it in English. */
export const translateTitle = (title: string): string => postprocess(titles[title] ?? title);

let postprocess = (message: string): string => message;

/** The key of a reason's text, also for a reason under an earlier name. */
const messageKeyOf = (reason = "") => `reasons.${renamedReasons[reason] ?? reason}`;

/** The English text of a reason, as the wire carries it whatever the language of this document. */
export const englishReason = (reason: string | undefined, params: ReasonParams = {}): string =>
  messages.t(messageKeyOf(reason), { ...params, lng: "en" });

export const englishOf = ({ reason, params }: Reason): string => englishReason(reason, params);

/** A reason in the language of this document. */
export const translateReason = ({ reason, params }: Reason): string => lookUp(messageKeyOf(reason), params ?? {});

/** A text that came with its reason, in the language of this document; as it came where the reason is unknown here. */
export function translateSent(message: string, why: SentReason): string {
  const { reason, params = {} } = why;
  return documentLanguage() !== "en" && isKnownHere(why) ? lookUp(messageKeyOf(reason), params) : postprocess(message);
}

const isKnownHere = ({ reason, params = {} }: SentReason) =>
  reason !== undefined && messages.exists(messageKeyOf(reason), { ...params });

/** The same for a text of several reasons. */
export const translateAll = (message: string, reasons: readonly SentReason[]): string =>
  reasons.every(isKnownHere) && reasons.length > 0 && documentLanguage() !== "en"
    ? reasons.map((why) => translateSent("", why)).join(" ")
    : postprocess(message);

/** The English text of one of the tutor's phrases, as it is stored. */
export const englishPhrase = (key: string, values: ReasonParams): string =>
  messages.t(`phrases.${key}`, { ...values, lng: "en" });

/** One of the tutor's phrases in the document's language; its English text where the key is unknown here. */
export const translatePhrase = (text: string, key: string, values: ReasonParams): string =>
  documentLanguage() !== "en" && messages.exists(`phrases.${key}`, { ...values })
    ? lookUp(`phrases.${key}`, values)
    : postprocess(text);

/** i18next's own key types do not support tables of this depth; the types above are checked instead. */
const lookUp = (key: string, values: Record<string, string | number>): string => postprocess(messages.t(key, values));

/** An interface message by key; every `{{name}}` in the message requires a value. */
export function t<K extends MessageKey>(key: K, ...values: Values<K>): string {
  return lookUp(key, values[0] ?? {});
}
