import { candidatesOf, type ReadSection } from "../generate/section-candidates.ts";
import { type Fact, readFacts } from "../source/facts.ts";
import { makeNonEnglishCards } from "./non-english-cards.ts";
import { coverSections } from "./section-coverage.ts";
import { isEnglish, splitByLanguage } from "#shared/text/language.ts";
import {
  LAST_THRESHOLD,
  type DeckLimits,
  deckLimitsFor,
  MIN_DECK_CARDS,
  withCardLimit,
} from "../select/deck-limits.ts";
import { learnLabel, learnShortForms, learnWords, type Lexicon, createLexicon } from "../source/lexicon.ts";
import type { DescribeCard } from "../features/keep-probability.ts";
import { hasCodeSigns, TECHNICAL_SHARE } from "../features/keep-features.ts";
import { PhraseIndex } from "../source/phrase-facts.ts";
import { Topicality } from "../features/topicality.ts";
import type { EngineEvent, EngineOptions } from "../schema.ts";
import { readSections, type Section } from "../source/sections.ts";
import { Selector } from "../select/select.ts";
import { MAX_SPARE_CARDS } from "../select/selection-limits.ts";
import { shortFormsOf } from "../generate/names/short-forms.ts";
import { isFullOfCalls, parametersOf } from "../source/parameters.ts";
import { markedTerms } from "../source/terms.ts";
import { Topics } from "../features/topics.ts";
import { Collocations } from "../features/collocations.ts";
import { contentStems, wordsOf } from "#shared/text/words.ts";
import type { Passage } from "#shared/pdf/schema.ts";

/** Reads the whole source before any card is made, because only the whole source shows which phrases are terms. */
function* readAll(
  sections: readonly Section[],
  lexicon: Lexicon,
  total: number,
): Generator<EngineEvent, ReadSection[]> {
  const emphasisedTerms = markedTerms(sections.flatMap((s) => s.passages));
  lexicon.terms.addMarked(emphasisedTerms);
  const read: ReadSection[] = [];
  let done = 0;
  let order = 0;
  for (const section of sections) {
    const facts: Fact[] = [];
    const firstOrder = order;
    for (const passage of section.passages) {
      const passageFacts = readFacts(passage, emphasisedTerms, order);
      for (const { tokens, original, emphasised, label, text } of passageFacts) {
        learnWords(lexicon, tokens);
        if (label !== undefined) learnLabel(lexicon, label, text);
        if (original.includes("(")) learnShortForms(lexicon, shortFormsOf(original, emphasised));
      }
      order += passageFacts.length;
      facts.push(...passageFacts);
      if (++done % 50 === 0) yield { type: "progress", done, total };
    }
    // A section of tables has no sentences, but it still needs a position of its own.
    order = Math.max(order, firstOrder + 1);
    read.push({ section, facts, firstOrder, endOrder: order });
  }
  lexicon.terms.rankPhrases();
  return read;
}

const ENGLISH_REQUEST = /^(?:en(?:[-_].*)?|english|auto.*|)$/i;

const countWords = (sections: readonly Section[]) =>
  sections.reduce((n, s) => n + s.passages.reduce((m, p) => m + wordsOf(p.text).length, 0), 0);

/** Emphasised terms give more cards than their sentence alone. */
const EMPHASIS_WEIGHT = 3;

/** A section's weight when cards are divided among sections. Lists and tables have no sentences, but some content. */
const sectionWeight = ({ section, facts }: ReadSection) =>
  Math.max(
    section.blocks.some(({ blockClass }) => blockClass !== "prose" && blockClass !== "caption") ? 1 : 0,
    facts.reduce(
      (n, f) => n + (f.isSelfContained || f.label !== undefined ? 1 : 0) + EMPHASIS_WEIGHT * f.emphasised.length,
      0,
    ),
  );

/** Learns whether the source is about code or formulas. */
function learnKind(lexicon: Lexicon, facts: readonly Fact[], source: { passages: readonly Passage[]; words: number }) {
  lexicon.parameters = parametersOf(source.passages);
  lexicon.codeShare = facts.filter(({ original }) => hasCodeSigns(original)).length / Math.max(1, facts.length);
  lexicon.isTechnical = lexicon.codeShare >= TECHNICAL_SHARE || isFullOfCalls(source.passages, source.words);
}

/**
 * Generates cards from a source section by section, without a model and deterministically. Yields progress so that the
 * host can do other work in between.
 */
