import { idsInFolders } from "#shared/library/rules.ts";
import { hasFilters, type SearchQuery } from "#shared/library/search-query.ts";
import type { Own } from "#api/store/owned-store.ts";
import type { Source } from "./sources.ts";
import { listFolders } from "./store.ts";

/** Whether an item that is not a source is in the query's folder and time. */
export async function createItemFilter(
  own: Own,
  { folder, after, before }: SearchQuery,
): Promise<(id: string, changedAt: number) => boolean> {
  const folderItemIds = folder === undefined ? undefined : idsInFolders(await listFolders(own), folder);
  return (id, changedAt) =>
    (folderItemIds === undefined || folderItemIds.has(id)) &&
    (after === undefined || changedAt >= after) &&
    (before === undefined || changedAt < before);
}

/** The sources that match the query's filters; undefined if the query has no filters. */
export async function filterSources(
  own: Own,
  sources: ReadonlyMap<string, Source>,
  query: SearchQuery,
): Promise<ReadonlySet<string> | undefined> {
  if (!hasFilters(query)) return undefined;
  const { kind, folder, after, before } = query;
  const folderItemIds = folder === undefined ? undefined : idsInFolders(await listFolders(own), folder);
  const matches = (source: Source) =>
    (kind === undefined || source.kind === kind) &&
    (folderItemIds === undefined || folderItemIds.has(source.pageId) || folderItemIds.has(source.componentId)) &&
    (after === undefined || source.changedAt >= after) &&
    (before === undefined || source.changedAt < before);
  return new Set([...sources.values()].filter(matches).map(({ id }) => id));
}
