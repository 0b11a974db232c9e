import type { Fact } from "../source/facts.ts";
import { isGeneralWord } from "../source/terms.ts";
import { contentStems } from "#shared/text/words.ts";

/** A stem is matter of the source as a whole when it is met this often, and this far apart. */
const MIN_COUNT = 3;
const MIN_SPREAD = 0.2;
/** Of fewer sentences nothing is far. */
const MIN_SENTENCES = 60;
/** A card that belongs to the source speaks of at least so much of its matter. */
const MIN_RECURRING = 2;

interface Occurrence {
  count: number;
  first: number;
  last: number;
}

/** Which words run through a source. What speaks of none of them is a sample, a table of another text, a notice. */
export class Topicality {
  readonly #facts: readonly Fact[];
  /** Read when it is first asked for: a deck that shall be full never asks. */
  #recurring: ReadonlySet<string> | undefined;

  constructor(facts: readonly Fact[]) {
    this.#facts = facts;
  }

  /** Whether a card with these stems on its faces speaks of something else than its source. */
  isOffTopic(stems: ReadonlySet<string>): boolean {
    if (this.#facts.length < MIN_SENTENCES) return false;
    const recurring = (this.#recurring ??= recurringStems(this.#facts));
    return [...stems].filter((stem) => recurring.has(stem)).length < MIN_RECURRING;
  }
}

function recurringStems(facts: readonly Fact[]): ReadonlySet<string> {
  const occurrences = new Map<string, Occurrence>();
  for (const [at, { raw }] of facts.entries())
    for (const stem of new Set(contentStems(raw))) {
      const known = occurrences.get(stem) ?? { count: 0, first: at, last: at };
      occurrences.set(stem, { count: known.count + 1, first: known.first, last: at });
    }
  const isRecurring = ([stem, { count, first, last }]: [string, Occurrence]) =>
    count >= MIN_COUNT && last - first >= facts.length * MIN_SPREAD && !isGeneralWord(stem);
  return new Set([...occurrences].filter(isRecurring).map(([stem]) => stem));
}
