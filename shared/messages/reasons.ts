import type { reasons } from "./en/reasons/reasons.ts";

type Table = typeof reasons;
/** `pages_one` and `pages_other` are the forms of one reason, asked for as `pages` with a `count`. */
type Singular<K extends string> = K extends `${infer S}_${"one" | "other"}` ? S : K;
type TextOf<K extends string> = Table[(K | `${K}_one` | `${K}_other`) & keyof Table];
type NamesIn<S> = S extends `${string}{{${infer N}}}${infer Rest}` ? N | NamesIn<Rest> : never;

/** A key of the table of reasons: why a call, a file or a job failed. */
export type ReasonKey = Singular<keyof Table>;
export type ReasonParams = Readonly<Record<string, string | number>>;
type NamesOf<K extends ReasonKey> = K extends string ? NamesIn<TextOf<K>> : never;
/** The values of a reason's placeholders; nothing where it has none. */
export type ParamsOf<K extends ReasonKey> = [NamesOf<K>] extends [never]
  ? Readonly<Record<string, never>>
  : Readonly<Record<NamesOf<K>, string | number>>;

/** A reason with what its placeholders need. */
export type Reason = {
  [K in ReasonKey]: [NamesOf<K>] extends [never]
    ? { readonly reason: K; readonly params?: undefined }
    : { readonly reason: K; readonly params: ParamsOf<K> };
}[ReasonKey];

/** Reasons whose text has no placeholders. */
export type PlainReasonKey = { [K in ReasonKey]: [NamesOf<K>] extends [never] ? K : never }[ReasonKey];

/** A reason that was sent or stored, perhaps by another version, which may know other keys. */
export interface SentReason {
  readonly reason?: string | undefined;
  readonly params?: ReasonParams | undefined;
}
