import { parseCitation } from "#shared/citations.ts";
import { Failure } from "#shared/contract/failure.ts";
import { type DeckCard, generateHighlights, proposeDeckTitle } from "#shared/cards/deck/deck-texts.ts";
import { generateCards } from "#shared/cards/deck/generate-cards.ts";
import { passagesFromText } from "#shared/text/plain-text.ts";
import { makeHint } from "#shared/flashcards/hints.ts";
import type { assist } from "#shared/flashcards/assist-contract.ts";
import type { Handlers, UserCtx } from "#api/http/handler.ts";
import { findComponent } from "#api/pages/find-component.ts";
import { readLanguage } from "#api/user/service.ts";
import { type HighlightOptions, streamModelHighlights, writeHint, writeDeckTitle } from "./assist-model.ts";
import { findHighlights, listCoverages, saveHighlights } from "./store.ts";

interface CardFields {
  question: string;
  answer: string;
  citation: string | null;
}

const toDeckCard = ({ question, answer, citation }: CardFields): DeckCard => ({
  question,
  answer,
  quote: citation === null ? null : (parseCitation(citation)?.quote ?? null),
});

const hasText = ({ question, answer }: CardFields) => question.trim() !== "" && answer.trim() !== "";

async function requireDeck({ own }: UserCtx, { pageId, flashcardsId }: { pageId: string; flashcardsId: string }) {
  const deck = await findComponent(own, flashcardsId);
  if (deck?.type !== "flash_cards" || deck.pageId !== pageId) throw new Failure("not_found", "no_deck");
  return deck;
}

/** Streams a model's lines, or the built-in engine's if there is no model or it writes nothing valid. */
async function* writeHighlights(
  ctx: UserCtx,
  cards: readonly DeckCard[],
  options: HighlightOptions,
): AsyncGenerator<string> {
  const model = await ctx.models.choose();
  let hasWritten = false;
  try {
    if (model?.chat)
      for await (const line of streamModelHighlights(ctx, model, { cards, options })) {
        hasWritten = true;
        yield line;
      }
  } catch (error) {
    ctx.signal.throwIfAborted();
    if (!(error instanceof Failure) || hasWritten) throw error;
  }
  if (hasWritten) return;
  for (const line of generateHighlights(cards, options)) {
    ctx.signal.throwIfAborted();
    yield line;
  }
}

/** Handlers for existing decks: highlights, titles, hints and coverage. */
export const assistHandlers: Handlers<typeof assist> = {
  async *streamHighlights(ctx, { pageId, flashcardsId, cards, language, custom_instructions }) {
    await requireDeck(ctx, { pageId, flashcardsId });
    const written = cards.filter(hasText).map(toDeckCard);
    if (written.length === 0) throw new Failure("bad_input", "cards_blank");
    let highlights = "";
    const options = {
      readerLanguage: await readLanguage(ctx),
      ...(language === undefined ? {} : { language }),
      ...(custom_instructions === undefined ? {} : { instructions: custom_instructions }),
    };
    for await (const chunk of writeHighlights(ctx, written, options)) {
      highlights += chunk;
      yield chunk;
    }
    await saveHighlights(ctx.own, { _id: flashcardsId, pageId, highlights, createdAt: ctx.clock.now() });
  },

  async getHighlightsStatus(ctx, location) {
    await requireDeck(ctx, location);
    const saved = await findHighlights(ctx.own, location.flashcardsId);
    return { exists: saved !== undefined, highlights: saved?.highlights ?? null };
  },

  async nameDeck(ctx, { cards }) {
    const written = cards.filter(hasText).map(toDeckCard);
    const modelTitle = written.length > 0 ? await writeDeckTitle(ctx, written) : undefined;
    const title = modelTitle ?? proposeDeckTitle(written, await readLanguage(ctx));
    if (title === "") throw new Failure("bad_input", "cards_without_text");
    return { title };
  },

  async hintAt(ctx, { card }) {
    if (!hasText(card)) throw new Failure("bad_input", "card_blank");
    const hint = await writeHint(ctx, toDeckCard(card));
    return { hint: hint ?? makeHint(toDeckCard(card), await readLanguage(ctx)) };
  },

  async draftCard(_ctx, { text }) {
    for (const event of generateCards(passagesFromText(text), { density: "LOW", maxCards: 1 }))
      if (event.type === "card") return { question: event.card.question, answer: event.card.answer };
    return { question: "", answer: text };
  },

  async getCoverage(ctx, location) {
    const deck = await requireDeck(ctx, location);
    // Leave out cards deleted since the generation.
    const existingIds = new Set(deck.content.cards.map(({ id }) => id));
    const saved = await listCoverages(ctx.own, location.flashcardsId);
    const generations = saved.map(({ createdAt, sources, entries }) => ({
      createdAt,
      sources,
      entries: entries.map((entry) => ({ ...entry, cardIds: entry.cardIds.filter((id) => existingIds.has(id)) })),
    }));
    return { generations };
  },
};
