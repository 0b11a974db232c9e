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
