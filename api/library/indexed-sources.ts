import type { Deps } from "#api/http/handler.ts";
import type { Own } from "#api/store/owned-store.ts";
import { embedNewPassages } from "./embeddings.ts";
import { findCachedSources, readLibraryState } from "./source-cache.ts";
import { listSources, type Source, type SourceIndexDeps } from "./sources.ts";

/** Dependencies for finding sources and searching them. */
export type IndexedSourcesDeps = SourceIndexDeps & Pick<Deps, "indexer">;

/** A selection of sources; a page stands for everything on it. */
export interface SourceChoice {
  pageIds: readonly string[];
  componentIds: readonly string[];
}

export interface IndexedSources {
  /** The account's existing sources by id. */
  sources: ReadonlyMap<string, Source>;
  /** Sources that are not indexed yet: search does not cover them. */
  unread: Source[];
}

type SourceLocation = Pick<Source, "pageId" | "componentId">;

const isChosen = ({ pageId, componentId }: SourceLocation, choice: SourceChoice) =>
  choice.pageIds.includes(pageId) || choice.componentIds.includes(componentId);

/**
 * Lists the chosen sources, or all, once the background indexer has caught up with their changes, or after `timeoutMs`.
 */
export async function findIndexedSources(
  deps: IndexedSourcesDeps,
  choice: SourceChoice | undefined,
  timeoutMs: number,
): Promise<IndexedSources> {
  const { own, index, indexer } = deps;
  // An embedding server that was unreachable may be back.
  embedNewPassages(deps);
  const cached = await findCurrentSources(own);
  if (cached) return { sources: filterChosen(cached, choice), unread: [] };
  const unreadIds = await indexer.waitUntilIndexed(own, {
    timeoutMs,
    isChosen: choice && ((source) => isChosen(source, choice)),
  });
  const current = await findCurrentSources(own);
  if (current) return { sources: filterChosen(current, choice), unread: [] };
  const all = await listSources(own);
  const sources = filterChosen(new Map(all.map((source) => [source.id, source])), choice);
  // Without ids, the indexer did not answer within the timeout, so the versions are compared.
  const versions = unreadIds ? new Map<string, string>() : await index.versions(own.ownerId);
  const isUnread = ({ id, version }: Source) => (unreadIds ? unreadIds.has(id) : versions.get(id) !== version);
  return { sources, unread: [...sources.values()].filter(isUnread) };
}

/** The cached sources, if nothing has changed since the index was complete. */
async function findCurrentSources(own: Own): Promise<ReadonlyMap<string, Source> | undefined> {
  const { fingerprint } = await readLibraryState(own);
  return findCachedSources(own, fingerprint);
}

const filterChosen = (sources: ReadonlyMap<string, Source>, choice: SourceChoice | undefined) =>
  choice ? new Map([...sources].filter(([, source]) => isChosen(source, choice))) : sources;
