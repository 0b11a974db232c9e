import { createInstance } from "i18next";
import { english } from "./english.ts";

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

const messages = createInstance({
  lng: "en",
  fallbackLng: "en",
  resources: { en: { translation: english } },
  initAsync: false,
  // React escapes what it renders; doing it here too would show entities.
  interpolation: { escapeValue: false },
});
void messages.init();

/**
 * Puts the words of a feature in; what is built calls it where the feature's code is loaded.
 * @public
 */
export function addMessages(part: Partial<typeof english>): void {
  messages.addResourceBundle("en", "translation", part, true, true);
}

/** i18next's own key types stop at a depth that these tables pass; ours above are the ones that are checked. */
const lookUp = (key: string, values: Record<string, string | number>): string => messages.t(key, values);

/** The words of the interface by key; what stands in double braces in the message must be given. */
export function t<K extends MessageKey>(key: K, ...values: Values<K>): string {
  return lookUp(key, values[0] ?? {});
}
