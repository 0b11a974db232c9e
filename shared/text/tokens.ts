export interface Token {
  text: string;
  lower: string;
  /** Universal part of speech. */
  pos: string;
  lemma: string;
  /** Offsets in the tagged sentence. */
  start: number;
  end: number;
}

export const isNominal = (t: Token | undefined) => t !== undefined && /^(?:NOUN|PROPN)$/.test(t.pos);
export const isVerbal = (t: Token | undefined) => t !== undefined && (t.pos === "VERB" || t.pos === "AUX");

/** The word at a position in lower case; "" outside the sentence. */
export const wordAt = (tokens: readonly Token[], i: number) => tokens[i]?.lower ?? "";
export const posAt = (tokens: readonly Token[], i: number) => tokens[i]?.pos ?? "";
