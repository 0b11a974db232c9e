import { setTimeout as pause } from "node:timers/promises";
import type { Embedder } from "#api/ai/port.ts";
import type { Deps } from "#api/http/handler.ts";
import { fuseRankings } from "#api/store/search/rank-fusion.ts";
import type { Hit, SearchRequest } from "#api/store/search/port.ts";
import type { Own } from "#api/store/owned-store.ts";

type PassageSearchDeps = Pick<Deps, "index" | "models" | "log"> & { own: Own };

/** Passages per call to the embedding server. */
const BATCH_SIZE = 80;
/** The beginning represents a passage well enough, and small models read no further. */
const MAX_CHARS = 2000;
/** A search does not wait longer for its vector; keyword results are used alone. */
const QUERY_TIMEOUT_MS = 500;

/** Accounts whose passages are being embedded in this process. */
const embeddingAccounts = new Set<string>();

/** Embeds the account's new passages in the background. After a restart, the next search resumes the work. */
export function embedNewPassages(deps: PassageSearchDeps): void {
  const { ownerId } = deps.own;
  if (embeddingAccounts.has(ownerId)) return;
  embeddingAccounts.add(ownerId);
  void embedAll(deps)
    .catch((error: unknown) => deps.log.warn({ err: error }, "passages could not be embedded"))
    .finally(() => embeddingAccounts.delete(ownerId));
}

async function embedAll({ index, models, own: { ownerId } }: PassageSearchDeps): Promise<void> {
  const embedder = await models.embedder();
  if (!embedder) return;
  const { signal } = new AbortController();
  for (;;) {
    const passages = await index.unembedded(ownerId, embedder.name, BATCH_SIZE);
    if (passages.length === 0) return;
    const texts = passages.map(({ text }) => text.slice(0, MAX_CHARS));
    const vectors = await embedder.embed(texts, signal);
    if (!vectors) return;
    const embedded = passages.flatMap(({ key }, row) => {
      const vector = vectors[row];
      return vector ? [{ key, vector }] : [];
    });
    await index.putVectors(ownerId, embedder.name, embedded);
  }
}

/** Keyword search, fused with vector search if an embedding model is available (reciprocal rank fusion). */
export async function searchPassages(deps: PassageSearchDeps, request: SearchRequest): Promise<Hit[]> {
  const { index, models, own } = deps;
  const embedder = request.text.trim() === "" ? undefined : await models.embedder();
  if (!embedder) return index.search(own.ownerId, request);
  const wideRequest = { ...request, limit: request.limit * 2 };
  const [byWords, byMeaning] = await Promise.all([
    index.search(own.ownerId, wideRequest),
    searchByVector(deps, embedder, wideRequest),
  ]);
  return byMeaning.length === 0 ? byWords.slice(0, request.limit) : fuseRankings([byWords, byMeaning], request.limit);
}

async function searchByVector(
  { index, own }: PassageSearchDeps,
  embedder: Embedder,
  request: SearchRequest,
): Promise<Hit[]> {
  const timeout = new AbortController();
  const embedding = embedder.embed([request.text.slice(0, MAX_CHARS)], timeout.signal);
  const vectors = await Promise.race([
    embedding,
    pause(QUERY_TIMEOUT_MS, undefined, { signal: timeout.signal }),
  ]).finally(() => timeout.abort());
  const [vector] = vectors ?? [];
  if (!vector) return [];
  const { limit, sourceIds } = request;
  return index.nearest(own.ownerId, { model: embedder.name, vector, limit, ...(sourceIds && { sourceIds }) });
}
