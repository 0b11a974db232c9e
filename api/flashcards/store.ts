import type { CoverageEntry } from "#shared/engine/schema.ts";
import type { DeckSource } from "#shared/flashcards/schema.ts";
import type { Own } from "#api/store/owned.ts";
import type { CollectionSpec, OwnedDoc } from "#api/store/port.ts";

/** Text input of a generation, stored until it ends. */
interface SourceText extends OwnedDoc {
  jobKey: string;
  text: string;
  createdAt: number;
}

const sourceTexts: CollectionSpec<SourceText> = {
  name: "generation_texts",
  shardKey: "ownerId",
  indexes: [{ fields: ["ownerId", "jobKey"] }, { fields: ["ownerId", "createdAt"] }],
};

/** Texts of generations that never started or never ended are removed after this long. */
const KEPT_MS = 7 * 86_400_000;

export async function saveSourceText(own: Own, text: Omit<SourceText, "ownerId">): Promise<void> {
  await own.in(sourceTexts).insert(text);
}

export const findSourceText = async (own: Own, id: string) => (await own.in(sourceTexts).get(id))?.text;

export async function removeSourceTexts(own: Own, jobKey: string, now: number): Promise<void> {
  await own.in(sourceTexts).remove({ jobKey });
  await own.in(sourceTexts).remove({ createdAt: { lt: now - KEPT_MS } });
}

/** The latest highlights of a deck. */
interface Highlights extends OwnedDoc {
  pageId: string;
  highlights: string;
  createdAt: number;
}

/** `_id` is the deck's id. */
const highlightsOfDecks: CollectionSpec<Highlights> = {
  name: "flashcard_highlights",
  shardKey: "ownerId",
  indexes: [{ fields: ["ownerId", "pageId"] }],
};

export async function saveHighlights(own: Own, highlights: Omit<Highlights, "ownerId">): Promise<void> {
  const { _id, ...rest } = highlights;
  if ((await own.in(highlightsOfDecks).insert(highlights)) === "duplicate")
    await own.in(highlightsOfDecks).patch({ _id }, { set: rest });
}

export const findHighlights = async (own: Own, deckId: string) => own.in(highlightsOfDecks).get(deckId);

/** Coverage of the sources by one generation; `_id` is the generation's id. */
interface Coverage extends OwnedDoc {
  deckId: string;
  createdAt: number;
  sources: DeckSource[];
  entries: CoverageEntry[];
}

const coverages: CollectionSpec<Coverage> = {
  name: "flashcard_coverage",
  shardKey: "ownerId",
  indexes: [{ fields: ["ownerId", "deckId", "createdAt"] }],
};
/** Show only the latest generations of a deck. */
const MAX_COVERAGES = 20;

export async function saveCoverage(own: Own, coverage: Omit<Coverage, "ownerId">): Promise<void> {
  await own.in(coverages).insert(coverage);
}

export const listCoverages = (own: Own, deckId: string) =>
  own.in(coverages).find({ deckId }, { order: [["createdAt", "desc"]], limit: MAX_COVERAGES });

/** Removes a deck's highlights and coverage. */
export async function forgetDeck(own: Own, deckId: string): Promise<void> {
  await own.in(highlightsOfDecks).remove({ _id: deckId });
  await own.in(coverages).remove({ deckId });
}
