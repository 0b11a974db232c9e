import { checkCard } from "#shared/cards/gates/card-gates.ts";
import type { WrittenCardGate } from "#shared/cards/gates/gate-names.ts";
import { isEnglish } from "#shared/text/language.ts";
import { findExactQuote, type QuotePosition } from "#shared/text/quotes.ts";
import type { Passage } from "#shared/pdf/schema.ts";
import { findLanguageCode, isInOtherLanguage } from "../language-detection.ts";
import type { WrittenCard } from "./object-reader.ts";

type CardText = { question: string; answer: string };
type GateResult = { position: QuotePosition } | { refusal: WrittenCardGate };

const ACTIVE_MARKUP = /!\[[^\]]*\]\([^)]*\)|<\/?(?:img|script|iframe|object|embed|link|svg|form|style|video|audio)\b/i;

/**
 * Whether a card has URLs or markup that its quote does not contain, which text planted in a document (prompt
 * injection) could have requested.
 */
function hasForeignMarkup({ question, answer, quote }: WrittenCard): boolean {
  // Markup that would load or run something is refused even if the source contains it.
  if (ACTIVE_MARKUP.test(`${question}\n${answer}`)) return true;
  const links = `${question}\n${answer}`.match(/https?:\/\/\S+|!?\[[^\]]*\]\([^)]*\)|<\/?[a-z][^>]*>/gi) ?? [];
  return links.some((link) => !quote.includes(link));
}

/** Question marks of other scripts, including the Greek one. */
const OTHER_QUESTION_MARK = /[\uFF1F\u061F\u037E\u055E]$|(?<=\p{Script=Greek}[\p{L}\s]*);$/u;

/** The card with the question mark that the gates expect; the card itself is shown as written. */
const normalizeForGates = (card: WrittenCard): WrittenCard => ({
  ...card,
  question: card.question.trim().replace(OTHER_QUESTION_MARK, "?"),
});

/** The number of passages from which a language other than English is detected. */
const SAMPLE_PASSAGES = 30;

/** Whether a text in this language is a translation of the source, as far as this can be detected. */
export function isTranslation(passages: readonly Passage[], language: string | undefined): boolean {
  const requested = language?.trim() ?? "";
  if (requested === "") return false;
  const [isSourceEnglish, isRequestedEnglish] = [isEnglish(passages), findLanguageCode(requested) === "eng"];
  if (isSourceEnglish || isRequestedEnglish) return isSourceEnglish !== isRequestedEnglish;
  const sample = passages.slice(0, SAMPLE_PASSAGES).map(({ text }) => text);
  return isInOtherLanguage(sample.join(" "), requested) ?? false;
}

const extractNumbers = (text: string) => text.match(/\d+/g) ?? [];

/** A translated answer does not occur in the quote, but its numbers must; all other gates apply. */
function checkTranslated(card: WrittenCard, existing: readonly CardText[]): WrittenCardGate | undefined {
  const { question, answer, quote } = card;
  const quoteNumbers = new Set(extractNumbers(quote));
  if (extractNumbers(answer).some((n) => !quoteNumbers.has(n))) return "answer_not_in_quote";
  const text = `${quote} ${answer}`;
  const passage: Passage = { id: "0", text, kind: "paragraph", bold: [], italic: [], locator: {} };
  const verdict = checkCard({ question, answer, quote: text }, [passage], existing);
  return verdict.ok ? undefined : verdict.reason;
}

/** The gates that all engines share, plus those needed for a model that can write anything. */
export function checkWrittenCard(
  card: WrittenCard,
  source: { passages: readonly Passage[]; isTranslated: boolean },
  existing: readonly CardText[],
): GateResult {
  if (hasForeignMarkup(card)) return { refusal: "foreign_markup" };
  const quotePosition = findExactQuote(source.passages, card.quote);
  if (!quotePosition) return { refusal: "quote_not_in_source" };
  const normalized = normalizeForGates(card);
  const verdict = checkCard(normalized, source.passages, existing);
  if (verdict.ok) return { position: quotePosition };
  if (!source.isTranslated || verdict.reason !== "answer_not_in_quote") return { refusal: verdict.reason };
  const refusal = checkTranslated(normalized, existing);
  return refusal === undefined ? { position: quotePosition } : { refusal };
}
