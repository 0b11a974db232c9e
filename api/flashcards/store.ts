import { retentionMs } from "#shared/retention.ts";
import type { CoverageEntry } from "#shared/cards/schema.ts";
import type { DeckSource } from "#shared/flashcards/schema.ts";
import type { Own } from "#api/store/owned-store.ts";
import type { CollectionSpec, DocumentStore, OwnedDoc } from "#api/store/port.ts";

/** Text input of a generation, stored until it ends. */
interface SourceTextDoc extends OwnedDoc {
  jobKey: string;
  text: string;
  createdAt: number;
}

const sourceTexts: CollectionSpec<SourceTextDoc> = {
  name: "generation_texts",
  shardKey: "ownerId",
  indexes: [{ fields: ["ownerId", "jobKey"] }, { fields: ["ownerId", "createdAt"] }, { fields: ["createdAt"] }],
};

export async function saveSourceText(own: Own, text: Omit<SourceTextDoc, "ownerId">): Promise<void> {
  await own.in(sourceTexts).insert(text);
}

export const findSourceText = async (own: Own, id: string) => (await own.in(sourceTexts).get(id))?.text;

export async function removeSourceTexts(own: Own, jobKey: string): Promise<void> {
  await own.in(sourceTexts).remove({ jobKey });
}

/** Erases texts of all accounts whose generation never started or never ended. */
export const eraseSourceTexts = (store: DocumentStore, now: number): Promise<number> =>
  store.collection(sourceTexts).remove({ createdAt: { lt: now - retentionMs("sourceTexts") } });

/** The latest highlights of a deck. */
interface HighlightsDoc extends OwnedDoc {
  pageId: string;
  highlights: string;
  createdAt: number;
}

/** `_id` is the deck's id. */
const highlightsCollection: CollectionSpec<HighlightsDoc> = {
  name: "flashcard_highlights",
  shardKey: "ownerId",
  indexes: [{ fields: ["ownerId", "pageId"] }],
};

export async function saveHighlights(own: Own, highlights: Omit<HighlightsDoc, "ownerId">): Promise<void> {
  const { _id, ...rest } = highlights;
  if ((await own.in(highlightsCollection).insert(highlights)) === "duplicate")
    await own.in(highlightsCollection).patch({ _id }, { set: rest });
}

export const findHighlights = async (own: Own, deckId: string) => own.in(highlightsCollection).get(deckId);

/** Coverage of the sources by one generation; `_id` is the generation's id. */
interface CoverageDoc extends OwnedDoc {
  deckId: string;
  createdAt: number;
  sources: DeckSource[];
  entries: CoverageEntry[];
}

const coverageCollection: CollectionSpec<CoverageDoc> = {
  name: "flashcard_coverage",
  shardKey: "ownerId",
  indexes: [{ fields: ["ownerId", "deckId", "createdAt"] }],
};
/** Show only the latest generations of a deck. */
const MAX_COVERAGES = 20;

export async function saveCoverage(own: Own, coverage: Omit<CoverageDoc, "ownerId">): Promise<void> {
  await own.in(coverageCollection).insert(coverage);
}

export const listCoverages = (own: Own, deckId: string) =>
  own.in(coverageCollection).find({ deckId }, { order: [["createdAt", "desc"]], limit: MAX_COVERAGES });

/** Removes a deck's highlights and coverage. */
export async function removeDeckExtras(own: Own, deckId: string): Promise<void> {
  await own.in(highlightsCollection).remove({ _id: deckId });
  await own.in(coverageCollection).remove({ deckId });
}
