import type { Passage } from "#shared/pdf/schema.ts";
import type { Candidate, Style } from "#shared/engine/candidates.ts";
import { type Fact, salience } from "#shared/engine/facts.ts";
import { type Lexicon } from "#shared/engine/naming.ts";
import { checkCard } from "#shared/engine/gates.ts";
import type { Term } from "#shared/engine/terms.ts";
import { contentStems, phraseKey } from "#shared/engine/words.ts";
import type { Density, EngineCard } from "#shared/engine/schema.ts";

/** How much a card of this style teaches, all else equal. */
const WORTH: Readonly<Record<Style, number>> = {
  definition: 1,
  list: 0.95,
  term: 0.8,
  why: 0.95,
  compare: 0.9,
  how: 0.85,
  when: 0.75,
  fact: 0.7,
  short_form: 0.45,
  cloze: 0.35,
};

export interface Measure {
  cards: number;
  perSentence: number;
  perTerm: number;
  /** Cards worth less than this are left out, however few there are. */
  floor: number;
}

/** The specification's counts, aimed at their middle. */
export function measureOf(density: Density, words: number): Measure {
  switch (density) {
    case "LOW":
      return { cards: 40, perSentence: 1, perTerm: 2, floor: 0.75 };
    case "MEDIUM":
      return { cards: 110, perSentence: 1, perTerm: 4, floor: 0.6 };
    case "HIGH":
      return { cards: 450, perSentence: 3, perTerm: 12, floor: 0.45 };
    case "VERY_HIGH":
      return { cards: 750, perSentence: 5, perTerm: 30, floor: 0.3 };
    case "AUTO":
      return { cards: Math.round(Math.min(300, Math.max(5, words / 70))), perSentence: 1, perTerm: 4, floor: 0.6 };
  }
}

interface Ranked {
  candidate: Candidate;
  score: number;
  terms: Term[];
}

/** Where a term is set off and explained; or anywhere it stands. */
const INTRODUCED = "introduced" as const;
const MET = "met" as const;
type Tier = typeof INTRODUCED | typeof MET;

/** Terms may take this many cards of the sections to come. */
const SPARE = 4;

/** At most this share of a deck fills blanks, once there is anything else to ask. */
const MOST_BLANKS = 0.4;

export interface Asked {
  question: string;
  answer: string;
}

/** Takes candidates section by section; what it accepted before bounds what it takes next. */
export class Selector {
  readonly #passages: readonly Passage[];
  readonly #lexicon: Lexicon;
  readonly #focus: ReadonlySet<string>;
  readonly #measure: Measure;
  readonly #accepted: Asked[];
  readonly #perTerm = new Map<string, number>();
  readonly #introduced = new Set<string>();
  readonly #met = new Set<string>();
  /** Terms set off in the sections taken so far. */
  readonly #home = new Set<string>();
  readonly #perSentence = new Map<number, number>();
  readonly #covered = new Map<string, number>();
  #cards = 0;
  #blanks = 0;

  constructor(
    source: { passages: readonly Passage[]; lexicon: Lexicon; focus: ReadonlySet<string> },
    measure: Measure,
    alreadyAsked: readonly Asked[],
  ) {
    this.#passages = source.passages;
    this.#lexicon = source.lexicon;
    this.#focus = source.focus;
    this.#measure = measure;
    this.#accepted = alreadyAsked.map(({ question, answer }) => ({ question, answer }));
  }

  get count() {
    return this.#cards;
  }

