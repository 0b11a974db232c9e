import type { EngineCard } from "#shared/cards/schema.ts";
import type { Passage } from "#shared/pdf/schema.ts";

/** A source whose text was read for an episode. */
export interface ScriptSource {
  title: string;
  passages: readonly Passage[];
  cards: readonly EngineCard[];
  /** The citation of words in a passage. */
  cite(passage: Passage, quote: string): string;
}

/** What the host can ask before a sentence that answers it. */
export interface ScriptQuestion {
  /**
   * `card`: the question of a card; `completion`: the sentence without its end; `source`: a question that the source itself
   * asks before the sentence.
   */
  kind: "card" | "completion" | "source";
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
  /** Whether it can be understood without the sentence before it. */
  isSelfContained: boolean;
  question?: ScriptQuestion;
}

/**
 * Consecutive sentences of one paragraph. The first can be understood alone, and each other one after those before it.
 */
export interface ScriptRun {
  sentences: readonly ScriptSentence[];
  /** The run may be cut after this many sentences or later. */
  minSentences: number;
  /** Runs with a higher score are chosen earlier. */
  score: number;
}

export interface ScriptSection {
  title: string;
  /** The headings above it from the top level down, its own last. */
  path: readonly string[];
  source: number;
  runs: readonly ScriptRun[];
}
