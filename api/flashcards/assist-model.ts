import { Failure } from "#shared/contract/failure.ts";
import { formatAssistText } from "#shared/messages/assist-text.ts";
import type { DeckCard } from "#shared/cards/deck/deck-texts.ts";
import { searchTerms } from "#shared/text/search-terms.ts";
import { contentStems } from "#shared/text/words.ts";
import type { Model } from "#api/ai/port.ts";
import { isTranslation } from "#api/ai/openai/hosted-gates.ts";
import { isInOtherLanguage } from "#api/ai/language-detection.ts";
import {
  buildDeckTitlePrompt,
  buildHighlightsPrompt,
  buildHintPrompt,
  HighlightOutput,
  HintOutput,
} from "#api/ai/prompts/assist.ts";
import { writeObjects, writeTitle } from "#api/ai/openai/write-objects.ts";
import type { UserCtx } from "#api/http/handler.ts";

/** The student is waiting, so after this the built-in engine's hint is used. */
const HINT_TIMEOUT_MS = 8000;
const HINT_TOKENS = 200;
const MAX_HINT_CHARS = 240;
const MAX_HIGHLIGHTS = 10;
const TOKENS_PER_HIGHLIGHT = 100;
const MAX_HIGHLIGHT_CHARS = 300;
/** About the context size of a small model. */
const MAX_CARD_CHARS = 14_000;
const TITLE_TOKENS = 40;
const TITLE_CARDS = 20;
/** Least share of a highlight's terms that must occur on its card. */
const MIN_SHARED_TERMS = 0.5;

const LINK_OR_MARKUP = /https?:\/\/|www\.|!?\[[^\]]*\]\([^)]*\)|<\/?[a-z!]/iu;
const numbersOf = (text: string) => text.match(/\d+/g) ?? [];
const textOf = ({ question, answer, quote }: DeckCard) => `${question} ${answer} ${quote ?? ""}`;

/** Why a hint is rejected, worded for the model; undefined if it is valid. */
export function findHintFault(hint: string, card: DeckCard): string | undefined {
  const text = hint.trim();
  if (text.length > MAX_HINT_CHARS) return "the hint is too long";
  if (LINK_OR_MARKUP.test(text)) return "the hint holds a link or markup";
  const input = `${card.question} ${card.quote ?? ""}`;
  const seen = new Set(contentStems(text));
  const answer = contentStems(card.answer);
  const containsAnswer = text.toLocaleLowerCase().includes(card.answer.trim().toLocaleLowerCase());
  if (containsAnswer || answer.some((stem) => seen.has(stem))) return "the hint says a word of the answer";
  const knownNumbers = new Set(numbersOf(input));
  if (numbersOf(text).some((number) => !knownNumbers.has(number))) return "the hint names a number that stands nowhere";
  const questionStems = contentStems(input);
  return questionStems.length > 0 && !questionStems.some((stem) => seen.has(stem))
    ? "the hint has no word in common with the question"
    : undefined;
}

/** A valid hint from the model; undefined if there is none in time. */
export async function writeHint(ctx: UserCtx, card: DeckCard): Promise<string | undefined> {
  const model = await ctx.models.choose();
  if (!model?.chat) return undefined;
  const timeout = AbortSignal.timeout(HINT_TIMEOUT_MS);
  try {
    const hints = writeObjects(model, {
      ...buildHintPrompt(card),
      schema: HintOutput,
      validate: ({ hint }) => findHintFault(hint, card),
      maxObjects: 1,
      maxTokens: HINT_TOKENS,
      ownerId: ctx.caller.userId,
      signal: AbortSignal.any([ctx.signal, timeout]),
    });
    for await (const { hint } of hints) return hint.trim();
  } catch (error) {
    ctx.signal.throwIfAborted();
    if (!(error instanceof Failure) && !timeout.aborted) throw error;
  }
  return undefined;
}

export interface HighlightOptions {
  language?: string;
  instructions?: string;
  /** The language of notices to the student. */
  readerLanguage: string;
}

/** Why a highlight is rejected, worded for the model; undefined if it is valid. */
export function findHighlightFault(
  text: string,
  card: DeckCard | undefined,
  isTranslated: boolean,
): string | undefined {
  if (!card) return "a highlight names a card that is not there";
  if (text.length > MAX_HIGHLIGHT_CHARS) return "a highlight is too long";
  if (LINK_OR_MARKUP.test(text)) return "a highlight holds a link or markup";
  const knownNumbers = new Set(numbersOf(textOf(card)));
  if (numbersOf(text).some((number) => !knownNumbers.has(number)))
    return "a highlight names a number that its card does not";
  if (isTranslated) return undefined;
  const terms = new Set(searchTerms(text));
  const cardTerms = new Set(searchTerms(textOf(card)));
  const shared = [...terms].filter((term) => cardTerms.has(term)).length;
  return terms.size === 0 || shared / terms.size < MIN_SHARED_TERMS ? "a highlight says more than its card" : undefined;
}

/** A sample spread evenly over the deck that fits into one request. */
function sampleCards(cards: readonly DeckCard[]): DeckCard[] {
  const chars = cards.reduce((sum, { question, answer }) => sum + question.length + answer.length, 0);
  const share = Math.min(1, MAX_CARD_CHARS / Math.max(1, chars));
  const sampled = cards.filter((_, i) => Math.floor((i + 1) * share) > Math.floor(i * share));
  return sampled.map(({ question, answer, quote }) => ({
    question: question.slice(0, 700),
    answer: answer.slice(0, 700),
    quote,
  }));
}

const toPassage = (text: string) => ({ id: "0", text, kind: "paragraph" as const, bold: [], italic: [], locator: {} });

/** Streams highlight lines from a model, each checked against its card; yields nothing if none is valid. */
export async function* streamModelHighlights(
  ctx: UserCtx,
  model: Model,
  input: { cards: readonly DeckCard[]; options: HighlightOptions },
): AsyncGenerator<string> {
  const cards = sampleCards(input.cards);
  const { language, instructions, readerLanguage } = input.options;
  const isTranslated = isTranslation([toPassage(cards.map(textOf).join(" "))], language);
  const count = Math.min(MAX_HIGHLIGHTS, cards.length);
  const seen = new Set<string>();
  const highlights = writeObjects(model, {
    ...buildHighlightsPrompt({ cards, count, language, instructions }),
    schema: HighlightOutput,
    validate: ({ highlight, card }) =>
      seen.has(highlight) ? "two say the same" : findHighlightFault(highlight, cards[card - 1], isTranslated),
    maxObjects: count,
    maxTokens: count * TOKENS_PER_HIGHLIGHT + 200,
    ownerId: ctx.caller.userId,
    signal: ctx.signal,
  });
  for await (const { highlight } of highlights) {
    seen.add(highlight);
    yield `- ${highlight.replaceAll(/\s+/g, " ").trim()}\n`;
  }
  if (language !== undefined && isInOtherLanguage([...seen].join(" "), language) === true)
    yield `\n${formatAssistText(readerLanguage, "highlights_wrong_language")}\n`;
}

export async function writeDeckTitle(ctx: UserCtx, cards: readonly DeckCard[]): Promise<string | undefined> {
  const model = await ctx.models.choose();
  if (!model?.chat) return undefined;
  const prompt = buildDeckTitlePrompt(sampleCards(cards).slice(0, TITLE_CARDS));
  const input = { ...prompt, maxTokens: TITLE_TOKENS, ownerId: ctx.caller.userId, signal: ctx.signal };
  return writeTitle(model, input);
}
