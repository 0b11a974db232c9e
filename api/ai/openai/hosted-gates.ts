import { checkCard } from "#shared/engine/gates.ts";
import { isEnglish } from "#shared/engine/language.ts";
import { findQuote, type QuotePlace } from "#shared/engine/quotes.ts";
import type { Passage } from "#shared/pdf/schema.ts";
import type { WrittenCard } from "./answer-reader.ts";

type Asked = { question: string; answer: string };
type Admission = { place: QuotePlace } | { refusal: string };

const ACTIVE_MARKUP = /!\[[^\]]*\]\([^)]*\)|<\/?(?:img|script|iframe|object|embed|link|svg|form|style|video|audio)\b/i;

/** URLs or markup that the quote does not contain: text planted in a document (prompt injection) could ask for them. */
function hasForeignMarkup({ question, answer, quote }: WrittenCard): boolean {
  // Markup that would load or run something is refused even if the source contains it.
  if (ACTIVE_MARKUP.test(`${question}\n${answer}`)) return true;
  const marks = `${question}\n${answer}`.match(/https?:\/\/\S+|!?\[[^\]]*\]\([^)]*\)|<\/?[a-z][^>]*>/gi) ?? [];
  return marks.some((mark) => !quote.includes(mark));
}

/** Scripts written without spaces; the gates count words. */
const UNSPACED =
  /([\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Khmer}\p{Script=Lao}])/gu;
/** Question marks of other scripts, including the Greek one. */
const OTHER_QUESTION_MARK = /[\uFF1F\u061F\u037E\u055E]$|(?<=\p{Script=Greek}[\p{L}\s]*);$/u;

const spaced = (text: string) => text.replace(UNSPACED, "$1 ");

/**
 * Normalises the card for the gates, which expect Latin punctuation and spaces; the card itself is shown as written.
 */
const readable = ({ question, answer, quote }: WrittenCard): WrittenCard => ({
  question: spaced(question.trim().replace(OTHER_QUESTION_MARK, "?")),
  answer: spaced(answer),
  quote: spaced(quote),
});

const ENGLISH = /^(?:en(?:[-_].*)?|english)$/i;

/** Whether cards in this language are a translation of the source, as far as this can be detected. */
export function isTranslation(passages: readonly Passage[], language: string | undefined): boolean {
  const wanted = language?.trim() ?? "";
  return wanted !== "" && isEnglish(passages) !== ENGLISH.test(wanted);
}

const numbersOf = (text: string) => text.match(/\d+/g) ?? [];

/** A translated answer does not occur in the quote, but its numbers must; all other gates apply. */
function checkTranslated(card: WrittenCard, made: readonly Asked[]): string | undefined {
  const { question, answer, quote } = card;
  const known = new Set(numbersOf(quote));
  if (numbersOf(answer).some((n) => !known.has(n))) return "answer_not_in_quote";
  const text = `${quote} ${answer}`;
  const passage: Passage = { id: "0", text, kind: "paragraph", bold: [], italic: [], locator: {} };
  const verdict = checkCard({ question, answer, quote: text }, [passage], made);
  return verdict.ok ? undefined : verdict.reason;
}

/** The gates that all engines share, plus those needed for a model that can write anything. */
export function admitWritten(
  card: WrittenCard,
  source: { passages: readonly Passage[]; isTranslated: boolean },
  made: readonly Asked[],
): Admission {
  if (hasForeignMarkup(card)) return { refusal: "foreign_markup" };
  const place = findQuote(source.passages, card.quote);
  if (!place) return { refusal: "quote_not_in_source" };
  const read = readable(card);
  const verdict = checkCard(read, source.passages, made);
  if (verdict.ok) return { place };
  if (!source.isTranslated || verdict.reason !== "answer_not_in_quote") return { refusal: verdict.reason };
  const refusal = checkTranslated(read, made);
  return refusal === undefined ? { place } : { refusal };
}
