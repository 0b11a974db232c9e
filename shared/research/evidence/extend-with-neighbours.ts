import { searchTerms } from "#shared/text/search-terms.ts";
import { splitSentences } from "#shared/text/sentences.ts";
import type { EvidenceSentence } from "./candidates.ts";
import { comparedThings } from "./compared-things.ts";
import { includesAll } from "./parse-question-subject.ts";
import { isReadable, dependsOnPrevious } from "./readable-sentences.ts";
import { namingTerms } from "./terms/low-weight-terms.ts";

interface NeighbourOptions {
  language: "en" | "de";
  /** What is asked: a neighbour must be about it, or about the same things as the sentence. */
  query: string;
  /** Sentences that are already on the canvas. */
  used: ReadonlySet<string>;
  /** Maximum number of sentences, including the given ones. */
  most: number;
  /** The heading above the passage of a sentence. */
  headingOf?: (sentence: EvidenceSentence) => string | null;
}

/** Maximum number of neighbouring sentences that are quoted together. */
const MAX_RUN = 5;
/** A neighbour is about the same if it shares this many terms with the run. */
const MIN_COMMON = 2;

const keyOf = ({ source, passageId }: EvidenceSentence, at: number) => `${source} ${passageId} ${at}`;

interface Run {
  from: number;
  to: number;
  picked: EvidenceSentence;
  /** The sentences of its passage. */
  texts: readonly string[];
  /** Whether the heading above it contains all that is asked, so that each sentence of the passage is about it. */
  isUnderTopic: boolean;
}

/** Chooses the neighbours of a run that are about the question, or about the same as its sentences. */
class Neighbours {
  readonly #options: NeighbourOptions;
  readonly #asked: readonly string[];
  /** The terms of each thing that the question compares. */
  readonly #compared: readonly (readonly string[])[];

  constructor(options: NeighbourOptions) {
    this.#options = options;
    this.#asked = namingTerms(options.query);
    this.#compared = (comparedThings(options.query) ?? []).map(searchTerms);
  }

  /**
   * The positions that follow a run. One sentence about something else, or one that refers to a picture, may be between
   * them.
   */
  after(run: Run): number[] {
    const [next, second] = [run.texts[run.to + 1], run.texts[run.to + 2]];
    const mayReach = run.to - run.from + 2 < MAX_RUN && this.#isFree(second) && this.#isAsked(second);
    if (next === undefined || !this.#mayFollow(next))
      return mayReach && isReadable(second, this.#options.language) ? [run.to + 2] : [];
    if (!this.#isFree(next)) return [];
    if (dependsOnPrevious(next, this.#options.language) || this.#isOnTopic(next, run)) return [run.to + 1];
    return mayReach && this.#mayFollow(second) ? [run.to + 1, run.to + 2] : [];
  }

  /** The position before a run. */
  before(run: Run): number[] {
    const text = run.texts[run.from - 1];
    const fits = this.#isFree(text) && isReadable(text, this.#options.language) && this.#isOnTopic(text, run);
    return fits ? [run.from - 1] : [];
  }

  #mayFollow(text: string): boolean {
    return isReadable(text, this.#options.language) || dependsOnPrevious(text, this.#options.language);
  }

  #isFree(text: string | undefined): text is string {
    return text !== undefined && !this.#options.used.has(text);
  }

  #isAsked(text: string): boolean {
    const terms = new Set(searchTerms(text));
    if (this.#compared.length > 0) return this.#compared.some((thing) => includesAll(terms, thing));
    return this.#asked.some((term) => terms.has(term));
  }

  /** Whether a heading contains everything that the question names, and not only one thing. */
  isTopic(heading: string | null): boolean {
    const terms = new Set(searchTerms(heading ?? ""));
    return new Set(this.#asked).size > 1 && this.#asked.every((term) => terms.has(term));
  }

  #isOnTopic(text: string, { from, to, texts, isUnderTopic }: Run): boolean {
    if (isUnderTopic) return true;
    if (this.#compared.length > 0) return this.#isAsked(text);
    const terms = new Set(searchTerms(texts.slice(from, to + 1).join(" ")));
    return (
      this.#isAsked(text) || [...new Set(searchTerms(text))].filter((term) => terms.has(term)).length >= MIN_COMMON
    );
  }
}

/**
 * Extends sentences by the neighbours in their passage that are about the same: first by following, then by preceding
 * ones. A mechanism rarely fits in one sentence, and a sentence that begins with "Finally" needs the ones before it.
 */
export function extendWithNeighbours(
  sentences: readonly EvidenceSentence[],
  textOf: (sentence: EvidenceSentence) => string,
  options: NeighbourOptions,
): EvidenceSentence[] {
  const extended = new Map<string, EvidenceSentence>();
  for (const sentence of sentences) extended.set(keyOf(sentence, sentence.at), sentence);
  const neighbours = new Neighbours(options);
  const runs = sentences.map((picked): Run => {
    const texts = splitSentences(textOf(picked), options.language).map(({ text }) => text);
    const isUnderTopic = picked.isInCoveringSection === true || neighbours.isTopic(options.headingOf?.(picked) ?? null);
    return { from: picked.at, to: picked.at, picked, texts, isUnderTopic };
  });
  /** Adds neighbours, all or none of them; false if there are none or no space. */
  const add = (run: Run, positions: readonly number[]): boolean => {
    const { picked, texts } = run;
    const added = positions.filter((at) => !extended.has(keyOf(picked, at)));
    if (positions.length === 0 || extended.size + added.length > options.most) return false;
    for (const at of added) extended.set(keyOf(picked, at), { ...picked, text: texts[at] ?? "", at });
    run.from = Math.min(run.from, ...positions);
    run.to = Math.max(run.to, ...positions);
    return true;
  };
  /** Adds neighbours; false if the run cannot grow. */
  const extendOnce = (run: Run): boolean => {
    if (run.to - run.from + 1 >= MAX_RUN) return false;
    const isJoined = extended.has(keyOf(run.picked, run.to + 1));
    return add(run, isJoined ? [run.to + 1] : neighbours.after(run)) || add(run, neighbours.before(run));
  };
  // The runs grow by one sentence at a time, so that the first run does not use up the limit.
  let extendable = runs;
  while (extendable.length > 0) extendable = extendable.filter(extendOnce);
  return [...extended.values()];
}
