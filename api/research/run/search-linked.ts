import { linkedQueries } from "#shared/research/evidence/linked-queries.ts";
import { contentQuery } from "#shared/text/query-stopwords.ts";
import { searchTerms } from "#shared/text/search-terms.ts";
import type { Deps } from "#api/http/handler.ts";
import { searchPassages } from "#api/library/embeddings.ts";
import type { Own } from "#api/store/owned-store.ts";
import { getIndexedText, type Hit, type SearchRequest } from "#api/store/search/port.ts";
import { fuseRankings } from "#api/store/search/rank-fusion.ts";

/** Passages whose names are followed, and results used for each name. */
const FOLLOWED = 4;
const RESULTS_PER_NAME = 6;
/** Weight of the passage that led to a result in the score of the result. */
const ORIGIN_WEIGHT = 0.5;

type LinkedSearchDeps = Pick<Deps, "index" | "models" | "log"> & { own: Own };

const keyOf = ({ sourceId, position }: Hit) => `${sourceId}\0${position}`;

/** The best passages for a question, and the passages found by the names in them. */
async function followNames({ index, own }: LinkedSearchDeps, request: SearchRequest): Promise<Hit[]> {
  const text = contentQuery(request.text) || request.text;
  const first = await index.search(own.ownerId, { ...request, text });
  const ranked = new Map(first.map((hit) => [keyOf(hit), hit]));
  const followed = first.slice(0, FOLLOWED).flatMap((origin) => {
    const { text: words, locator } = origin.passage;
    return linkedQueries(request.text, { text: words, heading: locator.heading }).map((link) => ({ origin, link }));
  });
  const results = await Promise.all(
    followed.map(({ link }) => index.search(own.ownerId, { ...request, text: link.query, limit: RESULTS_PER_NAME })),
  );
  for (const [position, hits] of results.entries()) {
    const { origin, link } = followed[position] ?? {};
    if (!origin || !link) continue;
    for (const hit of hits) {
      const terms = new Set(searchTerms(getIndexedText(hit.passage)));
      if (keyOf(hit) === keyOf(origin) || !link.nameTerms.every((term) => terms.has(term))) continue;
      const score = (ORIGIN_WEIGHT * origin.score + hit.score) / (1 + ORIGIN_WEIGHT);
      if (score > (ranked.get(keyOf(hit))?.score ?? 0)) ranked.set(keyOf(hit), { ...hit, score });
    }
  }
  return [...ranked.values()].toSorted((a, b) => b.score - a.score).slice(0, request.limit);
}

/**
 * Searches for a question whose answer may need two passages, the first of which names the subject of the second. With
 * an embedding model, its ranking is included.
 */
export async function searchLinked(deps: LinkedSearchDeps, request: SearchRequest): Promise<Hit[]> {
  const linked = await followNames(deps, request);
  if (!(await deps.models.embedder())) return linked;
  return fuseRankings([await searchPassages(deps, request), linked], request.limit);
}
