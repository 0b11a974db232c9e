import { retentionMs } from "#shared/retention.ts";
import { Failure } from "#shared/contract/failure.ts";
import type { DeckLog } from "#shared/pages/deck-merge.ts";
import { sortByIds } from "#shared/pages/rules.ts";
import type { ComponentType, ComponentVersion, Page } from "#shared/pages/schema.ts";
import type { WriteAuthor } from "#shared/pages/update.ts";
import type { Versioned } from "#api/store/change-once.ts";
import type { Own } from "#api/store/owned-store.ts";
import { readInSlices } from "#api/store/read-in-slices.ts";
import type { CollectionSpec, DocumentStore, OwnedDoc } from "#api/store/port.ts";

/** The page stores the order of its components; their content is stored in each of them. */
export interface PageDoc extends Versioned, Omit<Page, "_id" | "ownedBy" | "children"> {
  /** Deleted, not archived; deleted pages can be restored. */
  deletedAt: number | null;
}

export interface ComponentDoc extends Versioned {
  pageId: string;
  type: ComponentType;
  content: Record<string, unknown>;
  createdAt: number;
  modifiedAt: number;
  createdBy: string;
  lastOpenedAt: number | null;
  version: number;
  deletedAt: number | null;
  writtenBy: WriteAuthor | null;
  /** Decks only: the cards changed by each version, for merging. */
  deckLog: DeckLog | null;
  /** Fields for lists, so that they need not read the content. */
  title: string;
  cardCount: number | null;
  fileId: string | null;
  isArchived: boolean;
}

interface HistoryDoc extends OwnedDoc, Omit<ComponentVersion, "_id"> {}

const pages: CollectionSpec<PageDoc> = {
  name: "pages",
  shardKey: "ownerId",
  // Including `deletedAt` lets queries skip deleted documents without reading them.
  indexes: [{ fields: ["ownerId", "deletedAt", "parent"] }],
};
const components: CollectionSpec<ComponentDoc> = {
  name: "components",
  shardKey: "ownerId",
  indexes: [{ fields: ["ownerId", "pageId", "deletedAt"] }, { fields: ["ownerId", "type"] }],
};
const history: CollectionSpec<HistoryDoc> = {
  name: "component_history",
  shardKey: "ownerId",
  indexes: [{ fields: ["ownerId", "componentId", "savedAt"] }],
};

/** How long earlier versions are stored. */
const HISTORY_RETENTION_MS = retentionMs("versions");
const MAX_VERSIONS = 500;

export const pagesOf = (own: Own) => own.in(pages);
export const historyOf = (own: Own) => own.in(history);
/** Across all accounts: for background sweeps only, never for a request. */
export const allComponents = (store: DocumentStore) => store.collection(components);
export const allPages = (store: DocumentStore) => store.collection(pages);
export const componentsOf = (own: Own) => own.in(components);

export const idTaken = () => new Failure("already_exists", "id_taken");

/** Refuses the id of another account's page; ids are made by clients. */
export async function refuseForeignPageId(own: Own, id: string): Promise<void> {
  const page = await own.store.collection(pages).get(id);
  if (page && page.ownerId !== own.ownerId) throw idTaken();
}

/** Refuses the id of another account's component. */
export async function refuseForeignComponentId(own: Own, id: string): Promise<void> {
  const component = await own.store.collection(components).get(id);
  if (component && component.ownerId !== own.ownerId) throw idTaken();
}

export async function findPage(own: Own, id: string): Promise<PageDoc | undefined> {
  const page = await pagesOf(own).get(id);
  return page?.deletedAt === null ? page : undefined;
}

export async function findLiveComponent(own: Own, id: string): Promise<ComponentDoc | undefined> {
  const component = await componentsOf(own).get(id);
  return component?.deletedAt === null ? component : undefined;
}

export const listPages = (own: Own) => pagesOf(own).find({ deletedAt: null });

/** Ids of the pages that are neither deleted nor archived, without reading the pages whole. */
export async function listActivePageIds(own: Own): Promise<ReadonlySet<string>> {
  const found = await pagesOf(own).find({ deletedAt: null }, { fields: ["_id", "archived"] });
  return new Set(found.filter(({ archived }) => !archived).map(({ _id }) => _id));
}

export const listChildren = async (own: Own, pageId: string): Promise<string[]> =>
  (await pagesOf(own).find({ parent: pageId, deletedAt: null }, { fields: ["_id"] })).map(({ _id }) => _id);

/** Pages with more components are read in slices. */
const MAX_AT_ONCE = 100;

export async function listOnPage(own: Own, page: PageDoc): Promise<ComponentDoc[]> {
  const filter = { pageId: page._id, deletedAt: null };
  // Most pages need one query. Counting first avoids reading the components of a long page twice.
  if (page.components.length <= MAX_AT_ONCE && (await componentsOf(own).count(filter)) <= MAX_AT_ONCE)
    return sortByIds(await componentsOf(own).find(filter), page.components);
  const docs: ComponentDoc[] = [];
  for await (const doc of readOnPage(own, page)) docs.push(doc);
  return docs;
}

const summaryFields = [
  "_id",
  "type",
  "pageId",
  "title",
  "createdAt",
  "modifiedAt",
  "lastOpenedAt",
  "cardCount",
  "fileId",
  "isArchived",
] as const;

type SummaryDoc = Pick<ComponentDoc, (typeof summaryFields)[number]>;

export async function listSummaries(own: Own): Promise<SummaryDoc[]> {
  const ids = (await componentsOf(own).find({}, { fields: ["_id"] })).map(({ _id }) => _id);
  const summaries: SummaryDoc[] = [];
  const options = { filter: { deletedAt: null }, fields: summaryFields, first: 200 };
  for await (const summary of readInSlices(componentsOf(own), ids, options)) summaries.push(summary);
  return summaries;
}

