import type { Fact } from "./facts.ts";
import { isGeneralWord } from "./terms.ts";
import { contentStems } from "./words.ts";

/** A stem is matter of the source as a whole when it is met this often, and this far apart. */
const OFTEN = 3;
const FAR = 0.2;
/** Of fewer sentences nothing is far. */
const LEAST_SENTENCES = 60;
/** A card that belongs to the source speaks of at least so much of its matter. */
const LEAST_MATTER = 2;

interface Met {
  count: number;
  first: number;
  last: number;
}

/** Which words run through a source. What speaks of none of them is a sample, a table of another text, a notice. */
export class Reach {
  readonly #facts: readonly Fact[];
  /** Read when it is first asked for: a deck that shall be full never asks. */
  #matter: ReadonlySet<string> | undefined;

  constructor(facts: readonly Fact[]) {
    this.#facts = facts;
  }

  /** Whether a card with these stems on its faces speaks of something else than its source. */
  isElsewhere(stems: ReadonlySet<string>): boolean {
    if (this.#facts.length < LEAST_SENTENCES) return false;
    const matter = (this.#matter ??= matterOf(this.#facts));
    return [...stems].filter((stem) => matter.has(stem)).length < LEAST_MATTER;
  }
}

function matterOf(facts: readonly Fact[]): ReadonlySet<string> {
  const met = new Map<string, Met>();
  for (const [at, { raw }] of facts.entries())
    for (const stem of new Set(contentStems(raw))) {
      const known = met.get(stem) ?? { count: 0, first: at, last: at };
      met.set(stem, { count: known.count + 1, first: known.first, last: at });
    }
  const runsThrough = ([stem, { count, first, last }]: [string, Met]) =>
    count >= OFTEN && last - first >= facts.length * FAR && !isGeneralWord(stem);
  return new Set([...met].filter(runsThrough).map(([stem]) => stem));
}
