import { checkCard } from "../gates/card-gates.ts";
import { isFunctionWord, type OtherSign, patternsOf } from "../generate/language-patterns.ts";
import {
  definitionsIn,
  hasSymbols,
  labelOf,
  sentenceSigns,
  isUnderstandableAlone,
} from "../generate/other-languages.ts";
import type { DescribeCard } from "../features/keep-probability.ts";
import { type OtherLanguageCard, otherLanguageProbability } from "../features/other-language-features.ts";
import { PhraseIndex } from "../source/phrase-facts.ts";
import { readLayout } from "../layout/block-classes.ts";
import { BLANK, type EngineCard } from "../schema.ts";
import { splitPoints, trimInlineHeadings } from "../source/passage-cleanup.ts";
import { isClearlyEnglish } from "#shared/text/language.ts";
import { splitSentences } from "#shared/text/sentences.ts";
import { type MarkedTerm, markedTerms } from "../source/terms.ts";
import type { Passage } from "#shared/pdf/schema.ts";

const wordSegmenter = () => new Intl.Segmenter(undefined, { granularity: "word" });

function countWords(text: string, segmenter: Intl.Segmenter): number {
  let count = 0;
  for (const { isWordLike } of segmenter.segment(text)) if (isWordLike) count++;
  return count;
}

const readable = (passages: readonly Passage[]) =>
  readLayout(splitPoints(trimInlineHeadings(passages)))
    .filter(({ blockClass }) => blockClass === "prose" || blockClass === "list_item")
    .map(({ passage }) => passage);

function cardOf(passage: Passage, card: Pick<EngineCard, "question" | "answer" | "quote" | "kind">): EngineCard {
  const page = passage.locator.page;
  return { ...card, passageId: passage.id, ...(page === undefined ? {} : { page }) };
}

/** The names that the source sets in bold, or uses as a heading or as the label of a paragraph. */
function introducedNames(passages: readonly Passage[], emphasised: readonly MarkedTerm[]): ReadonlySet<string> {
  const headings = passages.filter(({ kind }) => kind === "heading").map(({ text }) => text);
  const labels = passages.map(({ text }) => labelOf(text)?.name ?? "");
  return new Set(
    [...headings, ...labels, ...emphasised.map(({ text }) => text)].map((name) => name.trim().toLowerCase()),
  );
}

/** A card with the ranker's input and its result. */
interface ScoredCard {
  card: EngineCard;
  rankerInput: OtherLanguageCard;
  probability: number;
  order: number;
}

/** In reading order: definitions where the language's patterns are known, and blanks for emphasised terms. */
function* cardsIn(passages: readonly Passage[]): Generator<Omit<ScoredCard, "order">> {
  const segmenter = wordSegmenter();
  const readablePassages = readable(passages).filter((passage) => !isUntranslated(passage));
  const emphasised = markedTerms(readablePassages);
  const names = introducedNames(passages, emphasised);
  const introduced = { has: (name: string) => names.has(name.toLowerCase()) };
  const index = new PhraseIndex(passages);
  const describe = (
    card: EngineCard,
    { style, phrase, signs }: { style: OtherLanguageCard["style"]; phrase: string; signs: readonly OtherSign[] },
  ) => {
    const isFirst = index.isFirstMention(phrase, card.passageId);
    const { question, answer } = card;
    const all: OtherSign[] = isFirst ? [...signs, "first_mention"] : [...signs];
    const rankerInput: OtherLanguageCard = { question, answer, style, signs: all, facts: index.factsOf(phrase) };
    return { card, rankerInput, probability: otherLanguageProbability(rankerInput) };
  };
  for (const passage of readablePassages) {
    const patterns = patternsOf(passage.text);
    const definitions = patterns === undefined ? [] : definitionsIn(passage, patterns, introduced);
    for (const { question, answer, quote, ...found } of definitions) {
      const kind = question.includes(BLANK) ? "cloze" : "qa";
      yield describe(cardOf(passage, { question, answer, quote, kind }), found);
    }
    if (definitions.length > 0) continue;
    for (const term of emphasised.filter((candidate) => candidate.passage === passage)) {
      const card = blankCard(term, patterns, segmenter);
      if (card === undefined) continue;
      const start = passage.text.indexOf(card.quote);
      yield describe(card, { style: "blank", phrase: term.text, signs: sentenceSigns(card.quote, start, patterns) });
    }
  }
}

/** An English passage in a source of another language was left untranslated, or is a quotation. */
const isUntranslated = (passage: Passage) => patternsOf(passage.text) === undefined && isClearlyEnglish(passage);

/** A deck has at least this many cards, even if they are unlikely to be kept. */
const MIN_CARDS = 5;

