// oxlint-disable max-lines -- a learned ranking will replace these rules, so the file is not split now
import type { Candidate } from "../generate/candidates.ts";
import { ambiguityPenalty, stylePenalty } from "../features/penalties.ts";
import { DocumentFrequency } from "../features/document-frequency.ts";
import { type Fact, salience } from "../source/facts.ts";
import { checkCard } from "../gates/card-gates.ts";
import type { DeckLimits } from "./deck-limits.ts";
import type { Lexicon } from "../source/lexicon.ts";
import { shouldReject } from "../gates/rejection-rules.ts";
import { findExactQuote } from "#shared/text/quotes.ts";
import { popBest, computeGains } from "./lazy-greedy-pool.ts";
import {
  addToGroup,
  type CardText,
  termPenaltyOf,
  toDraftCard,
  isKeyTerm,
  type Ranked,
  countOtherStems,
  type SelectedCard,
  sparsenessPenalty,
  STYLE_PRIOR,
} from "../features/ranked-candidates.ts";
import type { Topicality } from "../features/topicality.ts";
import type { EngineCard } from "../schema.ts";
import {
  BLANK_WEIGHT,
  MIN_KEY_TERMS,
  FREE_CARDS_PER_TERM,
  MIN_TRIES,
  MAX_CARDS_PER_INTRODUCTION,
  MIN_SCORE_GROWTH,
  TIERS,
  TRIES_PER_CARD,
  TRIES_PER_TERM,
  definitionKey,
  type Tier,
} from "./selection-limits.ts";
import { ShortFormExpander } from "../features/short-form-expansion.ts";
import type { Topics } from "../features/topics.ts";
import type { Collocations } from "../features/collocations.ts";
import { bareName, contentStems, phraseKey } from "#shared/text/words.ts";
import type { Passage } from "#shared/pdf/schema.ts";

/** How many cards a section may have, for its terms `spare` more, and where it stands. */
interface SectionQuota {
  quota: number;
  spare: number;
  /** The headings above it, its own last. */
  path: readonly string[];
}

/** "The ____ is the smallest unit": what something is may be told in words met nowhere else. */
const explains = ({ style, question }: Candidate) =>
  /^(?:definition|term|list)$/.test(style) || /____ (?:is|are) (?:an?|the) /.test(question);

/** Letters that a source hardly uses need not be known by heart. */
const MIN_SHORT_FORM_COUNT = 4;

/** It speaks of nothing that runs through its source. */
const OFF_TOPIC_PENALTY = 0.6;

/** Takes candidates section by section; what it accepted before bounds what it takes next. */
export class Selector {
  readonly #passages: readonly Passage[];
  readonly #lexicon: Lexicon;
  readonly #spelling: ShortFormExpander;
  readonly #focus: ReadonlySet<string>;
  readonly #collocations: Collocations;
  readonly #topicality: Topicality;
  readonly #documentFrequency: DocumentFrequency;
  readonly #topics: Topics;
  #measure: DeckLimits;
  readonly #accepted: CardText[];
  /** The same as they are shown, their topics before them. */
  readonly #shown: CardText[] = [];
  readonly #perTerm = new Map<string, number>();
  readonly #perSentence = new Map<number, number>();
  readonly #covered = new Map<string, number>();
  readonly #introduced = new Set<string>();
  /** How much of what is typical of it the cards so far say of each term. */
  readonly #bestScores = new Map<string, number>();
  /** How many cards are about each term. */
  readonly #presented = new Map<string, number>();
  /** Terms set off in the sections taken so far. */
  readonly #markedTerms = new Set<string>();
  readonly #tried = new Set<string>();
  /** What has been asked for from each sentence: the same again in other words is the same card. */
  readonly #askedFor = new Set<string>();
  /** Which questions for what a term is were taken. */
  readonly #explained = new Set<string>();
  /** Which sentences gave a card on which term. */
  readonly #termSentences = new Set<string>();
  /** Terms in the title of the section at hand. */
  #titleTerms: ReadonlySet<string> = new Set();
  #path: readonly string[] = [];
  #isRich: boolean | undefined;
  #cards = 0;
  /** Cards that a sentence and a term may have beyond the measure. */
  #spare = 0;
  #blanks = 0;

