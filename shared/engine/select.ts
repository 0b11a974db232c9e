import type { Candidate } from "./candidates.ts";
import { doubtInPlace, doubtOfStyle } from "./doubts.ts";
import { Everywhere } from "./everywhere.ts";
import { type Fact, salience } from "./facts.ts";
import { checkCard } from "./gates.ts";
import type { Measure } from "./measures.ts";
import type { Lexicon } from "./naming.ts";
import { isPointless } from "./pointless.ts";
import { findQuote } from "./quotes.ts";
import { popBest, reckon } from "./pool.ts";
import {
  addTo,
  type Asked,
  doubtOf,
  draftOf,
  isMatter,
  type Ranked,
  saidBesides,
  type Taken,
  thinnessOf,
  WORTH,
} from "./ranked.ts";
import type { Reach } from "./reach.ts";
import type { EngineCard } from "./schema.ts";
import {
  BLANK_COUNTS,
  ENOUGH_TERMS,
  FIRST_CARDS,
  MIN_TRIES,
  PER_NAMING,
  SAYS_MORE,
  TIERS,
  TRIES_PER_CARD,
  TRIES_PER_TERM,
  whatIs,
  type Tier,
} from "./selection-limits.ts";
import { Spelling } from "./spelling.ts";
import type { Topics } from "./topics.ts";
import type { TermCompany } from "./term-company.ts";
import { bareName, contentStems, phraseKey } from "./words.ts";
import type { Passage } from "#shared/pdf/schema.ts";

/** How many cards a section may have, for its terms `spare` more, and where it stands. */
interface Room {
  quota: number;
  spare: number;
  /** The headings above it, its own last. */
  path: readonly string[];
}

/** "The ____ is the smallest unit": what something is may be told in words met nowhere else. */
const explains = ({ style, question }: Candidate) =>
  /^(?:definition|term|list)$/.test(style) || /____ (?:is|are) (?:an?|the) /.test(question);

/** Letters that a source hardly uses need not be known by heart. */
const OFTEN_USED = 4;

/** It speaks of nothing that runs through its source. */
const DOUBT_ELSEWHERE = 0.6;

