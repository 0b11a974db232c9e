import { createInstance } from "i18next";
import type { account } from "./en/account.ts";
import type { manners } from "./en/manners.ts";
import { auth } from "./en/auth.ts";
import { common } from "./en/common.ts";
import type { connections } from "./en/connections.ts";
import { failures } from "./en/failures.ts";
import { flashcards } from "./en/flashcards.ts";
import { home } from "./en/home.ts";
import type { knowledge } from "./en/knowledge.ts";
import { library } from "./en/library.ts";
import { marketing } from "./en/marketing.ts";
import type { making } from "./en/making.ts";
import type { modes } from "./en/modes.ts";
import { pages } from "./en/pages.ts";
import type { pdf } from "./en/pdf.ts";
import type { planning } from "./en/planning.ts";
import type { quiz } from "./en/quiz.ts";
import { shell } from "./en/shell.ts";
import { study } from "./en/study.ts";
import { tutor } from "./en/tutor.ts";
import { unsaved } from "./en/unsaved.ts";
import { uploads } from "./en/uploads.ts";
import { user } from "./en/user.ts";
import type { video } from "./en/video.ts";

const english = {
  auth,
  common,
  failures,
  flashcards,
  home,
  library,
  marketing,
  pages,
  shell,
  study,
  tutor,
  unsaved,
  uploads,
  user,
} as const;

/** Namespaces that only some screens use come with those screens: `addMessages` puts them in. */
interface Late {
  account: typeof account;
  connections: typeof connections;
  knowledge: typeof knowledge;
  making: typeof making;
  modes: typeof modes;
  pdf: typeof pdf;
  planning: typeof planning;
  quiz: typeof quiz;
  video: typeof video;
  manners: typeof manners;
}

type Joined<P extends string, K extends string> = P extends "" ? K : `${P}.${K}`;
/** `due_one` and `due_other` are the forms of one message, asked for as `due` with a `count`. */
type Singular<K extends string> = K extends `${infer S}_${"zero" | "one" | "two" | "few" | "many" | "other"}` ? S : K;
type Entries<T, P extends string = ""> = {
  [K in keyof T & string]: T[K] extends string ? [Joined<P, Singular<K>>, T[K]] : Entries<T[K], Joined<P, K>>;
}[keyof T & string];

type Entry = Entries<typeof english & Late>;
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

/** Puts the words of a screen in; called where the screen is loaded, before anything of it is drawn. */
export function addMessages(part: Partial<Late>): void {
  messages.addResourceBundle("en", "translation", part, true, true);
}

/** i18next's own key types stop at a depth that these tables pass; ours above are the ones that are checked. */
const lookUp = (key: string, values: Record<string, string | number>): string => messages.t(key, values);

/** The words of the interface by key; what stands in double braces in the message must be given. */
export function t<K extends MessageKey>(key: K, ...values: Values<K>): string {
  return lookUp(key, values[0] ?? {});
}
