import { createInstance } from "i18next";
import { answersBy } from "./answers.ts";
import { english } from "./english.ts";
import { languageHere } from "./language.ts";
import type { Reason, ReasonParams, SentReason } from "./reasons.ts";

type Joined<P extends string, K extends string> = P extends "" ? K : `${P}.${K}`;
/** `due_one` and `due_other` are the forms of one message, asked for as `due` with a `count`. */
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

/** A number as the language of this document writes it; four figures stand without a mark, as in years and pages. */
export function sayNumber(value: number, places?: number): string {
  const key = `${languageHere()} ${places ?? ""}`;
  const digits = places === undefined ? {} : { minimumFractionDigits: places, maximumFractionDigits: places };
  const format = numbers.get(key) ?? new Intl.NumberFormat(languageHere(), { useGrouping: "min2", ...digits });
  numbers.set(key, format);
  return format.format(value);
}

const messages = createInstance({
  lng: "en",
  fallbackLng: "en",
  resources: { en: { translation: english } },
  initAsync: false,
  // React escapes what it renders; doing it here too would show entities. What is done here is the writing of numbers.
  interpolation: {
    escapeValue: true,
    useRawValueToEscape: true,
    escape: (value: unknown) => (typeof value === "number" ? sayNumber(value) : String(value)),
  },
});
void messages.init();

/**
 * Puts the words of a feature in; what is built calls it where the feature's code is loaded.
 * @public
 */
export function addMessages(part: Partial<typeof english>): void {
  messages.addResourceBundle("en", "translation", part, true, true);
}

/** Adds English reasons that this client finds by itself; those of the server come with their English text. */
export function addReasons(part: Partial<typeof english.reasons>): void {
  messages.addResourceBundle("en", "translation", { reasons: part }, true, true);
}

interface Spoken {
  table: object;
  /** Titles of screens by their English ones. */
  titles: Readonly<Record<string, string>>;
  /** What the tutor itself says in an answer, in the same form. */
  answers: Readonly<Record<string, string>>;
}

/** The words of another language; English stands in for what it lacks. */
export async function speak(language: string, spoken: Spoken): Promise<void> {
  messages.addResourceBundle(language, "translation", spoken.table, true, true);
  await messages.changeLanguage(language);
  titles = spoken.titles;
  sayAnswered = answersBy(spoken.answers);
}

/** Every message passes here before it is shown. */
export function mendBy(mend: (message: string) => string): void {
  mended = mend;
}

let titles: Spoken["titles"] = {};

/** A screen's title in this language; the table of screens names it in English. */
export const titleHere = (title: string): string => mended(titles[title] ?? title);

let mended = (message: string): string => message;

let sayAnswered = (phrase: string): string => phrase;

/** The English text of a reason, as the wire carries it whatever the language of this document. */
export const englishReason = (reason: string | undefined, params: ReasonParams = {}): string =>
  messages.t(`reasons.${reason}` as string, { ...params, lng: "en" });

export const englishOf = ({ reason, params }: Reason): string => englishReason(reason, params);

/** A reason in the language of this document. */
export const translateReason = ({ reason, params }: Reason): string => lookUp(`reasons.${reason}`, params ?? {});

/** A text that came with its reason, in the language of this document; as it came where the reason is unknown here. */
export function translateSent(message: string, why: SentReason): string {
  const { reason, params = {} } = why;
  return languageHere() !== "en" && isKnownHere(why) ? lookUp(`reasons.${reason}`, params) : mended(message);
}

const isKnownHere = ({ reason, params = {} }: SentReason) =>
  reason !== undefined && messages.exists(`reasons.${reason}`, { ...params });

/** The same for a text of several reasons. */
export const translateAll = (message: string, reasons: readonly SentReason[]): string =>
  reasons.every(isKnownHere) && reasons.length > 0 && languageHere() !== "en"
    ? reasons.map((why) => translateSent("", why)).join(" ")
    : mended(message);

/** A phrase of the tutor's own in the language of this document; any other words come back as they were. */
export const asAnswered = (phrase: string): string => sayAnswered(phrase);

/** i18next's own key types stop at a depth that these tables pass; ours above are the ones that are checked. */
const lookUp = (key: string, values: Record<string, string | number>): string => mended(messages.t(key, values));

/** The words of the interface by key; what stands in double braces in the message must be given. */
export function t<K extends MessageKey>(key: K, ...values: Values<K>): string {
  return lookUp(key, values[0] ?? {});
}