/** Cards for a language whose grammar the engine hardly knows: those most likely to be kept, in reading order. */
export function makeNonEnglishCards(
  passages: readonly Passage[],
  { maxCards, leastProbability }: { maxCards: number; leastProbability: number },
  describe?: DescribeCard,
): EngineCard[] {
  const found = [...cardsIn(passages)]
    .map((scored, order) => ({ ...scored, order }))
    .toSorted((a, b) => b.probability - a.probability || a.order - b.order);
  const accepted: ScoredCard[] = [];
  const cards: EngineCard[] = [];
  const usedTerms = new Set<string>();
  for (const scored of found) {
    const key = (scored.card.kind === "cloze" ? scored.card.answer : scored.card.question).toLowerCase();
    if (accepted.length >= maxCards || (scored.probability < leastProbability && accepted.length >= MIN_CARDS)) break;
    if (usedTerms.has(key) || !checkCard(scored.card, passages, cards).ok) continue;
    usedTerms.add(key);
    accepted.push(scored);
    cards.push(scored.card);
    describe?.(scored.card, scored.rankerInput);
  }
  return accepted.toSorted((a, b) => a.order - b.order).map(({ card }) => card);
}

const MIN_WORDS = 6;
const MAX_WORDS = 31;
const MAX_CHARS = 400;
/** A sentence without a mark at its end was probably cut off. */
const SENTENCE_END = /[.!?。！？؟…]["”’»」)]*$/u;
/** Whether a text has tabs, formula signs or more than two other unusual signs, as tables and code have. */
const hasUnusualSigns = (text: string) =>
  /\t|[∑∏∫⋃]|[{}|=]|\.{3},|, \.{3}/u.test(text) ||
  (text.match(/[^\p{L}\p{M}\p{N}\s.,;:!?'’“”"«»()。，、；：！？؟،-]/gu)?.length ?? 0) > 2;

const isCompleteSentence = (text: string) =>
  text.length <= MAX_CHARS && SENTENCE_END.test(text) && !hasUnusualSigns(text);
/** A list item that begins with a small letter continues the line above it. */
const isContinuation = (text: string) => /^\P{L}*\p{Ll}/u.test(text);
/** "Chapter 3" in any language: a part of the source itself. */
const PART_OF_SOURCE = /^\p{L}[\p{L} ]{2,20} \d+$/u;
const isName = (text: string) =>
  !hasSymbols(text) &&
  !/^\p{Script=Latin}{1,2}$/u.test(text) &&
  /\p{L}{2}/u.test(text) &&
  !PART_OF_SOURCE.test(text) &&
  !isFunctionWord(text);

/** In a text of another script, lower-case Latin words and blanks beside Latin letters or code signs are code. */
const isCodeInScript = (text: string, before: string, after: string) =>
  /[^\p{Script=Latin}\P{L}]/u.test(before + after) &&
  (/^[\p{Ll}\p{N}\P{L}]+$/u.test(text.replace(/[^\p{Script=Latin}\p{N}\P{L}]/gu, "A")) ||
    /[\p{Script=Latin}%._/-] ?$/u.test(before) ||
    /^ ?[\p{Script=Latin}._/-]/u.test(after));

/** "Press the ____ key": the name of a key is not worth learning. */
const KEY_COMBINATION = /\p{L}\+\p{L}/u;
const KEY_WORD_BEFORE = /(?:taste|toets|キー|键|(?<!\p{L})(?:touche|tecla|tasto|key))\P{L}*$/iu;
const KEY_WORD_AFTER = /^[-\P{L}]*(?:tasten?|キー|键|key)(?!\p{L})/iu;
const isKeyboardKey = (text: string, before: string, after: string) =>
  KEY_COMBINATION.test(text) || KEY_WORD_BEFORE.test(before) || KEY_WORD_AFTER.test(after);

/** Whether a blank hides a term rather than code or a key, and the rest of the card does not repeat it. */
function asksForTerm(context: string, hidden: string): boolean {
  const [before = "", after = ""] = context.split(BLANK);
  if (/^____\s?:/.test(context) || context.includes(hidden)) return false;
  return !isCodeInScript(hidden, before, after) && !isKeyboardKey(hidden, before, after);
}

const isSelfContained = (sentence: string, patterns: ReturnType<typeof patternsOf>) =>
  !isContinuation(sentence) && isUnderstandableAlone(sentence, patterns) && patterns?.personal.test(sentence) !== true;

const isInLabel = ({ passage, start }: MarkedTerm) => start < (labelOf(passage.text)?.end ?? 0);

function blankCard(
  term: MarkedTerm,
  patterns: ReturnType<typeof patternsOf>,
  segmenter: Intl.Segmenter,
): EngineCard | undefined {
  const { text, passage, start, end } = term;
  const sentence = splitSentences(passage.text, "und").find((s) => s.start <= start && s.end >= end);
  if (!sentence || isInLabel(term) || !isName(text) || !isCompleteSentence(sentence.text)) return undefined;
  if (!isSelfContained(sentence.text, patterns)) return undefined;
  const position = sentence.text.indexOf(text, start - sentence.start);
  const context = sentence.text.slice(0, position) + BLANK + sentence.text.slice(position + text.length);
  const words = countWords(context, segmenter);
  if (position === -1 || words < MIN_WORDS || words > MAX_WORDS || !asksForTerm(context, text)) return undefined;
  return cardOf(passage, { question: context, answer: text, kind: "cloze", quote: sentence.text });
}
