import { checkCard } from "../gates/card-gates.ts";
import {
  definitionsIn,
  hasSymbols,
  isJoiningWord,
  labelOf,
  patternsOf,
  standsAlone,
} from "../generate/other-languages.ts";
import { readLayout } from "../layout/block-classes.ts";
import { BLANK, type EngineCard } from "../schema.ts";
import { splitPoints, trimInlineHeadings } from "../source/passage-cleanup.ts";
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

/** What the source sets in bold, heads a section with, or labels a paragraph with. */
function namesIntroduced(passages: readonly Passage[], marked: readonly MarkedTerm[]): ReadonlySet<string> {
  const headings = passages.filter(({ kind }) => kind === "heading").map(({ text }) => text);
  const labels = passages.map(({ text }) => labelOf(text)?.name ?? "");
  return new Set([...headings, ...labels, ...marked.map(({ text }) => text)].map((name) => name.trim().toLowerCase()));
}

/** In reading order: definitions where the language's patterns are known, and blanks for emphasised terms. */
function* cardsIn(passages: readonly Passage[]): Generator<EngineCard> {
  const segmenter = wordSegmenter();
  const matter = readable(passages);
  const marked = markedTerms(matter);
  const names = namesIntroduced(passages, marked);
  const introduced = { has: (name: string) => names.has(name.toLowerCase()) };
  for (const passage of matter) {
    const patterns = patternsOf(passage.text);
    const definitions = patterns === undefined ? [] : definitionsIn(passage, patterns, introduced);
    for (const definition of definitions)
      yield cardOf(passage, { ...definition, kind: definition.question.includes(BLANK) ? "cloze" : "qa" });
    if (definitions.length > 0) continue;
    for (const term of marked.filter((one) => one.passage === passage)) {
      const card = blankCard(term, patterns, segmenter);
      if (card) yield card;
    }
  }
}

/** Cards for a text whose grammar the engine knows little or nothing of. */
export function* makeNonEnglishCards(passages: readonly Passage[], most: number): Generator<EngineCard> {
  const accepted: EngineCard[] = [];
  const usedTerms = new Set<string>();
  for (const card of cardsIn(passages)) {
    const key = (card.kind === "cloze" ? card.answer : card.question).toLowerCase();
    if (accepted.length >= most) return;
    if (usedTerms.has(key) || !checkCard(card, passages, accepted).ok) continue;
    usedTerms.add(key);
    accepted.push(card);
    yield card;
  }
}

const MIN_WORDS = 6;
const MAX_WORDS = 31;
const MAX_CHARS = 400;
/** A blank in a sentence that is cut off, or of a symbol, has no answer that could be known. */
const WHOLE = /[.!?。！？؟…]["”’»」)]*$/u;
/** At most this share of what is left may be signs. */
const isTorn = (text: string) =>
  /\t|[∑∏∫⋃]|[{}|=]|\.{3},|, \.{3}/u.test(text) ||
  (text.match(/[^\p{L}\p{M}\p{N}\s.,;:!?'’“”"«»()。，、；：！？؟،-]/gu)?.length ?? 0) > 2;

const isWhole = (text: string) => text.length <= MAX_CHARS && WHOLE.test(text) && !isTorn(text);
/** A point of a list that begins with a small letter goes on from the line above it. */
const goesOn = (text: string) => /^\P{L}*\p{Ll}/u.test(text);
/** "Chapter 3" in any language: a part of the source itself. */
const PART_OF_SOURCE = /^\p{L}[\p{L} ]{2,20} \d+$/u;
const isName = (text: string) =>
  !hasSymbols(text) &&
  !/^\p{Script=Latin}{1,2}$/u.test(text) &&
  /\p{L}{2}/u.test(text) &&
  !PART_OF_SOURCE.test(text) &&
  !isJoiningWord(text);

const isInLabel = ({ passage, start }: MarkedTerm) => start < (labelOf(passage.text)?.end ?? 0);

function blankCard(
  term: MarkedTerm,
  patterns: ReturnType<typeof patternsOf>,
  segmenter: Intl.Segmenter,
): EngineCard | undefined {
  const { text, passage, start, end } = term;
  const sentence = splitSentences(passage.text, "und").find((s) => s.start <= start && s.end >= end);
  if (!sentence || isInLabel(term) || !isName(text) || !isWhole(sentence.text)) return undefined;
  if (goesOn(sentence.text) || !standsAlone(sentence.text, patterns)) return undefined;
  const at = sentence.text.indexOf(text, start - sentence.start);
  const context = sentence.text.slice(0, at) + BLANK + sentence.text.slice(at + text.length);
  const words = countWords(context, segmenter);
  if (/^____\s?:/.test(context)) return undefined;
  if (at === -1 || words < MIN_WORDS || words > MAX_WORDS || context.includes(text)) return undefined;
  return cardOf(passage, { question: context, answer: text, kind: "cloze", quote: sentence.text });
}