export function* generateCards(
  passages: readonly Passage[],
  options: EngineOptions,
  describe?: DescribeCard,
): Generator<EngineEvent> {
  if (!isEnglish(passages)) {
    yield* generateNonEnglish(passages, options, describe);
    return;
  }
  if (!ENGLISH_REQUEST.test(options.language?.trim() ?? "")) yield { type: "notice", notice: "not_translated" };
  const { english } = splitByLanguage(passages);
  const sections = readSections(english);
  const total = 2 * sections.reduce((n, s) => n + s.passages.length, 0);
  const lexicon = createLexicon();
  lexicon.phrases = new PhraseIndex(english);
  const read = yield* readAll(sections, lexicon, total);
  const facts = read.flatMap((part) => part.facts);
  const words = countWords(sections);
  learnKind(lexicon, facts, { passages: english, words });
  const { isTechnical } = lexicon;
  const limits = withCardLimit(deckLimitsFor(options.density, words, { facts, isTechnical }), options.maxCards);
  const focus = new Set(contentStems(options.customInstructions ?? "").filter((s) => s.length > 3));
  const collocations = new Collocations(facts, lexicon.terms);
  const topicality = new Topicality(facts);
  const topics = new Topics(sections, lexicon.terms);
  const selector = new Selector(
    { passages, lexicon, focus, collocations, topicality, topics, formPreference: options.formPreference, describe },
    limits,
    options.existingCards ?? [],
  );
  const totalWeight = Math.max(
    1,
    read.reduce((n, part) => n + sectionWeight(part), 0),
  );
  let processedWeight = 0;
  let done = total / 2;
  for (const part of read) {
    processedWeight += sectionWeight(part);
    const quota = Math.ceil((limits.cards * processedWeight) / totalWeight) - selector.count;
    // A section rich in terms may use up to half of the cards meant for later sections.
    const remaining = limits.cards * (1 - processedWeight / totalWeight);
    const sectionQuota = {
      quota,
      spare: Math.min(MAX_SPARE_CARDS, Math.floor(remaining / 2)),
      path: part.section.path,
    };
    for (const card of selector.take(candidatesOf(part, lexicon), part.facts, sectionQuota))
      yield { type: "card", card };
    done += part.section.passages.length;
    yield { type: "progress", done, total };
  }
  yield* coverSections(read, lexicon, { selector, limits, words: countWords(sections) });
  yield* fillBelowThreshold(read, lexicon, { selector, limits });
  if (selector.count < limits.cards * 0.8 && options.density !== "AUTO" && options.maxCards === undefined)
    yield { type: "notice", notice: "fewer_cards_than_asked" };
}

/** Thresholds in steps of 0.1, from high to low, so that the best candidates come first. */
const thresholdsBelow = (high: number, low: number) =>
  Array.from({ length: Math.round((high - low) * TENTHS) }, (_, i) => (Math.round(high * TENTHS) - i - 1) / TENTHS);
const TENTHS = 10;

/** Fills a deck that has hardly any good cards with the best candidates below the threshold, from any section. */
function* fillBelowThreshold(
  read: readonly ReadSection[],
  lexicon: Lexicon,
  { selector, limits: { least, threshold } }: { selector: Selector; limits: DeckLimits },
): Generator<EngineEvent> {
  if (least === undefined || selector.count >= least.cards) return;
  const parts = read.map((part) => ({ part, candidates: candidatesOf(part, lexicon) }));
  for (const loweredThreshold of thresholdsBelow(threshold, Math.min(least.threshold, LAST_THRESHOLD))) {
    selector.lowerThreshold(loweredThreshold);
    const requestedCount = loweredThreshold >= least.threshold ? least.cards : MIN_DECK_CARDS;
    for (const { part, candidates } of parts) {
      const quota = requestedCount - selector.count;
      if (quota <= 0) return;
      const sectionQuota = { quota, spare: 0, path: part.section.path };
      for (const card of selector.take(candidates, part.facts, sectionQuota)) yield { type: "card", card };
    }
  }
}

/** A card in another language with a lower probability is left out of an automatic deck. */
const MIN_OTHER_LANGUAGE_PROBABILITY = 0.35;

function* generateNonEnglish(
  passages: readonly Passage[],
  options: EngineOptions,
  describe: DescribeCard | undefined,
): Generator<EngineEvent> {
  const words = passages.reduce((n, { text }) => n + wordsOf(text).length, 0);
  const { cards: maxCards } = deckLimitsFor(options.density, words, { facts: [] });
  const leastProbability = options.density === "AUTO" ? MIN_OTHER_LANGUAGE_PROBABILITY : 0;
  const cards = makeNonEnglishCards(passages, { maxCards, leastProbability }, describe);
  if (cards.length > 0) yield { type: "notice", notice: "only_emphasised_terms" };
  for (const card of cards) yield { type: "card", card };
  if (cards.length === 0) yield { type: "notice", notice: "language_not_supported" };
  yield { type: "progress", done: 1, total: 1 };
}
