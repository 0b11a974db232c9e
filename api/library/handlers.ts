import type { SearchHit, library } from "#shared/library/contract.ts";
import { parseSearchQuery } from "#shared/library/search-query.ts";
import type { Folder } from "#shared/library/schema.ts";
import { publishChanges } from "#api/store/account-changes.ts";
import type { Handlers, UserCtx } from "#api/http/handler.ts";
import type { Hit } from "#api/store/search/port.ts";
import { importHandlers } from "./import-notes.ts";
import { searchPassages } from "./embeddings.ts";
import { createItemFilter, filterSources } from "./search-filters.ts";
import { findIndexedSources } from "./indexed-sources.ts";
import { citePassage, type Source } from "./sources.ts";
import { describeSources } from "./describe-sources.ts";
import { nameFolder } from "./name-folder.ts";
import { listFavorites, listFolders, moveFavorite, removeFavorite, type FolderDoc } from "./store.ts";

/** Sources that take longer to index are found by a later search. */
const SEARCH_TIMEOUT_MS = 1000;
/** Length of the quote in a citation, enough to locate the passage. */
const QUOTE_CHARS = 160;
/** With more sources than this, filter the hits instead of passing ids to the index. */
const MAX_SOURCE_IDS = 2_000;
const WIDE_LIMIT = 500;
const DONE = { success: true } as const;

/** Passages of the results of research sessions that match a query. */
type SearchCanvases = (
  ctx: UserCtx,
  query: { words: string; matches: (sessionId: string, changedAt: number) => boolean; limit: number },
) => Promise<SearchHit[]>;

/** Results of research come after the student's own material. */
const MAX_CANVAS_HITS = 5;

/** `searchCanvases` is passed in because research uses this feature. */
export const createSearchHandler =
  (searchCanvases: SearchCanvases): Handlers<typeof library>["search"] =>
  async (ctx, { q, kind, limit }) => {
    const parsed = parseSearchQuery(q, ctx.clock.now());
    const query = kind === undefined ? parsed : { ...parsed, kind };
    const isCanvasQuery = query.words !== "" && (query.kind === undefined || query.kind === "research");
    const canvases = isCanvasQuery
      ? await searchCanvases(ctx, {
          words: query.words,
          matches: await createItemFilter(ctx.own, query),
          limit: query.kind === "research" ? limit : Math.min(limit, MAX_CANVAS_HITS),
        })
      : [];
    if (query.kind === "research") return { found: canvases, unread: 0 };
    const { sources, unread } = await findIndexedSources(ctx, undefined, SEARCH_TIMEOUT_MS);
    const matchingIds = await filterSources(ctx.own, sources, query);
    const hits =
      query.words === "" || matchingIds?.size === 0 ? [] : await searchWithin(ctx, query.words, matchingIds, limit);
    const found = [...hits.flatMap((hit) => presentHit(hit, sources) ?? []), ...canvases];
    return { found: found.slice(0, limit), unread: unread.length };
  };

/** All handlers except those that `createSearchHandler` and `createFavoriteHandlers` create. */
export const handlers: Omit<Handlers<typeof library>, "search" | "getFavorites" | "addFavorite"> = {
  ...importHandlers,

  async listFolders({ own }) {
    return { folders: (await listFolders(own)).map(presentFolder) };
  },

  async listSources(ctx) {
    return { sources: await describeSources(ctx) };
  },

  nameFolder,

  async removeFavorite({ own }, { itemId }) {
    await removeFavorite(own, itemId);
    await publishChanges(own, [{ kind: "favorites", ids: [itemId] }]);
    return DONE;
  },

  async sortFavorites({ own }, { itemIds }) {
    const others = (await listFavorites(own)).map(({ itemId }) => itemId).filter((id) => !itemIds.includes(id));
    for (const [index, itemId] of [...itemIds, ...others].entries()) await moveFavorite(own, itemId, index);
    await publishChanges(own, [{ kind: "favorites", ids: itemIds }]);
    return DONE;
  },
};

/** Passes up to `MAX_SOURCE_IDS` sources to the index. With more sources, filters a larger result. */
async function searchWithin(ctx: UserCtx, text: string, matchingIds: ReadonlySet<string> | undefined, limit: number) {
  const typedQuery = { text, isTyped: true };
  if (!matchingIds) return searchPassages(ctx, { ...typedQuery, limit });
  if (matchingIds.size <= MAX_SOURCE_IDS)
    return searchPassages(ctx, { ...typedQuery, limit, sourceIds: [...matchingIds] });
  const hits = await searchPassages(ctx, { ...typedQuery, limit: WIDE_LIMIT });
  return hits.filter(({ sourceId }) => matchingIds.has(sourceId));
}

/** The beginning of a passage, cut at a word boundary. */
function quoteBeginning(text: string): string {
  if (text.length <= QUOTE_CHARS) return text;
  const space = text.lastIndexOf(" ", QUOTE_CHARS);
  return text.slice(0, space > 0 ? space : QUOTE_CHARS);
}

function presentHit({ sourceId, passage }: Hit, sources: ReadonlyMap<string, Source>): SearchHit | undefined {
  const source = sources.get(sourceId);
  if (!source) return undefined;
  const { text, locator, componentId } = passage;
  const { kind, title, pageId } = source;
  const position = {
    ...(locator.page === undefined ? {} : { page: locator.page }),
    ...(locator.startMs === undefined ? {} : { startMs: locator.startMs }),
    ...(kind === "deck" ? { cardId: passage.id } : {}),
  };
  return {
    kind,
    sourceId,
    title,
    pageId,
    componentId,
    text,
    ...position,
    citation: citePassage(source, passage, quoteBeginning(text)),
  };
}

function presentFolder(doc: FolderDoc): Folder {
  const { _id, ownerId, title, color, items, is_expanded, is_archived, archived_at, created_at, updated_at } = doc;
  return { _id, user_id: ownerId, title, color, items, is_expanded, is_archived, archived_at, created_at, updated_at };
}