  constructor(
    source: {
      passages: readonly Passage[];
      lexicon: Lexicon;
      focus: ReadonlySet<string>;
      collocations: Collocations;
      topicality: Topicality;
      topics: Topics;
    },
    measure: DeckLimits,
    alreadyAsked: readonly CardText[],
  ) {
    this.#passages = source.passages;
    this.#lexicon = source.lexicon;
    this.#spelling = new ShortFormExpander(source.lexicon);
    this.#focus = source.focus;
    this.#collocations = source.collocations;
    this.#topicality = source.topicality;
    this.#documentFrequency = new DocumentFrequency(source.lexicon.terms, source.collocations.size);
    this.#topics = source.topics;
    this.#measure = measure;
    this.#accepted = alreadyAsked.map(({ question, answer }) => ({
      question: source.topics.without(question),
      answer,
    }));
  }

  get count() {
    return this.#cards;
  }

  /** Lets lesser cards in from now on. */
  lowerThreshold(threshold: number) {
    this.#measure = { ...this.#measure, threshold };
  }

  /** The best cards of one section, about `quota` and for its terms up to `spare` more, in reading order. */
  take(candidates: readonly Candidate[], facts: readonly Fact[], sectionQuota: SectionQuota): EngineCard[] {
    const { quota, spare, path } = sectionQuota;
    this.#path = path;
    this.#titleTerms = new Set(this.#lexicon.terms.within(path.at(-1) ?? "").map(({ key }) => key));
    for (const { marked } of facts) for (const text of marked) this.#markedTerms.add(phraseKey(text));
    const all = candidates
      .filter((entry) => !shouldReject(entry))
      .map((entry) => this.#scoreCandidate(entry))
      .filter((entry) => this.#isEligible(entry));
    const ranked = this.#rank(all);
    const taken: SelectedCard[] = [];
    // What the author set off comes first: nobody should finish the deck without having been asked for it.
    for (const tier of TIERS) {
      for (const entry of ranked)
        if (taken.length < quota + spare && this.#fitsTier(entry, tier)) this.#trySelect(entry, taken);
    }
    this.#addTermCards(all, facts, { quota, taken });
    const plain = ranked.filter(({ candidate }) => !candidate.isLastResort);
    this.#fill([...plain], quota, taken);
    // A second card of a sentence comes before a blank for a word that is no term.
    this.#spare = this.#measure.spare;
    this.#fill(plain, quota, taken);
    this.#spare = 0;
    const { fillFrom } = this.#measure;
    if (fillFrom !== undefined) {
      const fillers = all.filter(({ candidate, score }) => candidate.isFiller && score >= fillFrom);
      for (const isSparse of this.#measure.isExhaustive ? [false, true] : [false]) {
        const pool = fillers.filter(({ candidate }) => (candidate.isSparse ?? false) === isSparse);
        this.#fill(pool, quota, taken);
      }
    }
    return taken.toSorted((x, y) => x.order - y.order).map(({ card }) => card);
  }

  #trySelect(entry: Ranked, taken: SelectedCard[]): boolean {
    const card = this.#accept(entry);
    if (!card) return false;
    taken.push({ card, order: entry.candidate.fact.order });
    for (const { key } of entry.terms) this.#covered.set(key, (this.#covered.get(key) ?? 0) + 1);
    return true;
  }

  /** One more card for each term set off so far, where one says more of what is typical of it. */
  #addTermCards(
    all: readonly Ranked[],
    facts: readonly Fact[],
    { quota, taken }: { quota: number; taken: SelectedCard[] },
  ) {
    const byTerm = new Map<string, Ranked[]>();
    // A deck that need not be full would rather say less of a term than ask what has several answers.
    const mayBeShort = this.#measure.fillFrom === undefined;
    const least = mayBeShort ? this.#measure.threshold : Number.NEGATIVE_INFINITY;
    for (const entry of all) {
      const { isFiller, isLastResort } = entry.candidate;
      if (isFiller || entry.score < least || (isLastResort && mayBeShort)) continue;
      for (const key of entry.about) if (this.#markedTerms.has(key)) addToGroup(byTerm, key, entry);
    }
    for (const key of this.#leastCovered([...byTerm.keys()], facts)) {
      if (taken.length >= quota) return;
      this.#bestForTerm(key, byTerm.get(key) ?? []).some((entry) => this.#trySelect(entry, taken));
    }
  }

  /** What adds most, until the quota is full. */
  #fill(pool: Ranked[], quota: number, taken: SelectedCard[]) {
    const gainOf = (entry: Ranked) => this.#gain(entry);
    computeGains(pool, gainOf);
    for (let tries = quota * TRIES_PER_CARD + MIN_TRIES; tries > 0 && taken.length < quota; tries--) {
      const best = popBest(pool, gainOf);
      if (!best) break;
      const allowsBlank = this.#blanks < this.#measure.blanks * (this.#cards + 1) + 1;
      if (best.candidate.style !== "cloze" || allowsBlank) this.#trySelect(best, taken);
    }
  }

  #rank(all: readonly Ranked[]): Ranked[] {
    return all
      .filter((entry) => entry.score >= this.#measure.threshold && this.#hasKeyTerm(entry) && !entry.candidate.isFiller)
      .toSorted((x, y) => y.score - x.score || x.candidate.fact.order - y.candidate.fact.order);
  }

  /** A sentence that speaks of none of the source's terms is an example or an aside. */
  #hasKeyTerm({ candidate, terms }: Ranked): boolean {
    this.#isRich ??= this.#lexicon.terms.those(isKeyTerm).length >= MIN_KEY_TERMS;
    return !this.#isRich || /^(?:definition|term|list|short_form)$/.test(candidate.style) || terms.some(isKeyTerm);
  }

  /** Who did what to whom in a story is no fact to learn. */
  #isEligible({ score, candidate: { style, fact } }: Ranked): boolean {
    return Number.isFinite(score) && !(this.#measure.isNarrative && style === "cloze" && fact.marked.length === 0);
  }

  #scoreCandidate(candidate: Candidate): Ranked {
    const { termKey, question, answer, style, fact } = candidate;
    const term = termKey === undefined ? undefined : this.#lexicon.terms.byKey(termKey);
    const termWeight = term ? 0.25 * Math.min(1.5, term.weight) : 0;
    const fullText = `${question} ${answer}`;
    const subject = this.#lexicon.terms.within(question).filter(({ isMarked }) => isMarked);
    const about = [...new Set([...subject.map(({ key }) => key), ...(termKey === undefined ? [] : [termKey])])];
    const stems = new Set(contentStems(fullText));
    const rich = Math.min(14, stems.size) * 0.03;
    const depth = this.#isIntroduction(candidate) ? 0.04 * Math.min(12, countOtherStems(fullText, termKey)) : 0;
    const namesTerm = subject.length > 0;
    const mayBeShort = this.#measure.fillFrom === undefined;
    const penalty =
      termPenaltyOf(candidate, namesTerm, this.#lexicon.terms) +
      (mayBeShort ? this.#optionalPenalty(candidate, stems) : 0);
    const penalties =
      sparsenessPenalty(candidate, namesTerm) + penalty + this.#documentFrequency.ubiquityPenalty(candidate, subject);
    const score =
      STYLE_PRIOR[style] + termWeight + rich + depth - penalties + 0.15 * salience(fact, this.#lexicon, this.#focus);
    return { candidate, score, gain: score, terms: this.#lexicon.terms.within(fullText), stems, about };
  }

  /** What a deck that need not be full may leave out. */
  #optionalPenalty(candidate: Candidate, stems: ReadonlySet<string>): number {
    const term = candidate.termKey === undefined ? undefined : this.#lexicon.terms.byKey(candidate.termKey);
    if (candidate.style === "short_form" && (term?.count ?? 0) < MIN_SHORT_FORM_COUNT) return OFF_TOPIC_PENALTY;
    const isElsewhere = !explains(candidate) && this.#topicality.isOffTopic(stems);
    const style = this.#measure.allowsAllStyles ? 0 : stylePenalty(candidate);
    return (
      style +
      ambiguityPenalty(candidate) +
      (isElsewhere ? OFF_TOPIC_PENALTY : 0) +
      this.#documentFrequency.penalty(candidate)
    );
  }

  /** What a card adds to those already taken: a term asked three times over adds little. */
  #gain({ score, terms }: Ranked): number {
    let fresh = 0;
    for (const { key, weight } of terms) fresh += weight / (1 + (this.#covered.get(key) ?? 0));
    return score + 0.5 * fresh;
  }

  /** Explains a term where it is set off, or asks for it there. */
  #isIntroduction({ termKey, style, fact, isLastResort }: Candidate): boolean {
    if (isLastResort) return false;
    if (style === "definition" || style === "term") return true;
    return (style === "cloze" || style === "fact") && fact.marked.some((m) => phraseKey(m) === termKey);
  }

  /** Those set off in this section first, then those of which the least was said. */
  #leastCovered(keys: readonly string[], facts: readonly Fact[]): string[] {
    const sectionTerms = new Set(facts.flatMap(({ marked }) => marked.map(phraseKey)));
    const rank = (key: string) => (sectionTerms.has(key) ? 0 : 100) + (this.#presented.get(key) ?? 0);
    return keys.toSorted((a, b) => rank(a) - rank(b));
  }

  /** The cards that say more of a term than its cards so far, best first. */
  #bestForTerm(key: string, about: readonly Ranked[]): Ranked[] {
    const presented = this.#presented.get(key) ?? 0;
    const least = presented >= FREE_CARDS_PER_TERM ? (this.#bestScores.get(key) ?? 0) * MIN_SCORE_GROWTH : 0;
    return about
      .map((entry) => ({ one: entry, score: this.#termScore(key, entry) }))
      .filter(({ score }) => score > least)
      .toSorted((a, b) => b.score - a.score)
      .slice(0, TRIES_PER_TERM)
      .map(({ one: entry }) => entry);
  }

  #termScore(key: string, { candidate, stems }: Ranked): number {
    return this.#collocations.scoreFor(key, stems) * (candidate.style === "cloze" ? BLANK_WEIGHT : 1);
  }

  #fitsTier({ candidate }: Ranked, tier: Tier): boolean {
    const { termKey, style } = candidate;
    if (termKey === undefined) return false;
    // A title names what its section explains, as bold letters do.
    const isNamed = style === "definition" && tier === "introduced" && this.#titleTerms.has(termKey);
    if (!isNamed && !this.#lexicon.terms.byKey(termKey)?.isMarked) return false;
    if (tier === "introduced") return !this.#introduced.has(termKey) && this.#isIntroduction(candidate);
    return this.#markedTerms.has(termKey) && !this.#bestScores.has(termKey);
  }

  /** One card a sentence, a few a term; a term's introduction may be a second card. */
  #hasQuota(entry: Ranked): boolean {
    const { fact, termKey } = entry.candidate;
    const onTerm = this.#perTerm.get(termKey ?? "") ?? 0;
    const onSentence = this.#perSentence.get(fact.order) ?? 0;
    // The same told the other way round waits until everything else was asked.
    const isAgain =
      this.#measure.perSentence === 1 && this.#spare === 0 && this.#termSentences.has(`${fact.order} ${termKey}`);
    if (isAgain) return false;
    if (this.#fitsTier(entry, "introduced"))
      return onSentence < Math.max(MAX_CARDS_PER_INTRODUCTION, this.#measure.perSentence);
    if (entry.about.some((k) => this.#markedTerms.has(k))) return onSentence < Math.max(2, this.#measure.perSentence);
    return onTerm < this.#measure.perTerm + this.#spare && onSentence < this.#measure.perSentence + this.#spare;
  }

  #accept(entry: Ranked): EngineCard | undefined {
    const bare = toDraftCard(entry.candidate);
    const draft = { ...bare, question: this.#spelling.spellOut(bare.question, bare.answer) };
    if (this.#cards >= this.#measure.most || !this.#hasQuota(entry)) return undefined;
    // Taken or refused once, it would be refused again: a text that repeats itself offers the same card a thousand times.
    const fullText = `${draft.question}\n${draft.answer}\n${draft.quote}`;
    const subject = `${entry.candidate.fact.order}\n${phraseKey(bareName(draft.answer))}`;
    if (this.#tried.has(fullText) || this.#askedFor.has(subject) || this.#isExplained(entry.candidate))
      return undefined;
    this.#tried.add(fullText);
    if (!checkCard(draft, this.#passages, this.#accepted).ok) return undefined;
    // A paragraph that runs over a page break may have its sentence on the second page.
    const quotePosition = findExactQuote(this.#passages, draft.quote);
    const page = quotePosition?.page === undefined ? {} : { page: quotePosition.page };
    const card = {
      ...this.#inContext(entry.candidate, draft),
      passageId: quotePosition?.passageId ?? draft.passageId,
      ...page,
    };
    // Its like is told by what it asks: the topic before it would make two of a kind seem different.
    this.#accepted.push(draft);
    this.#shown.push(card);
    this.#spelling.learn(`${card.question} ${card.answer}`);
    this.#askedFor.add(subject);
    this.#cards++;
    this.#count(entry);
    return card;
  }

  /** With its topic said first, where that does no harm. */
  #inContext(candidate: Candidate, draft: EngineCard): EngineCard {
    const topic = this.#topics.before({ ...candidate, question: draft.question }, this.#path);
    const presented = { ...draft, question: `${topic}${draft.question}` };
    return topic !== "" && checkCard(presented, this.#passages, this.#shown).ok ? presented : draft;
  }

  /** "What is T?" asked twice has two answers, and the student cannot know which is meant. */
  #isExplained({ style, question }: Candidate): boolean {
    return style === "definition" && this.#explained.has(definitionKey(question));
  }

  #count(entry: Ranked) {
    const { candidate, about } = entry;
    const { fact, termKey, style } = candidate;
    if (style === "cloze") this.#blanks++;
    if (style === "definition") this.#explained.add(definitionKey(candidate.question));
    this.#perSentence.set(fact.order, (this.#perSentence.get(fact.order) ?? 0) + 1);
    for (const key of about) this.#presented.set(key, (this.#presented.get(key) ?? 0) + 1);
    for (const key of about)
      this.#bestScores.set(key, Math.max(this.#termScore(key, entry), this.#bestScores.get(key) ?? 0));
    if (termKey === undefined) return;
    this.#termSentences.add(`${fact.order} ${termKey}`);
    this.#perTerm.set(termKey, (this.#perTerm.get(termKey) ?? 0) + 1);
    if (this.#isIntroduction(candidate)) this.#introduced.add(termKey);
  }
}
