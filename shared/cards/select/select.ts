import type { Candidate } from "../generate/candidates.ts";
import { DocumentFrequency } from "../features/document-frequency.ts";
import { addToGroup, type CardText, isKeyTerm, type Ranked, type SelectedCard } from "../features/ranked-candidates.ts";
import { cardForm } from "../features/card-form.ts";
import { type DescribeCard, describeRanked, keepProbability, toRankedText } from "../features/keep-probability.ts";
import { isParameterName } from "../source/parameters.ts";
import { isRecurringName, isRepeatedLabel } from "../features/term-likelihood.ts";
import type { Collocations } from "../features/collocations.ts";
import type { Topicality } from "../features/topicality.ts";
import type { Topics } from "../features/topics.ts";
import { shouldReject } from "../gates/rejection-rules.ts";
import type { EngineCard, FormPreference } from "../schema.ts";
import type { Fact } from "../source/facts.ts";
import type { Lexicon } from "../source/lexicon.ts";
import type { Passage } from "#shared/pdf/schema.ts";
import { AcceptedCards } from "./accepted-cards.ts";
import { CandidateScorer } from "./candidate-scorer.ts";
import type { DeckLimits } from "./deck-limits.ts";
import { popBest, computeGains } from "./lazy-greedy-pool.ts";
import { MIN_KEY_TERMS, MIN_TRIES, MAX_CARDS_PER_INTRODUCTION, TIERS, TRIES_PER_CARD } from "./selection-limits.ts";
import { TermCoverage } from "./term-coverage.ts";

/** The weight of the student's form preference in a score. */
const PREFERENCE_WEIGHT = 0.3;

/** "____ is a thread error detector" explains what is asked for. */
const EXPLAINS_BLANK = /____ (?:is|are) (?:an?|the) /u;

/** A candidate with the probability that a reader keeps it. */
export interface LikelyCandidate {
  entry: Ranked;
  probability: number;
}

/** How many cards a section may have, with `spare` more for its terms. */
interface SectionQuota {
  quota: number;
  spare: number;
  /** The headings above the section, its own last. */
  path: readonly string[];
}

/** Selects candidates section by section; the cards selected so far limit what it selects next. */
export class Selector {
  readonly #lexicon: Lexicon;
  readonly #scorer: CandidateScorer;
  readonly #coverage: TermCoverage;
  readonly #cards: AcceptedCards;
  readonly #formPreference: FormPreference | undefined;
  readonly #describe: DescribeCard | undefined;
  #limits: DeckLimits;
  readonly #perTerm = new Map<string, number>();
  readonly #perSentence = new Map<number, number>();
  /** Sentences that gave a card on a term, as "sentence term". */
  readonly #termSentences = new Set<string>();
  #path: readonly string[] = [];
  #isRich: boolean | undefined;
  #count = 0;
  #blanks = 0;
  /** Cards that a sentence and a term may have beyond the limits. */
  #spare = 0;

  constructor(
    source: {
      passages: readonly Passage[];
      lexicon: Lexicon;
      focus: ReadonlySet<string>;
      collocations: Collocations;
      topicality: Topicality;
      topics: Topics;
      formPreference?: FormPreference | undefined;
      describe?: DescribeCard | undefined;
    },
    limits: DeckLimits,
    existingCards: readonly CardText[],
  ) {
    const { lexicon, collocations } = source;
    this.#lexicon = lexicon;
    this.#limits = limits;
    this.#formPreference = source.formPreference;
    this.#describe = source.describe;
    const documentFrequency = new DocumentFrequency(lexicon.terms, collocations.size);
    this.#scorer = new CandidateScorer({ ...source, documentFrequency }, limits);
    this.#coverage = new TermCoverage(lexicon, collocations);
    this.#cards = new AcceptedCards(source, existingCards);
  }

  get count() {
    return this.#count;
  }

  /** From now on, accepts candidates with lower scores and lower probabilities that a reader keeps them. */
  lowerThreshold(threshold: number) {
    this.#limits = { ...this.#limits, threshold, leastProbability: this.#limits.least?.probability ?? 0 };
  }

