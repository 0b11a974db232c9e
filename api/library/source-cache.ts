import { createHash } from "node:crypto";
import { listRecognisedFiles } from "#api/blobs/file-records.ts";
import { readContentSeq } from "#api/store/account-changes.ts";
import type { DocumentStore } from "#api/store/port.ts";
import type { Own } from "#api/store/owned-store.ts";
import { readTranscriptRevisions } from "#api/video/store.ts";
import type { Source } from "./sources.ts";

interface CachedSources {
  fingerprint: string;
  sources: ReadonlyMap<string, Source>;
  cachedAt: number;
}

/** Sources cached in this process, over all accounts. */
const MAX_SOURCES = 400_000;
/**
 * The fingerprint covers recorded changes. A change that could not be recorded, for example on a full disk, is noticed
 * after this time.
 */
const CACHE_TTL_MS = 30 * 60_000;

/** Sources of each account when its index was last complete; the most recently used account is last. */
const cache = new WeakMap<DocumentStore, Map<string, CachedSources>>();

export interface LibraryState {
  /** Changes whenever any source might have changed. */
  fingerprint: string;
  /** Number of the last change of content. */
  contentSeq: number;
}

export async function readLibraryState(own: Own): Promise<LibraryState> {
  const [contentSeq, recognised, transcripts] = await Promise.all([
    readContentSeq(own),
    listRecognisedFiles(own),
    readTranscriptRevisions(own),
  ]);
  const files = recognised.map(({ _id, textRecognisedAt }) => `${_id}.${textRecognisedAt}`).join();
  const fingerprint = createHash("sha256")
    .update(`${contentSeq} ${files} ${JSON.stringify([...transcripts])}`)
    .digest("base64url");
  return { fingerprint, contentSeq };
}

/** The cached sources for this fingerprint: the index is complete and current for them. */
export function findCachedSources(own: Own, fingerprint: string): ReadonlyMap<string, Source> | undefined {
  const accountCache = cache.get(own.store);
  const cached = accountCache?.get(own.ownerId);
  if (!accountCache || !cached) return undefined;
  accountCache.delete(own.ownerId);
  if (cached.fingerprint !== fingerprint || performance.now() - cached.cachedAt > CACHE_TTL_MS) return undefined;
  accountCache.set(own.ownerId, cached);
  return cached.sources;
}

export function cacheSources(own: Own, fingerprint: string, sources: ReadonlyMap<string, Source>): void {
  const accountCache = cache.get(own.store) ?? new Map<string, CachedSources>();
  cache.set(own.store, accountCache);
  accountCache.set(own.ownerId, { fingerprint, sources, cachedAt: performance.now() });
  let count = [...accountCache.values()].reduce((sum, cached) => sum + cached.sources.size, 0);
  for (const [ownerId, cached] of accountCache) {
    if (count <= MAX_SOURCES || accountCache.size === 1) break;
    accountCache.delete(ownerId);
    count -= cached.sources.size;
  }
}
