import type { EngineCard } from "#shared/cards/schema.ts";
import type { Passage } from "#shared/pdf/schema.ts";

/** A source of an episode, read. */
export interface ScriptSource {
  title: string;
  passages: readonly Passage[];
  cards: readonly EngineCard[];
  /** The citation of words in a passage. */
  cite(passage: Passage, quote: string): string;
}

/** What the host can ask before a sentence, because the sentence answers it. */
export interface ScriptQuestion {
  /** `finish`: the sentence without its end; `own`: the source asks it before the sentence. */
  kind: "question" | "finish" | "own";
  text: string;
}

/** A sentence of a source that can be spoken. */
export interface ScriptSentence {
  sentence: string;
  spoken: string;
  citation: string;
  /** Position in its source, for reading order. */
  at: number;
  /** Higher is better. */
  score: number;
  /** It can be followed without the sentence before it. */
  isAlone: boolean;
  question?: ScriptQuestion;
}

/** Neighbouring sentences of one paragraph. The first can be heard by itself; each other one after those before it. */
export interface ScriptRun {
  sentences: readonly ScriptSentence[];
  /** It can be cut after this many sentences, and after any more. */
  minSentences: number;
  /** Higher is chosen earlier. */
  score: number;
}

export interface ScriptSection {
  title: string;
  /** The headings above it, highest first, its own last. */
  path: readonly string[];
  source: number;
  runs: readonly ScriptRun[];
}
