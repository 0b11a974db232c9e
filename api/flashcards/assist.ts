import { parseCitation } from "#shared/citations.ts";
import { Failure } from "#shared/contract/failure.ts";
import { type DeckCard, highlightsOf, proposeDeckTitle } from "#shared/engine/deck-texts.ts";
import { makeHint } from "#shared/engine/hints.ts";
import type { assist } from "#shared/flashcards/assist-contract.ts";
import type { Handlers, UserCtx } from "#api/http/handler.ts";
import { findComponent } from "#api/pages/service.ts";
import { type HighlightWishes, modelHighlights, modelHint, modelTitle } from "./assist-model.ts";
import { findHighlights, listCoverages, saveHighlights } from "./store.ts";

interface CardText {
  question: string;
  answer: string;
  citation: string | null;
}

const read = ({ question, answer, citation }: CardText): DeckCard => ({
  question,
  answer,
  quote: citation === null ? null : (parseCitation(citation)?.quote ?? null),
});

const isWritten = ({ question, answer }: CardText) => question.trim() !== "" && answer.trim() !== "";

async function requireDeck({ own }: UserCtx, { pageId, flashcardsId }: { pageId: string; flashcardsId: string }) {
  const deck = await findComponent(own, flashcardsId);
  if (deck?.type !== "flash_cards" || deck.pageId !== pageId) throw new Failure("not_found", "no_deck");
  return deck;
}

/** Streams a model's lines, or the built-in engine's if there is no model or it writes nothing valid. */
async function* writeHighlights(
  ctx: UserCtx,
  cards: readonly DeckCard[],
  wishes: HighlightWishes,
): AsyncGenerator<string> {
  const model = await ctx.models.choose();
  let hasSaid = false;
  try {
    if (model?.talk)
      for await (const line of modelHighlights(ctx, model, { cards, wishes })) {
        hasSaid = true;
        yield line;
      }
  } catch (error) {
    ctx.signal.throwIfAborted();
    if (!(error instanceof Failure) || hasSaid) throw error;
  }
  if (hasSaid) return;
  for (const line of highlightsOf(cards, wishes)) {
    ctx.signal.throwIfAborted();
    yield line;
  }
}

/** Handlers for existing decks: highlights, titles, hints and coverage. */
export const assistHandlers: Handlers<typeof assist> = {
  async *streamHighlights(ctx, { pageId, flashcardsId, cards, language, custom_instructions }) {
    await requireDeck(ctx, { pageId, flashcardsId });
    const written = cards.filter(isWritten).map(read);
    if (written.length === 0) throw new Failure("bad_input", "cards_blank");
    let highlights = "";
    const wishes = {
      ...(language === undefined ? {} : { language }),
      ...(custom_instructions === undefined ? {} : { instructions: custom_instructions }),
    };
    for await (const piece of writeHighlights(ctx, written, wishes)) {
      highlights += piece;
      yield piece;
    }
    await saveHighlights(ctx.own, { _id: flashcardsId, pageId, highlights, createdAt: ctx.clock.now() });
  },

  async getHighlightsStatus(ctx, place) {
    await requireDeck(ctx, place);
    const held = await findHighlights(ctx.own, place.flashcardsId);
    return { exists: held !== undefined, highlights: held?.highlights ?? null };
  },

  async nameDeck(ctx, { cards }) {
    const written = cards.filter(isWritten).map(read);
    const title = (written.length > 0 ? await modelTitle(ctx, written) : undefined) ?? proposeDeckTitle(written);
    if (title === "") throw new Failure("bad_input", "cards_without_words");
    return { title };
  },

  async hintAt(ctx, { card }) {
    if (!isWritten(card)) throw new Failure("bad_input", "card_blank");
    return { hint: (await modelHint(ctx, read(card))) ?? makeHint(read(card)) };
  },

  async getCoverage(ctx, place) {
    const deck = await requireDeck(ctx, place);
    // Leave out cards deleted since the generation.
    const there = new Set(deck.content.cards.map(({ id }) => id));
    const held = await listCoverages(ctx.own, place.flashcardsId);
    const generations = held.map(({ createdAt, sources, entries }) => ({
      createdAt,
      sources,
      entries: entries.map((entry) => ({ ...entry, cardIds: entry.cardIds.filter((id) => there.has(id)) })),
    }));
    return { generations };
  },
};
