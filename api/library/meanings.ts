import { setTimeout as pause } from "node:timers/promises";
import type { Embedder } from "#api/ai/port.ts";
import type { Deps } from "#api/http/handler.ts";
import { fuse } from "#api/store/search/fusing.ts";
import type { Hit, SearchRequest } from "#api/store/search/port.ts";
import type { Own } from "#api/store/owned.ts";

type Finder = Pick<Deps, "index" | "models" | "log"> & { own: Own };

/** Passages per call to the embedding server. */
const AT_ONCE = 80;
/** The beginning represents a passage well enough, and small models read no further. */
const MAX_CHARS = 2000;
/** A search does not wait longer for its vector; keyword results are used alone. */
const QUESTION_MS = 500;

/** Accounts whose passages are being embedded in this process. */
const underWay = new Set<string>();

/** Embeds the account's new passages in the background. After a restart the next search continues it. */
export function embedWhatIsNew(finder: Finder): void {
  const { ownerId } = finder.own;
  if (underWay.has(ownerId)) return;
  underWay.add(ownerId);
  void embedAll(finder)
    .catch((error: unknown) => finder.log.warn({ err: error }, "passages could not be embedded"))
    .finally(() => underWay.delete(ownerId));
}

async function embedAll({ index, models, own: { ownerId } }: Finder): Promise<void> {
  const embedder = await models.embedder();
  if (!embedder) return;
  const { signal } = new AbortController();
  for (;;) {
    const passages = await index.unembedded(ownerId, embedder.name, AT_ONCE);
    if (passages.length === 0) return;
    const texts = passages.map(({ text }) => text.slice(0, MAX_CHARS));
    const vectors = await embedder.embed(texts, signal);
    if (!vectors) return;
    const given = passages.flatMap(({ key }, n) => {
      const vector = vectors[n];
      return vector ? [{ key, vector }] : [];
    });
    await index.putVectors(ownerId, embedder.name, given);
  }
}

/** Keyword search, fused with vector search if an embedding model is available (reciprocal rank fusion). */
export async function findPassages(finder: Finder, request: SearchRequest): Promise<Hit[]> {
  const { index, models, own } = finder;
  const embedder = request.text.trim() === "" ? undefined : await models.embedder();
  if (!embedder) return index.search(own.ownerId, request);
  const wide = { ...request, limit: request.limit * 2 };
  const [byWords, byMeaning] = await Promise.all([
    index.search(own.ownerId, wide),
    findByMeaning(finder, embedder, wide),
  ]);
  return byMeaning.length === 0 ? byWords.slice(0, request.limit) : fuse([byWords, byMeaning], request.limit);
}

async function findByMeaning({ index, own }: Finder, embedder: Embedder, request: SearchRequest): Promise<Hit[]> {
  const hurry = new AbortController();
  const asked = embedder.embed([request.text.slice(0, MAX_CHARS)], hurry.signal);
  const vectors = await Promise.race([asked, pause(QUESTION_MS, undefined, { signal: hurry.signal })]).finally(() =>
    hurry.abort(),
  );
  const [vector] = vectors ?? [];
  if (!vector) return [];
  const { limit, sourceIds } = request;
  return index.nearest(own.ownerId, { model: embedder.name, vector, limit, ...(sourceIds && { sourceIds }) });
}