/** Decks deleted on their own, which the trash lists until they are erased. */
export async function listDeletedDecks(own: Own): Promise<SummaryDoc[]> {
  const filter = { type: "flash_cards", deletedAt: { not: null } } as const;
  return (await componentsOf(own).find(filter, { fields: summaryFields })).map((deck) => ({
    ...deck,
    isArchived: true,
  }));
}

const headFields = ["_id", "pageId", "title", "version"] as const;

export const isDeck = async (own: Own, id: string): Promise<boolean> =>
  (await componentsOf(own).count({ _id: id, type: "flash_cards", deletedAt: null })) > 0;

/** All decks without their cards. */
export const listDeckHeadsOf = (own: Own): Promise<Pick<ComponentDoc, (typeof headFields)[number]>[]> =>
  componentsOf(own).find({ type: "flash_cards", deletedAt: null }, { fields: headFields });

export const listVersions = (own: Own): Promise<Pick<ComponentDoc, "_id" | "pageId" | "version" | "createdAt">[]> =>
  componentsOf(own).find({ deletedAt: null }, { fields: ["_id", "pageId", "version", "createdAt"] });

export const listVersionsOnPage = (own: Own, pageId: string): ReturnType<typeof listVersions> =>
  componentsOf(own).find({ pageId, deletedAt: null }, { fields: ["_id", "pageId", "version", "createdAt"] });

/** Updates the page's time stamp and revision after a change to a component. */
export const touchPage = (own: Own, pageId: string, now: number) =>
  pagesOf(own).patch({ _id: pageId }, { set: { lastUpdated: now }, increment: { rev: 1 } });

/** Increments the page's revision alone, so that cached data of the page is read again. */
export const bumpPage = (own: Own, pageId: string) => pagesOf(own).patch({ _id: pageId }, { increment: { rev: 1 } });

/** Component ids of a page in page order, deleted ones left out. */
export async function listIdsOnPage(own: Own, page: Pick<PageDoc, "_id" | "components">): Promise<string[]> {
  const docs = await componentsOf(own).find({ pageId: page._id, deletedAt: null }, { fields: ["_id"] });
  const remaining = new Set(docs.map(({ _id }) => _id));
  const ordered = page.components.filter((id) => remaining.delete(id));
  const rest: Pick<ComponentDoc, "_id" | "createdAt">[] = [];
  for await (const doc of readInSlices(componentsOf(own), [...remaining], { fields: ["_id", "createdAt"] }))
    rest.push(doc);
  return [...ordered, ...sortByIds(rest, []).map(({ _id }) => _id)];
}

/** The components of a page, in page order, read in slices. */
export async function* readOnPage(own: Own, page: PageDoc): AsyncGenerator<ComponentDoc> {
  yield* readInSlices(componentsOf(own), await listIdsOnPage(own, page), {
    filter: { pageId: page._id, deletedAt: null },
  });
}

/** Versions saved at the same time are ordered by number. */
const LATEST_FIRST = [
  ["savedAt", "desc"],
  ["version", "desc"],
] as const;

/** Stores a version once for each id; a repeat changes its reason. Also removes versions older than 30 days. */
export async function saveVersion(own: Own, version: ComponentVersion): Promise<void> {
  const { _id, reason, savedAt, componentId } = version;
  if ((await own.in(history).insert(version)) === "duplicate")
    await own.in(history).patch({ _id }, { set: { reason } });
  await own.in(history).remove({ componentId, savedAt: { lt: savedAt - HISTORY_RETENTION_MS } });
}

export function listHistoryOf(own: Own, componentId: string, now: number): Promise<ComponentVersion[]> {
  const since = { gte: now - HISTORY_RETENTION_MS };
  return own.in(history).find({ componentId, savedAt: since }, { order: LATEST_FIRST, limit: MAX_VERSIONS });
}

const MAX_PAGE_VERSIONS = 300;
/** Ids per query. */
const IDS_PER_QUERY = 500;

/** Earlier versions of all these components, newest first. */
export async function listHistoryOfMany(own: Own, ids: readonly string[], now: number): Promise<ComponentVersion[]> {
  const since = { gte: now - HISTORY_RETENTION_MS };
  const found: ComponentVersion[] = [];
  for (let offset = 0; offset < ids.length; offset += IDS_PER_QUERY)
    found.push(
      ...(await own
        .in(history)
        .find(
          { componentId: { in: ids.slice(offset, offset + IDS_PER_QUERY) }, savedAt: since },
          { order: LATEST_FIRST, limit: MAX_PAGE_VERSIONS },
        )),
    );
  return found.toSorted((a, b) => b.savedAt - a.savedAt || b.version - a.version).slice(0, MAX_PAGE_VERSIONS);
}

/** All components of a page, including deleted ones, without their content. */
export const listEverOnPage = (
  own: Own,
  pageId: string,
): Promise<Pick<ComponentDoc, "_id" | "type" | "version" | "deletedAt">[]> =>
  componentsOf(own).find({ pageId }, { fields: ["_id", "type", "version", "deletedAt"] });

/** When a version of this component was last saved; undefined if never. */
export async function findLastSavedAt(own: Own, componentId: string): Promise<number | undefined> {
  const latest = { order: [["savedAt", "desc"]], limit: 1, fields: ["savedAt"] } as const;
  return (await own.in(history).find({ componentId }, latest))[0]?.savedAt;
}

export const findVersion = (own: Own, versionId: string) => own.in(history).get(versionId);
