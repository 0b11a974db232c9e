import type { Fact } from "../source/facts.ts";
import { isGeneralWord } from "../source/terms.ts";
import { contentStems } from "#shared/text/words.ts";

/** A stem that occurs this often, and this far apart, belongs to the whole source. */
const MIN_COUNT = 3;
const MIN_SPREAD = 0.2;
/** Shorter sources have no distant passages. */
const MIN_SENTENCES = 60;
/** A card on topic has at least this many such stems. */
const MIN_RECURRING = 2;

interface Occurrence {
  count: number;
  first: number;
  last: number;
}

/**
 * The stems that occur throughout a source. Text without such stems is an example, a notice, or a table from another
 * work.
 */
export class Topicality {
  readonly #facts: readonly Fact[];
  /** Computed on first use; a full deck never needs it. */
  #recurring: ReadonlySet<string> | undefined;

  constructor(facts: readonly Fact[]) {
    this.#facts = facts;
  }

  /** Whether a card with these stems is unrelated to its source. */
  isOffTopic(stems: ReadonlySet<string>): boolean {
    if (this.#facts.length < MIN_SENTENCES) return false;
    const recurring = (this.#recurring ??= recurringStems(this.#facts));
    return [...stems].filter((stem) => recurring.has(stem)).length < MIN_RECURRING;
  }
}

function recurringStems(facts: readonly Fact[]): ReadonlySet<string> {
  const occurrences = new Map<string, Occurrence>();
  for (const [index, { original }] of facts.entries())
    for (const stem of new Set(contentStems(original))) {
      const known = occurrences.get(stem) ?? { count: 0, first: index, last: index };
      occurrences.set(stem, { count: known.count + 1, first: known.first, last: index });
    }
  const isRecurring = ([stem, { count, first, last }]: [string, Occurrence]) =>
    count >= MIN_COUNT && last - first >= facts.length * MIN_SPREAD && !isGeneralWord(stem);
  return new Set([...occurrences].filter(isRecurring).map(([stem]) => stem));
}