  /** The best cards of one section, about `quota` and up to `spare` more for its terms, in reading order. */
  take(candidates: readonly Candidate[], facts: readonly Fact[], sectionQuota: SectionQuota): EngineCard[] {
    const { quota, spare, path } = sectionQuota;
    this.#path = path;
    this.#coverage.startSection(facts, path.at(-1) ?? "");
    const all = candidates
      .filter((candidate) => !shouldReject(candidate))
      .map((candidate) => this.#score(candidate))
      .filter((entry) => this.#isEligible(entry) && this.#isLikely(entry));
    const ranked = this.#rank(all);
    const taken: SelectedCard[] = [];
    // Emphasised terms come first, because the deck should ask about every one.
    for (const tier of TIERS) {
      for (const entry of ranked)
        if (taken.length < quota + spare && this.#coverage.fitsTier(entry, tier)) this.#trySelect(entry, taken);
    }
    this.#addTermCards(all, facts, { quota, taken });
    const plain = ranked.filter(({ candidate }) => !candidate.isLastResort);
    this.#fill([...plain], quota, taken);
    // A second card of a sentence is better than a blank for a word that is no term.
    this.#spare = this.#limits.spare;
    this.#fill(plain, quota, taken);
    this.#spare = 0;
    this.#addFillers(all, quota, taken);
    return taken.toSorted((x, y) => x.order - y.order).map(({ card }) => card);
  }

  /** Whether a card asks about a sentence of this range. */
  hasCardIn({ from, to }: { from: number; to: number }): boolean {
    return [...this.#perSentence.keys()].some((order) => order >= from && order < to);
  }

  /** The candidates that a strict reader is likely to keep, the likeliest first. */
  listLikely(candidates: readonly Candidate[], least: number): LikelyCandidate[] {
    return candidates
      .filter((candidate) => !shouldReject(candidate))
      .map((candidate) => this.#score(candidate))
      .filter((entry) => this.#isEligible(entry))
      .map((entry) => ({ entry, probability: this.#probabilityOf(entry) }))
      .filter(({ probability }) => probability >= least)
      .toSorted((a, b) => b.probability - a.probability);
  }

  /** The card of one candidate under these headings; undefined if the deck has enough such cards or rejects it. */
  takeOne(entry: Ranked, path: readonly string[]): EngineCard | undefined {
    this.#path = path;
    const taken: SelectedCard[] = [];
    this.#trySelect(entry, taken);
    return taken[0]?.card;
  }

  #trySelect(entry: Ranked, taken: SelectedCard[]): boolean {
    if (this.#count >= this.#limits.most || !this.#hasQuota(entry)) return false;
    const card = this.#cards.accept(entry.candidate, this.#path);
    if (!card) return false;
    this.#describe?.(card, describeRanked(entry, this.#lexicon));
    taken.push({ card, order: entry.candidate.fact.order });
    this.#coverage.add(entry);
    this.#countCard(entry);
    return true;
  }

  /** Adds a card for each emphasised term so far, if one says more about it than its cards do. */
  #addTermCards(
    all: readonly Ranked[],
    facts: readonly Fact[],
    { quota, taken }: { quota: number; taken: SelectedCard[] },
  ) {
    const byTerm = new Map<string, Ranked[]>();
    // A deck that doesn't have to be full prefers fewer cards on a term to ambiguous ones.
    const mayBeShort = this.#limits.fillFrom === undefined;
    const least = mayBeShort ? this.#limits.threshold : Number.NEGATIVE_INFINITY;
    for (const entry of all) {
      const { isFiller, isLastResort } = entry.candidate;
      if (isFiller || entry.score < least || (isLastResort && mayBeShort)) continue;
      for (const key of entry.askedTermKeys) if (this.#coverage.isMarked(key)) addToGroup(byTerm, key, entry);
    }
    for (const key of this.#coverage.leastCovered([...byTerm.keys()], facts)) {
      if (taken.length >= quota) return;
      this.#coverage.bestForTerm(key, byTerm.get(key) ?? []).some((entry) => this.#trySelect(entry, taken));
    }
  }

  /** Adds the candidates with the highest gain until the quota is full. */
  #fill(pool: Ranked[], quota: number, taken: SelectedCard[]) {
    const gainOf = (entry: Ranked) => this.#coverage.gainOf(entry);
    computeGains(pool, gainOf);
    for (let tries = quota * TRIES_PER_CARD + MIN_TRIES; tries > 0 && taken.length < quota; tries--) {
      const best = popBest(pool, gainOf);
      if (!best) break;
      const allowsBlank = this.#blanks < this.#limits.blanks * (this.#count + 1) + 1;
      if (best.candidate.style !== "cloze" || allowsBlank) this.#trySelect(best, taken);
    }
  }

  /** Fills the rest of the quota with blanks for words that are no terms, where the limits allow them. */
  #addFillers(all: readonly Ranked[], quota: number, taken: SelectedCard[]) {
    const { fillFrom, isExhaustive } = this.#limits;
    if (fillFrom === undefined) return;
    const fillers = all.filter(({ candidate, score }) => candidate.isFiller && score >= fillFrom);
    for (const isSparse of isExhaustive ? [false, true] : [false]) {
      const pool = fillers.filter(({ candidate }) => (candidate.isSparse ?? false) === isSparse);
      this.#fill(pool, quota, taken);
    }
  }

  #rank(all: readonly Ranked[]): Ranked[] {
    return all
      .filter((entry) => entry.score >= this.#limits.threshold && this.#hasKeyTerm(entry) && !entry.candidate.isFiller)
      .toSorted((x, y) => y.score - x.score || x.candidate.fact.order - y.candidate.fact.order);
  }

  /** In a source with many terms, a sentence without any is an example or an aside. */
  #hasKeyTerm({ candidate, terms }: Ranked): boolean {
    this.#isRich ??= this.#lexicon.terms.filter(isKeyTerm).length >= MIN_KEY_TERMS;
    return (
      !this.#isRich ||
      /^(?:definition|term|list|short_form|cell|formula)$/.test(candidate.style) ||
      terms.some(isKeyTerm)
    );
  }

  /** Whether readers of a manual cannot know what is asked, or can guess it. */
  #isUnfitForManual(candidate: Candidate): boolean {
    if (this.#limits.leastProbability === undefined || !this.#lexicon.isTechnical) return false;
    return this.#asksForProgram(candidate) || this.#asksForParameter(candidate);
  }

  /** Whether a card asks which of the manual's programs has a feature. */
  #asksForProgram({ style, question, answer }: Candidate): boolean {
    const { phrases } = this.#lexicon;
    if (!/^(?:cloze|fact)$/.test(style) || EXPLAINS_BLANK.test(question)) return false;
    const name = answer.replace(/^the /iu, "").replace(/ (?:tool|program|library|package)$/u, "");
    return phrases !== undefined && isRecurringName(phrases.factsOf(name));
  }

  /** Whether a card asks for or about a parameter, which means something in the description of its function only. */
  #asksForParameter({ question, answer }: Candidate): boolean {
    const asked = [answer, /^(?:[^:?]{2,60}: )?What (?:is|are) (?:the |an? )?(\S+)\?$/u.exec(question)?.[1] ?? ""];
    return asked.some((word) => isParameterName(word, this.#lexicon.parameters));
  }

  /** There are no blanks for the plot of a story, or for labels that precede many paragraphs. */
  #isEligible({ score, candidate }: Ranked): boolean {
    const { style, fact, answer } = candidate;
    if (!Number.isFinite(score) || this.#isUnfitForManual(candidate)) return false;
    if (style !== "cloze") return true;
    const facts = this.#lexicon.phrases?.factsOf(answer);
    return (
      !(facts !== undefined && isRepeatedLabel(facts)) && !(this.#limits.isNarrative && fact.emphasised.length === 0)
    );
  }

  #score(candidate: Candidate): Ranked {
    const entry = this.#scorer.score(candidate);
    entry.score += PREFERENCE_WEIGHT * (this.#formPreference?.[cardForm(candidate.question)] ?? 0);
    return entry;
  }

  #probabilityOf(entry: Ranked): number {
    return keepProbability(toRankedText(entry, this.#lexicon), this.#formPreference);
  }

  #isLikely(entry: Ranked): boolean {
    const { leastProbability } = this.#limits;
    return leastProbability === undefined || this.#probabilityOf(entry) >= leastProbability;
  }

  /** One card a sentence and a few a term; the introduction of a term may be a second card. */
  #hasQuota(entry: Ranked): boolean {
    const { fact, termKey } = entry.candidate;
    const { perTerm, perSentence } = this.#limits;
    const onTerm = this.#perTerm.get(termKey ?? "") ?? 0;
    const onSentence = this.#perSentence.get(fact.order) ?? 0;
    // The reverse of a card waits until everything else was asked.
    if (perSentence === 1 && this.#spare === 0 && this.#termSentences.has(`${fact.order} ${termKey}`)) return false;
    if (this.#coverage.fitsTier(entry, "introduced"))
      return onSentence < Math.max(MAX_CARDS_PER_INTRODUCTION, perSentence);
    if (entry.askedTermKeys.some((key) => this.#coverage.isMarked(key))) return onSentence < Math.max(2, perSentence);
    return onTerm < perTerm + this.#spare && onSentence < perSentence + this.#spare;
  }

  #countCard({ candidate: { fact, termKey, style } }: Ranked) {
    this.#count++;
    if (style === "cloze") this.#blanks++;
    this.#perSentence.set(fact.order, (this.#perSentence.get(fact.order) ?? 0) + 1);
    if (termKey === undefined) return;
    this.#termSentences.add(`${fact.order} ${termKey}`);
    this.#perTerm.set(termKey, (this.#perTerm.get(termKey) ?? 0) + 1);
  }
}
