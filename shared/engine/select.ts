import type { Passage } from "#shared/pdf/schema.ts";
import type { Candidate, Style } from "#shared/engine/candidates.ts";
import { type Lexicon, salience } from "#shared/engine/facts.ts";
import { checkCard } from "#shared/engine/gates.ts";
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

interface Measure {
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
}

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
  readonly #asked = new Set<string>();
  readonly #perSentence = new Map<number, number>();
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
        const term = candidate.termKey === undefined ? undefined : this.#lexicon.terms.byKey(candidate.termKey);
        const fame = term ? 0.25 * Math.min(1.5, term.weight) : 0;
        const score = WORTH[candidate.style] + fame + 0.5 * salience(candidate.fact, this.#lexicon, this.#focus);
        return { candidate, score };
      })
      .filter(({ score }) => score >= this.#measure.floor)
      .toSorted((a, b) => b.score - a.score || a.candidate.fact.order - b.candidate.fact.order);
  }

  /** The best cards of one section, at most `quota`, in reading order. */
  take(candidates: readonly Candidate[], quota: number): EngineCard[] {
    const ranked = this.#rank(candidates);
    const taken: { card: EngineCard; order: number }[] = [];
    const most = Math.max(0, quota);
    const tryOne = ({ candidate }: Ranked) => {
      if (taken.length >= most) return;
      const card = this.#accept(candidate);
      if (card) taken.push({ card, order: candidate.fact.order });
    };
    // What the author set off comes first: nobody should finish the deck without having been asked for it.
    for (const one of ranked) if (this.#introduces(one.candidate)) tryOne(one);
    for (const one of ranked) if (one.candidate.style !== "cloze") tryOne(one);
    for (const one of ranked) {
      if (one.candidate.style === "cloze" && this.#blanks < MOST_BLANKS * (this.#cards + 1) + 2) tryOne(one);
    }
    return taken.toSorted((a, b) => a.order - b.order).map(({ card }) => card);
  }

  #introduces({ termKey, style, fact }: Candidate): boolean {
    if (termKey === undefined || this.#asked.has(termKey)) return false;
    const term = this.#lexicon.terms.byKey(termKey);
    if (!term?.isMarked) return false;
    return style === "definition" || style === "term" || (style === "cloze" && fact.marked.length > 0);
  }

  #accept(candidate: Candidate): EngineCard | undefined {
    const { fact, termKey, style } = candidate;
    const onTerm = termKey === undefined ? 0 : (this.#perTerm.get(termKey) ?? 0);
    const onSentence = this.#perSentence.get(fact.order) ?? 0;
    if (onTerm >= this.#measure.perTerm) return undefined;
    if (onSentence >= this.#measure.perSentence && !(this.#introduces(candidate) && onSentence < 2)) return undefined;
    const card = draftOf(candidate);
    if (!checkCard(card, this.#passages, this.#accepted).ok) return undefined;
    this.#accepted.push(card);
    this.#cards++;
    if (style === "cloze") this.#blanks++;
    this.#perSentence.set(fact.order, onSentence + 1);
    if (termKey !== undefined) {
      this.#perTerm.set(termKey, onTerm + 1);
      if (style !== "fact") this.#asked.add(termKey);
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
