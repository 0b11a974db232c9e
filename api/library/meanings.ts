import { setTimeout as pause } from "node:timers/promises";
import type { Embedder } from "#api/ai/port.ts";
import type { Deps } from "#api/http/handler.ts";
import { fuse } from "#api/store/search/fusing.ts";
import type { Hit, SearchRequest } from "#api/store/search/port.ts";
import type { Own } from "#api/store/owned.ts";

type Finder = Pick<Deps, "index" | "models" | "log"> & { own: Own };

/** Passages in one call to the embedding server. */
const AT_ONCE = 80;
/** A passage's meaning stands in its beginning well enough, and small models read no further. */
const MAX_CHARS = 2000;
/** A question does not wait longer for its vector: its words find by themselves. */
const QUESTION_MS = 500;

/** Accounts whose passages are being given vectors in this process. */
const underWay = new Set<string>();

/**
 * Gives the account's passages that have none their vectors, in the background. Ended by a restart it goes on with the
 * next question: what has none is found anew.
 */
export function embedWhatIsNew(finder: Finder): void {
  const { ownerId } = finder.own;
  if (underWay.has(ownerId)) return;
  underWay.add(ownerId);
  void embedAll(finder)
    .catch((error: unknown) => finder.log.warn({ err: error }, "passages could not be given vectors"))
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

/** Passages found by words, and by meaning where a server offers that, fused into one order. */
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
