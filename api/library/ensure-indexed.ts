import { setTimeout as pause } from "node:timers/promises";
import { Failure } from "#shared/contract/failure.ts";
import type { Deps } from "#api/http/handler.ts";
import type { PassageIndex } from "#api/store/search/port.ts";
import { embedNewPassages } from "./embeddings.ts";
import { libraryFingerprint, findCachedSources, cacheSources } from "./source-cache.ts";
import { listSources, readSourcePassages, type Source, type SourceReader } from "./sources.ts";

/** Dependencies for reading and searching sources. */
export type SourceIndexDeps = SourceReader & Pick<Deps, "index" | "models">;

/** A selection of sources; a page stands for everything on it. */
export interface SourceChoice {
  pageIds: readonly string[];
  componentIds: readonly string[];
}

export interface IndexedSources {
  /** By id; only existing sources of the account. */
  sources: ReadonlyMap<string, Source>;
  /** Sources that are still being indexed: search does not cover them yet. */
  unread: Source[];
}

/** Indexing in progress, by account, source and version; concurrent calls share it. */
const indexingInProgress = new Map<string, Promise<void>>();

const isChosen = ({ pageId, componentId }: Source, choice: SourceChoice) =>
  choice.pageIds.includes(pageId) || choice.componentIds.includes(componentId);

/**
 * Brings the index up to date for the chosen sources and waits up to `timeoutMs`. Whatever takes longer continues in
 * the background.
 */
export async function ensureIndexed(
  deps: SourceIndexDeps,
  choice: SourceChoice | undefined,
  timeoutMs: number,
): Promise<IndexedSources> {
  const { own, index } = deps;
  embedNewPassages(deps);
  // Read the fingerprint before the lists, so that a change in between invalidates it.
  const fingerprint = await libraryFingerprint(own);
  const cached = findCachedSources(own, fingerprint);
  if (cached) return { sources: choice ? filterChosen(cached, choice) : cached, unread: [] };
  const [all, versions] = await Promise.all([listSources(own), index.versions(own.ownerId)]);
  const knownIds = new Set(all.map(({ id }) => id));
  const removedIds = [...versions.keys()].filter((id) => !knownIds.has(id));
  if (removedIds.length > 0) await index.remove(own.ownerId, removedIds);
  const sources = new Map(all.map((source) => [source.id, source]));
  const chosen = choice ? filterChosen(sources, choice) : sources;
  const changed = [...chosen.values()].filter(({ id, version }) => versions.get(id) !== version);
  const unread = await indexWithin(deps, changed, timeoutMs);
  if (!choice && unread.length === 0) cacheSources(own, fingerprint, sources);
  return { sources: chosen, unread };
}

const filterChosen = (sources: ReadonlyMap<string, Source>, choice: SourceChoice) =>
  new Map([...sources].filter(([, source]) => isChosen(source, choice)));

async function indexWithin(deps: SourceIndexDeps, changed: readonly Source[], timeoutMs: number): Promise<Source[]> {
  if (changed.length === 0) return [];
  const timeout = new AbortController();
  const remaining = new Set(changed);
  const work = (async () => {
    for (const source of changed) {
      await indexOnce(deps, source);
      remaining.delete(source);
    }
  })();
  // After the timeout nobody awaits the work, so log its failure here.
  work.catch((error: unknown) => deps.log.error({ err: error }, "sources could not be indexed"));
  await Promise.race([work, pause(timeoutMs, undefined, { signal: timeout.signal }).catch(() => undefined)]);
  timeout.abort();
  return [...remaining];
}

function indexOnce(deps: SourceIndexDeps, source: Source): Promise<void> {
  const key = `${deps.own.ownerId} ${source.id} ${source.version}`;
  const existing = indexingInProgress.get(key);
  if (existing) return existing;
  const work = indexSource(deps, deps.index, source).finally(() => indexingInProgress.delete(key));
  indexingInProgress.set(key, work);
  return work;
}

async function indexSource(deps: SourceIndexDeps, index: PassageIndex, source: Source): Promise<void> {
  const { ownerId } = deps.own;
  const passages = await readSourcePassages(deps, source).catch((error: unknown) => {
    // Transcripts may appear or disappear at any time, and checking again is cheap.
    if (error instanceof Failure && error.code === "no_transcript") return undefined;
    // Other client errors are permanent: index the source as empty.
    if (error instanceof Failure && error.status < 500) return [];
    throw error;
  });
  if (!passages) await index.remove(ownerId, [source.id]);
  else await index.put(ownerId, { id: source.id, version: source.version }, passages);
}
