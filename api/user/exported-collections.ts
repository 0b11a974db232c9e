import { createHash } from "node:crypto";
import type { Own } from "#api/store/owned-store.ts";
import type { CollectionSpec, OwnedDoc } from "#api/store/port.ts";
import { readInSlices } from "#api/store/read-in-slices.ts";

/** Version 1 has the names of data version 2. */
export const ARCHIVE_VERSION = 2;

/**
 * Collections included in an account export. Excluded: credentials (tokens, links, connections, identities), counters
 * (usage, storage, referrals), work in progress (jobs, unfinished uploads, applied requests) and derived data (extracted text,
 * thumbnails, indexes, analyses, daily totals).
 */
export const EXPORTED_COLLECTIONS = [
  "pages",
  "components",
  "component_history",
  "folders",
  "favorites",
  "card_favourites",
  "card_moves",
  "flashcard_highlights",
  "flashcard_coverage",
  "reviews",
  "schedules",
  "deck_study",
  "study_fits",
  "annotations",
  "captures",
  "recognised_pages",
  "transcripts",
  "transcript_slices",
  "threads",
  "messages",
  "podcasts",
  "podcast_scripts",
  "research_sessions",
  "research_contents",
  "research_snapshots",
  "preferences",
  "admin_accesses",
  "website_projects",
  "website_threads",
  "website_messages",
  "website_checkpoints",
  "website_texts",
  "files",
] as const;

export type ExportedCollection = (typeof EXPORTED_COLLECTIONS)[number];

/** A stored document of any collection. */
export interface AnyDoc extends OwnedDoc {
  [field: string]: unknown;
}

export const exportedSpec = (name: ExportedCollection): CollectionSpec<AnyDoc> => ({
  name,
  shardKey: "ownerId",
  indexes: [],
});

/** All documents of a collection in the order of their ids, in slices between which other requests run. */
export async function* iterateDocs(own: Own, name: ExportedCollection): AsyncGenerator<AnyDoc> {
  const collection = own.in(exportedSpec(name));
  const ids = (await collection.find({}, { fields: ["_id"] })).map(({ _id }) => _id);
  yield* readInSlices(
    collection,
    ids.toSorted((a, b) => (a < b ? -1 : 1)),
  );
}

/** Placeholder for the owner id, so that documents of two accounts can be compared. */
const OWNER_PLACEHOLDER = "owner-1f0d6f5e-8d0b-4b7e-9f43-6c1d2a3e5b70";

const sortKeys = (_key: string, value: unknown): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value;

/** Canonical JSON of a document, equal across accounts. */
export const canonicalJson = (doc: AnyDoc): string =>
  JSON.stringify(doc, sortKeys).replaceAll(doc.ownerId, OWNER_PLACEHOLDER);

/** Parses a line into a document of the given account. */
export const parseExportedDoc = (line: string, ownerId: string): unknown =>
  JSON.parse(line.replaceAll(OWNER_PLACEHOLDER, ownerId));

/** Digest of lines, independent of their order. */
export class LinesDigest {
  readonly #hashes: string[] = [];

  add(line: string): void {
    this.#hashes.push(createHash("sha256").update(line).digest("base64"));
  }

  get count(): number {
    return this.#hashes.length;
  }

  toString(): string {
    return createHash("sha256").update(this.#hashes.toSorted().join("\n")).digest("hex");
  }
}