/** Takes candidates section by section; what it accepted before bounds what it takes next. */
export class Selector {
  readonly #passages: readonly Passage[];
  readonly #lexicon: Lexicon;
  readonly #spelling: Spelling;
  readonly #focus: ReadonlySet<string>;
  readonly #company: TermCompany;
  readonly #reach: Reach;
  readonly #everywhere: Everywhere;
  readonly #topics: Topics;
  #measure: Measure;
  readonly #accepted: Asked[];
  /** The same as they are shown, their topics before them. */
  readonly #shown: Asked[] = [];
  readonly #perTerm = new Map<string, number>();
  readonly #perSentence = new Map<number, number>();
  readonly #covered = new Map<string, number>();
  readonly #introduced = new Set<string>();
  /** How much of what is typical of it the cards so far say of each term. */
  readonly #said = new Map<string, number>();
  /** How many cards are about each term. */
  readonly #told = new Map<string, number>();
  /** Terms set off in the sections taken so far. */
  readonly #home = new Set<string>();
  readonly #tried = new Set<string>();
  /** What has been asked for from each sentence: the same again in other words is the same card. */
  readonly #askedFor = new Set<string>();
  /** Which questions for what a term is were taken. */
  readonly #explained = new Set<string>();
  /** Which sentences gave a card on which term. */
  readonly #toldHere = new Set<string>();
  /** Terms in the title of the section at hand. */
  #titled: ReadonlySet<string> = new Set();
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
      company: TermCompany;
      reach: Reach;
      topics: Topics;
    },
    measure: Measure,
    alreadyAsked: readonly Asked[],
  ) {
    this.#passages = source.passages;
    this.#lexicon = source.lexicon;
    this.#spelling = new Spelling(source.lexicon);
    this.#focus = source.focus;
    this.#company = source.company;
    this.#reach = source.reach;
    this.#everywhere = new Everywhere(source.lexicon.terms, source.company.size);
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
  takeLesser(floor: number) {
    this.#measure = { ...this.#measure, floor };
  }

  /** The best cards of one section, about `quota` and for its terms up to `spare` more, in reading order. */
  take(candidates: readonly Candidate[], facts: readonly Fact[], room: Room): EngineCard[] {
    const { quota, spare, path } = room;
    this.#path = path;
    this.#titled = new Set(this.#lexicon.terms.within(path.at(-1) ?? "").map(({ key }) => key));
    for (const { marked } of facts) for (const text of marked) this.#home.add(phraseKey(text));
    const all = candidates
      .filter((one) => !isPointless(one))
      .map((one) => this.#weigh(one))
      .filter((one) => this.#isWorthIt(one));
    const ranked = this.#rank(all);
    const taken: Taken[] = [];
    // What the author set off comes first: nobody should finish the deck without having been asked for it.
    for (const tier of TIERS) {
      for (const one of ranked) if (taken.length < quota + spare && this.#serves(one, tier)) this.#tryOne(one, taken);
    }
    this.#tellMore(all, facts, { quota, taken });
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

  #tryOne(one: Ranked, taken: Taken[]): boolean {
    const card = this.#accept(one);
    if (!card) return false;
    taken.push({ card, order: one.candidate.fact.order });
    for (const { key } of one.terms) this.#covered.set(key, (this.#covered.get(key) ?? 0) + 1);
    return true;
  }

  /** One more card for each term set off so far, where one says more of what is typical of it. */
  #tellMore(all: readonly Ranked[], facts: readonly Fact[], { quota, taken }: { quota: number; taken: Taken[] }) {
    const byTerm = new Map<string, Ranked[]>();
    // A deck that need not be full would rather say less of a term than ask what has several answers.
    const mayBeShort = this.#measure.fillFrom === undefined;
    const least = mayBeShort ? this.#measure.floor : Number.NEGATIVE_INFINITY;
    for (const one of all) {
      const { isFiller, isLastResort } = one.candidate;
      if (isFiller || one.score < least || (isLastResort && mayBeShort)) continue;
      for (const key of one.about) if (this.#home.has(key)) addTo(byTerm, key, one);
    }
    for (const key of this.#leastTold([...byTerm.keys()], facts)) {
      if (taken.length >= quota) return;
      this.#aptest(key, byTerm.get(key) ?? []).some((one) => this.#tryOne(one, taken));
    }
  }

  /** What adds most, until the quota is full. */
  #fill(pool: Ranked[], quota: number, taken: Taken[]) {
    const gainOf = (one: Ranked) => this.#gain(one);
    reckon(pool, gainOf);
    for (let tries = quota * TRIES_PER_CARD + MIN_TRIES; tries > 0 && taken.length < quota; tries--) {
      const best = popBest(pool, gainOf);
      if (!best) break;
      const isRoom = this.#blanks < this.#measure.blanks * (this.#cards + 1) + 1;
      if (best.candidate.style !== "cloze" || isRoom) this.#tryOne(best, taken);
    }
  }

  #rank(all: readonly Ranked[]): Ranked[] {
    return all
      .filter((one) => one.score >= this.#measure.floor && this.#hasMatter(one) && !one.candidate.isFiller)
      .toSorted((x, y) => y.score - x.score || x.candidate.fact.order - y.candidate.fact.order);
  }

  /** A sentence that speaks of none of the source's terms is an example or an aside. */
  #hasMatter({ candidate, terms }: Ranked): boolean {
    this.#isRich ??= this.#lexicon.terms.those(isMatter).length >= ENOUGH_TERMS;
    return !this.#isRich || /^(?:definition|term|list|short_form)$/.test(candidate.style) || terms.some(isMatter);
  }

  /** Who did what to whom in a story is no fact to learn. */
  #isWorthIt({ score, candidate: { style, fact } }: Ranked): boolean {
    return Number.isFinite(score) && !(this.#measure.isTold && style === "cloze" && fact.marked.length === 0);
  }

  #weigh(candidate: Candidate): Ranked {
    const { termKey, question, answer, style, fact } = candidate;
    const term = termKey === undefined ? undefined : this.#lexicon.terms.byKey(termKey);
    const fame = term ? 0.25 * Math.min(1.5, term.weight) : 0;
    const face = `${question} ${answer}`;
    const asked = this.#lexicon.terms.within(question).filter(({ isMarked }) => isMarked);
    const about = [...new Set([...asked.map(({ key }) => key), ...(termKey === undefined ? [] : [termKey])])];
    const stems = new Set(contentStems(face));
    const rich = Math.min(14, stems.size) * 0.03;
    const depth = this.#isIntroduction(candidate) ? 0.04 * Math.min(12, saidBesides(face, termKey)) : 0;
    const namesTerm = asked.length > 0;
    const mayBeShort = this.#measure.fillFrom === undefined;
    const doubt =
      doubtOf(candidate, namesTerm, this.#lexicon.terms) + (mayBeShort ? this.#doubtHere(candidate, stems) : 0);
    const thin = thinnessOf(candidate, namesTerm) + doubt + this.#everywhere.cost(candidate, asked);
    const score = WORTH[style] + fame + rich + depth - thin + 0.15 * salience(fact, this.#lexicon, this.#focus);
    return { candidate, score, gain: score, terms: this.#lexicon.terms.within(face), stems, about };
  }

  /** What a deck that need not be full may leave out. */
  #doubtHere(candidate: Candidate, stems: ReadonlySet<string>): number {
    const term = candidate.termKey === undefined ? undefined : this.#lexicon.terms.byKey(candidate.termKey);
    if (candidate.style === "short_form" && (term?.count ?? 0) < OFTEN_USED) return DOUBT_ELSEWHERE;
    const isElsewhere = !explains(candidate) && this.#reach.isElsewhere(stems);
    const style = this.#measure.takesAnyForm ? 0 : doubtOfStyle(candidate);
    return style + doubtInPlace(candidate) + (isElsewhere ? DOUBT_ELSEWHERE : 0) + this.#everywhere.doubt(candidate);
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
  #leastTold(keys: readonly string[], facts: readonly Fact[]): string[] {
    const here = new Set(facts.flatMap(({ marked }) => marked.map(phraseKey)));
    const rank = (key: string) => (here.has(key) ? 0 : 100) + (this.#told.get(key) ?? 0);
    return keys.toSorted((a, b) => rank(a) - rank(b));
  }

  /** The cards that say more of a term than its cards so far, best first. */
  #aptest(key: string, about: readonly Ranked[]): Ranked[] {
    const told = this.#told.get(key) ?? 0;
    const least = told >= FIRST_CARDS ? (this.#said.get(key) ?? 0) * SAYS_MORE : 0;
    return about
      .map((one) => ({ one, apt: this.#aptness(key, one) }))
      .filter(({ apt }) => apt > least)
      .toSorted((a, b) => b.apt - a.apt)
      .slice(0, TRIES_PER_TERM)
      .map(({ one }) => one);
  }

  #aptness(key: string, { candidate, stems }: Ranked): number {
    return this.#company.aptness(key, stems) * (candidate.style === "cloze" ? BLANK_COUNTS : 1);
  }

  #serves({ candidate }: Ranked, tier: Tier): boolean {
    const { termKey, style } = candidate;
    if (termKey === undefined) return false;
    // A title names what its section explains, as bold letters do.
    const isNamed = style === "definition" && tier === "introduced" && this.#titled.has(termKey);
    if (!isNamed && !this.#lexicon.terms.byKey(termKey)?.isMarked) return false;
    if (tier === "introduced") return !this.#introduced.has(termKey) && this.#isIntroduction(candidate);
    return this.#home.has(termKey) && !this.#said.has(termKey);
  }

  /** One card a sentence, a few a term; a term's introduction may be a second card. */
  #hasRoom(one: Ranked): boolean {
    const { fact, termKey } = one.candidate;
    const onTerm = this.#perTerm.get(termKey ?? "") ?? 0;
    const onSentence = this.#perSentence.get(fact.order) ?? 0;
    // The same told the other way round waits until everything else was asked.
    const isAgain =
      this.#measure.perSentence === 1 && this.#spare === 0 && this.#toldHere.has(`${fact.order} ${termKey}`);
    if (isAgain) return false;
    if (this.#serves(one, "introduced")) return onSentence < Math.max(PER_NAMING, this.#measure.perSentence);
    if (one.about.some((k) => this.#home.has(k))) return onSentence < Math.max(2, this.#measure.perSentence);
    return onTerm < this.#measure.perTerm + this.#spare && onSentence < this.#measure.perSentence + this.#spare;
  }

  #accept(one: Ranked): EngineCard | undefined {
    const bare = draftOf(one.candidate);
    const draft = { ...bare, question: this.#spelling.spellOut(bare.question, bare.answer) };
    if (this.#cards >= this.#measure.most || !this.#hasRoom(one)) return undefined;
    // Taken or refused once, it would be refused again: a text that repeats itself offers the same card a thousand times.
    const face = `${draft.question}\n${draft.answer}\n${draft.quote}`;
    const asked = `${one.candidate.fact.order}\n${phraseKey(bareName(draft.answer))}`;
    if (this.#tried.has(face) || this.#askedFor.has(asked) || this.#isExplained(one.candidate)) return undefined;
    this.#tried.add(face);
    if (!checkCard(draft, this.#passages, this.#accepted).ok) return undefined;
    // A paragraph that runs over a page break may have its sentence on the second page.
    const place = findQuote(this.#passages, draft.quote);
    const page = place?.page === undefined ? {} : { page: place.page };
    const card = { ...this.#inContext(one.candidate, draft), passageId: place?.passageId ?? draft.passageId, ...page };
    // Its like is told by what it asks: the topic before it would make two of a kind seem different.
    this.#accepted.push(draft);
    this.#shown.push(card);
    this.#spelling.learn(`${card.question} ${card.answer}`);
    this.#askedFor.add(asked);
    this.#cards++;
    this.#count(one);
    return card;
  }

  /** With its topic said first, where that does no harm. */
  #inContext(candidate: Candidate, draft: EngineCard): EngineCard {
    const topic = this.#topics.before({ ...candidate, question: draft.question }, this.#path);
    const told = { ...draft, question: `${topic}${draft.question}` };
    return topic !== "" && checkCard(told, this.#passages, this.#shown).ok ? told : draft;
  }

  /** "What is T?" asked twice has two answers, and the student cannot know which is meant. */
  #isExplained({ style, question }: Candidate): boolean {
    return style === "definition" && this.#explained.has(whatIs(question));
  }

  #count(one: Ranked) {
    const { candidate, about } = one;
    const { fact, termKey, style } = candidate;
    if (style === "cloze") this.#blanks++;
    if (style === "definition") this.#explained.add(whatIs(candidate.question));
    this.#perSentence.set(fact.order, (this.#perSentence.get(fact.order) ?? 0) + 1);
    for (const key of about) this.#told.set(key, (this.#told.get(key) ?? 0) + 1);
    for (const key of about) this.#said.set(key, Math.max(this.#aptness(key, one), this.#said.get(key) ?? 0));
    if (termKey === undefined) return;
    this.#toldHere.add(`${fact.order} ${termKey}`);
    this.#perTerm.set(termKey, (this.#perTerm.get(termKey) ?? 0) + 1);
    if (this.#isIntroduction(candidate)) this.#introduced.add(termKey);
  }
}
