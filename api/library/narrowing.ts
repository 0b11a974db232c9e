import { folded } from "#shared/library/matching.ts";
import { isNarrowed, type SearchQuery } from "#shared/library/query.ts";
import type { Folder } from "#shared/library/schema.ts";
import type { Own } from "#api/kit/store/owned.ts";
import type { Source } from "./sources.ts";
import { listFolders } from "./store.ts";

type Held = Pick<Folder, "_id" | "title" | "items" | "is_archived">;

/** Ids of everything that lies in folders of that name, and in the folders within. */
export function idsInFolders(folders: readonly Held[], wanted: string): ReadonlySet<string> {
  const byId = new Map(folders.filter((folder) => !folder.is_archived).map((folder) => [folder._id, folder]));
  const name = folded(wanted).trim();
  const named = [...byId.values()].filter(({ _id, title }) => _id === wanted || folded(title).includes(name));
  const ids = new Set<string>();
  const open = (folder: Held) => {
    if (ids.has(folder._id)) return;
    ids.add(folder._id);
    for (const { item_id: id } of folder.items) {
      const inner = byId.get(id);
      if (inner) open(inner);
      else ids.add(id);
    }
  };
  for (const folder of named) open(folder);
  return ids;
}

/** The sources that a query is about; undefined where it is about all of them. */
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
