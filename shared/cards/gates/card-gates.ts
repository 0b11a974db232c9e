import { findExactQuote } from "#shared/text/quotes.ts";
import { BLANK, type DraftCard } from "../schema.ts";
import { contentStems, containsPhrase, phraseKey, wordsOf } from "#shared/text/words.ts";
import { isUnspaced, spaceWords } from "#shared/text/unspaced-words.ts";
import type { Passage } from "#shared/pdf/schema.ts";
import type { CARD_GATES } from "./gate-names.ts";

export type GateReason = (typeof CARD_GATES)[number];
export type GateVerdict = { ok: true } | { ok: false; reason: GateReason };

type CardText = Pick<DraftCard, "question" | "answer">;

const MAX_QUESTION_WORDS = 32;
const MAX_ANSWER_WORDS = 24;

/** An answer that ends in one of these was cut short. */
const INCOMPLETE_ANSWER =
  /\b(?:that|which|who|whose|of|the|an|and|or|but|nor|because|such|than|into|with|is|are|was|were|be|been|by|for|from|with|as|just|also|only|both|either|in order)$/i;

/** A question that ends in the middle of a sentence or of a word. */
const INCOMPLETE_QUESTION =
  /____.*\b(?:because|although|whose|but|and|or|which|while)\.$|\b(?:and|or|the|an|that|because|whose)\?$|\sn['’]t\b/i;

/** "什么是酶？" is a whole question of two or three words. */
const minQuestionWords = (question: string) => (isUnspaced(question) ? 2 : 3);

function isWellFormed({ question, answer }: CardText): boolean {
  const questionText = question.trim();
  const answerText = answer.trim();
  const questionWords = wordsOf(questionText).length;
  const answerWords = wordsOf(answerText).length;
  if (!questionText.endsWith("?") && !questionText.includes(BLANK)) return false;
  if (INCOMPLETE_QUESTION.test(questionText)) return false;
  if (questionWords < minQuestionWords(questionText) || questionWords > MAX_QUESTION_WORDS) return false;
  if (answerWords < 1 || answerWords > MAX_ANSWER_WORDS) return false;
  return (
    !/[,;:]$/.test(answerText) &&
    !INCOMPLETE_ANSWER.test(answerText) &&
    !/__|\?/.test(answerText) &&
    hasBalancedBrackets(questionText) &&
    hasBalancedBrackets(answerText)
  );
}

function hasBalancedBrackets(text: string): boolean {
  let open = 0;
  for (const character of text) {
    if (character === "(" || character === "[") open++;
    if (character === ")" || character === "]") open--;
    if (open < 0) return false;
  }
  return open === 0;
}

const SOURCE_REFERENCE =
  /\b(?:the|this|that|these|following|preceding|next|previous) (?:figure|table|chapter|section|passage|text|paragraph|diagram|image|example|lesson|slide|lecture|equation)s?\b|\b(?:figure|fig\.|table|chapter|equation) \d|\b(?:shown|described|mentioned|discussed|listed|given|seen|noted) (?:above|below|here|earlier|previously)\b|\baccording to the (?:text|author|passage)\b/i;
const DANGLING_QUESTION =
  /^(?:(?:what|why|how|when|who|where|which)\s+)?(?:(?:is|are|was|were|do|does|did|can|has|have)\s+)?(?:it|this|that|these|those|they|he|she|such|we|you)\b/i;
const DANGLING_ANSWER = /^(?:it|this|these|those|they|he|she|such|we|you|which)\b/i;

/** "Any character in that list": the question would have to name the list. */
const UNRESOLVED_THAT_ENDING = /\b(?:in|of|at|to|by|from|on|for|with|within|during) that (\p{Ll}+)$/iu;

function isSelfContained({ question, answer }: CardText): boolean {
  const referent = UNRESOLVED_THAT_ENDING.exec(answer.trim())?.[1];
  if (referent !== undefined && !containsPhrase(question, referent)) return false;
  return !SOURCE_REFERENCE.test(question) && !DANGLING_QUESTION.test(question) && !DANGLING_ANSWER.test(answer.trim());
}

/** An answer of stop words only ("both", "more") has no stems and is compared by its letters. */
function isAnswered({ answer, quote }: DraftCard): boolean {
  const stems = [...new Set(contentStems(answer))];
  if (stems.length === 0) return containsPhrase(quote, answer);
  const known = new Set(contentStems(quote));
  return stems.filter((s) => known.has(s)).length >= 0.9 * stems.length;
}

/**
 * Without spaces, word boundaries depend on the surrounding text, so an answer may be split into other words than its
 * quote. Such an answer is compared as plain text.
 */
const isVerbatim = ({ answer, quote }: DraftCard) => isUnspaced(answer) && quote.includes(answer.trim());

function leaksAnswer({ question, answer }: CardText): boolean {
  const key = phraseKey(answer);
  if (key.length > 1 && containsPhrase(question, answer)) return true;
  const stems = contentStems(answer);
  const known = new Set(contentStems(question));
  return stems.length > 0 && stems.every((s) => known.has(s));
}

const spacedCards = new WeakMap<CardText, CardText>();

/** The card with spaces between its words, which the gates compare. */
function withSpaces(card: CardText): CardText {
  const known = spacedCards.get(card);
  if (known) return known;
  const spaced = { question: spaceWords(card.question), answer: spaceWords(card.answer) };
  spacedCards.set(card, spaced);
  return spaced;
}

interface CardFingerprint {
  stems: Set<string>;
  question: string;
  answer: string;
}
const fingerprintCache = new WeakMap<CardText, CardFingerprint>();

function fingerprintOf(card: CardText): CardFingerprint {
  const known = fingerprintCache.get(card);
  if (known) return known;
  const { question, answer } = withSpaces(card);
  const stems = new Set(contentStems(`${question} ${answer}`));
  const fingerprint = { stems, question: phraseKey(question), answer: phraseKey(answer) };
  fingerprintCache.set(card, fingerprint);
  return fingerprint;
}

/**
 * Two cards are duplicates if four fifths of their words are the same, if more than half are and the answers are equal,
 * or if their questions are equal and one card has all words of the other.
 */
export function areDuplicates(first: CardText, second: CardText): boolean {
  const a = fingerprintOf(first);
  const b = fingerprintOf(second);
  let shared = 0;
  for (const s of a.stems) if (b.stems.has(s)) shared++;
  // The same question with a shortened answer. A right answer to one card would count as wrong for the other.
  if (a.question === b.question && shared === Math.min(a.stems.size, b.stems.size)) return true;
  const similarity = shared / (a.stems.size + b.stems.size - shared || 1);
  return similarity >= 0.8 || (similarity >= 0.55 && a.answer === b.answer);
}

/** The gates for cards of every engine. A card that fails a gate is never shown. */
export function checkCard(
  card: DraftCard,
  passages: readonly Passage[],
  acceptedSoFar: readonly CardText[],
): GateVerdict {
  if (!findExactQuote(passages, card.quote)) return { ok: false, reason: "quote_not_in_source" };
  const spaced = { ...withSpaces(card), quote: spaceWords(card.quote) };
  if (!isWellFormed(spaced)) return { ok: false, reason: "malformed" };
  if (!isSelfContained(spaced)) return { ok: false, reason: "needs_context" };
  if (!isAnswered(spaced) && !isVerbatim(card)) return { ok: false, reason: "answer_not_in_quote" };
  if (leaksAnswer(spaced)) return { ok: false, reason: "answer_in_question" };
  if (acceptedSoFar.some((accepted) => areDuplicates(card, accepted))) return { ok: false, reason: "duplicate" };
  return { ok: true };
}
