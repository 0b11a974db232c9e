import { Failure } from "#shared/contract/failure.ts";
import type { DeckCard } from "#shared/engine/deck-texts.ts";
import { searchTerms } from "#shared/engine/search-terms.ts";
import { contentStems } from "#shared/engine/words.ts";
import type { Model } from "#api/ai/port.ts";
import { isTranslation } from "#api/ai/openai/hosted-gates.ts";
import { isInOtherLanguage } from "#api/ai/languages.ts";
import {
  deckTitlePrompt,
  highlightsPrompt,
  hintPrompt,
  WrittenHighlight,
  WrittenHint,
} from "#api/ai/prompts/assist.ts";
import { writeObjects, writeTitle } from "#api/ai/openai/writing.ts";
import type { UserCtx } from "#api/http/handler.ts";

/** The student is waiting: after this the built-in engine's hint is used. */
const HINT_PATIENCE_MS = 8000;
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
const MIN_SHARED = 0.5;

const ACTIVE = /https?:\/\/|www\.|!?\[[^\]]*\]\([^)]*\)|<\/?[a-z!]/iu;
const numbersOf = (text: string) => text.match(/\d+/g) ?? [];
const textOf = ({ question, answer, quote }: DeckCard) => `${question} ${answer} ${quote ?? ""}`;

/** Why a hint is rejected, worded for the model; undefined if it is valid. */
export function faultOfHint(hint: string, card: DeckCard): string | undefined {
  const text = hint.trim();
  if (text.length > MAX_HINT_CHARS) return "the hint is too long";
  if (ACTIVE.test(text)) return "the hint holds a link or markup";
  const asked = `${card.question} ${card.quote ?? ""}`;
  const said = new Set(contentStems(text));
  const answer = contentStems(card.answer);
  const isTold = text.toLocaleLowerCase().includes(card.answer.trim().toLocaleLowerCase());
  if (isTold || answer.some((stem) => said.has(stem))) return "the hint says a word of the answer";
  const known = new Set(numbersOf(asked));
  if (numbersOf(text).some((number) => !known.has(number))) return "the hint names a number that stands nowhere";
  const matter = contentStems(asked);
  return matter.length > 0 && !matter.some((stem) => said.has(stem))
    ? "the hint has no word in common with the question"
    : undefined;
}

/** A valid hint from the model; undefined if there is none in time. */
export async function modelHint(ctx: UserCtx, card: DeckCard): Promise<string | undefined> {
  const model = await ctx.models.choose();
  if (!model?.talk) return undefined;
  const patience = AbortSignal.timeout(HINT_PATIENCE_MS);
  try {
    const hints = writeObjects(model, {
      ...hintPrompt(card),
      form: WrittenHint,
      faultOf: ({ hint }) => faultOfHint(hint, card),
      atMost: 1,
      maxTokens: HINT_TOKENS,
      ownerId: ctx.caller.userId,
      signal: AbortSignal.any([ctx.signal, patience]),
    });
    for await (const { hint } of hints) return hint.trim();
  } catch (error) {
    ctx.signal.throwIfAborted();
    if (!(error instanceof Failure) && !patience.aborted) throw error;
  }
  return undefined;
}

export interface HighlightWishes {
  language?: string;
  instructions?: string;
}

/** Why a highlight is rejected, worded for the model; undefined if it is valid. */
export function faultOfHighlight(text: string, card: DeckCard | undefined, isTranslated: boolean): string | undefined {
  if (!card) return "a highlight names a card that is not there";
  if (text.length > MAX_HIGHLIGHT_CHARS) return "a highlight is too long";
  if (ACTIVE.test(text)) return "a highlight holds a link or markup";
  const known = new Set(numbersOf(textOf(card)));
  if (numbersOf(text).some((number) => !known.has(number))) return "a highlight names a number that its card does not";
  if (isTranslated) return undefined;
  const terms = new Set(searchTerms(text));
  const told = new Set(searchTerms(textOf(card)));
  const shared = [...terms].filter((term) => told.has(term)).length;
  return terms.size === 0 || shared / terms.size < MIN_SHARED ? "a highlight says more than its card" : undefined;
}

/** A sample spread evenly over the deck that fits into one request. */
function within(cards: readonly DeckCard[]): DeckCard[] {
  const chars = cards.reduce((sum, { question, answer }) => sum + question.length + answer.length, 0);
  const share = Math.min(1, MAX_CARD_CHARS / Math.max(1, chars));
  const kept = cards.filter((_, i) => Math.floor((i + 1) * share) > Math.floor(i * share));
  return kept.map(({ question, answer, quote }) => ({
    question: question.slice(0, 700),
    answer: answer.slice(0, 700),
    quote,
  }));
}

const asPassage = (text: string) => ({ id: "0", text, kind: "paragraph" as const, bold: [], italic: [], locator: {} });

/** Streams highlight lines from a model, each checked against its card; yields nothing if none is valid. */
export async function* modelHighlights(
  ctx: UserCtx,
  model: Model,
  asked: { cards: readonly DeckCard[]; wishes: HighlightWishes },
): AsyncGenerator<string> {
  const cards = within(asked.cards);
  const { language, instructions } = asked.wishes;
  const isTranslated = isTranslation([asPassage(cards.map(textOf).join(" "))], language);
  const count = Math.min(MAX_HIGHLIGHTS, cards.length);
  const said = new Set<string>();
  const highlights = writeObjects(model, {
    ...highlightsPrompt({ cards, count, language, instructions }),
    form: WrittenHighlight,
    faultOf: ({ highlight, card }) =>
      said.has(highlight) ? "two say the same" : faultOfHighlight(highlight, cards[card - 1], isTranslated),
    atMost: count,
    maxTokens: count * TOKENS_PER_HIGHLIGHT + 200,
    ownerId: ctx.caller.userId,
    signal: ctx.signal,
  });
  for await (const { highlight } of highlights) {
    said.add(highlight);
    yield `- ${highlight.replaceAll(/\s+/g, " ").trim()}\n`;
  }
  if (language !== undefined && isInOtherLanguage([...said].join(" "), language) === true)
    yield "\nThe model did not write in the language that was asked for.\n";
}

export async function modelTitle(ctx: UserCtx, cards: readonly DeckCard[]): Promise<string | undefined> {
  const model = await ctx.models.choose();
  if (!model?.talk) return undefined;
  const prompt = deckTitlePrompt(within(cards).slice(0, TITLE_CARDS));
  const asked = { ...prompt, maxTokens: TITLE_TOKENS, ownerId: ctx.caller.userId, signal: ctx.signal };
  return writeTitle(model, asked);
}