  #rank(candidates: readonly Candidate[]): Ranked[] {
    return candidates
      .map((candidate) => {
        const { termKey, question, answer, style, fact } = candidate;
        const term = termKey === undefined ? undefined : this.#lexicon.terms.byKey(termKey);
        const fame = term ? 0.25 * Math.min(1.5, term.weight) : 0;
        const face = `${question} ${answer}`;
        const rich = Math.min(14, new Set(contentStems(face)).size) * 0.03;
        const score = WORTH[style] + fame + rich + 0.3 * salience(fact, this.#lexicon, this.#focus);
        return { candidate, score, terms: this.#lexicon.terms.within(face) };
      })
      .filter(({ score }) => score >= this.#measure.floor)
      .toSorted((x, y) => y.score - x.score || x.candidate.fact.order - y.candidate.fact.order);
  }

  /** What a card adds to those already taken: a term asked three times over adds little. */
  #gain({ score, terms }: Ranked): number {
    let fresh = 0;
    for (const { key, weight } of terms) fresh += weight / (1 + 2 * (this.#covered.get(key) ?? 0));
    return score + 0.35 * fresh;
  }

  /** The best cards of one section, about `quota`, in reading order. */
  take(candidates: readonly Candidate[], facts: readonly Fact[], quota: number): EngineCard[] {
    const ranked = this.#rank(candidates);
    for (const { marked } of facts) for (const text of marked) this.#home.add(phraseKey(text));
    const taken: { card: EngineCard; order: number }[] = [];
    const tryOne = ({ candidate, terms }: Ranked) => {
      const card = this.#accept(candidate);
      if (!card) return;
      taken.push({ card, order: candidate.fact.order });
      for (const { key } of terms) this.#covered.set(key, (this.#covered.get(key) ?? 0) + 1);
    };
    // What the author set off comes first: nobody should finish the deck without having been asked for it.
    for (const tier of [INTRODUCED, MET] as const) {
      for (const one of ranked) {
        if (taken.length < quota + SPARE && this.#introduces(one.candidate, tier)) tryOne(one);
      }
    }
    let pool = ranked.filter(({ candidate }) => !candidate.isLastResort);
    while (taken.length < quota && pool.length > 0) {
      const gains = new Map(pool.map((one) => [one, this.#gain(one)]));
      pool = pool.toSorted((x, y) => (gains.get(y) ?? 0) - (gains.get(x) ?? 0));
      const [best] = pool.splice(0, 1);
      const isTooMuch = best?.candidate.style === "cloze" && this.#blanks >= MOST_BLANKS * (this.#cards + 1) + 2;
      if (best && !isTooMuch) tryOne(best);
    }
    return taken.toSorted((x, y) => x.order - y.order).map(({ card }) => card);
  }

  #introduces({ termKey, style, fact, isLastResort }: Candidate, tier: Tier): boolean {
    if (termKey === undefined || this.#introduced.has(termKey) || (tier === MET && this.#met.has(termKey)))
      return false;
    const term = this.#lexicon.terms.byKey(termKey);
    if (!term?.isMarked) return false;
    if (isLastResort && tier !== MET) return false;
    const isHere = style === "definition" || style === "term" || (style === "cloze" && fact.marked.length > 0);
    return tier === INTRODUCED ? isHere : this.#home.has(termKey);
  }

  #accept(candidate: Candidate): EngineCard | undefined {
    const { fact, termKey, style } = candidate;
    const onTerm = termKey === undefined ? 0 : (this.#perTerm.get(termKey) ?? 0);
    const onSentence = this.#perSentence.get(fact.order) ?? 0;
    const introduces = this.#introduces(candidate, INTRODUCED);
    if (onTerm >= this.#measure.perTerm && !introduces) return undefined;
    if (onSentence >= this.#measure.perSentence && !(introduces && onSentence < 2)) return undefined;
    const card = draftOf(candidate);
    if (!checkCard(card, this.#passages, this.#accepted).ok) return undefined;
    this.#accepted.push(card);
    this.#cards++;
    if (style === "cloze") this.#blanks++;
    this.#perSentence.set(fact.order, onSentence + 1);
    if (termKey !== undefined) {
      this.#perTerm.set(termKey, onTerm + 1);
      this.#met.add(termKey);
      if (style === "definition" || style === "term" || (style === "cloze" && fact.marked.length > 0))
        this.#introduced.add(termKey);
    }
    return card;
  }
}

function draftOf({ fact, question, answer, style, withPrevious, quote }: Candidate): EngineCard {
  const from = withPrevious && fact.previous ? fact.previous.start : fact.start;
  const page = fact.passage.locator.page;
  return {
    question,
    answer,
    kind: style === "cloze" ? "cloze" : "qa",
    quote: quote ?? fact.passage.text.slice(from, fact.end),
    passageId: fact.passage.id,
    ...(page === undefined ? {} : { page }),
  };
}
