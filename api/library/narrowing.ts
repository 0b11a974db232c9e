import { idsInFolders } from "#shared/library/rules.ts";
import { isNarrowed, type SearchQuery } from "#shared/library/query.ts";
import type { Own } from "#api/store/owned.ts";
import type { Source } from "./sources.ts";
import { listFolders } from "./store.ts";

/** The sources that match the query's filters; undefined if it has none. */
export async function narrowed(
  own: Own,
  sources: ReadonlyMap<string, Source>,
  query: SearchQuery,
): Promise<ReadonlySet<string> | undefined> {
  if (!isNarrowed(query)) return undefined;
  const { kind, folder, after, before } = query;
  const inside = folder === undefined ? undefined : idsInFolders(await listFolders(own), folder);
  const fits = (source: Source) =>
    (kind === undefined || source.kind === kind) &&
    (inside === undefined || inside.has(source.pageId) || inside.has(source.componentId)) &&
    (after === undefined || source.changedAt >= after) &&
    (before === undefined || source.changedAt < before);
  return new Set([...sources.values()].filter(fits).map(({ id }) => id));
}
