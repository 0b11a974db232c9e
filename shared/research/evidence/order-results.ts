import { searchTerms } from "#shared/text/search-terms.ts";

interface SearchResult {
  title: string;
  snippet: string;
}

/** Weight of the search engine's order, compared with the query words in a result. */
const RANK_WEIGHT = 0.3;
/** Penalty for a result that repeats an earlier one. */
const REPEAT_WEIGHT = 0.55;

function overlapOf(first: ReadonlySet<string>, second: ReadonlySet<string>): number {
  let common = 0;
  for (const term of first) if (second.has(term)) common += 1;
  return common / Math.max(1, Math.min(first.size, second.size));
}

/**
 * Orders results for opening: best matches first, and results that repeat one already read last (maximal marginal
 * relevance, Carbonell and Goldstein 1998).
 */
export function orderResults<T extends SearchResult>(
  results: readonly T[],
  query: string,
  isRead: (result: T) => boolean,
): T[] {
  // Titles alone are too short to compare results.
  if (results.every(({ snippet }) => snippet === "")) return [...results];
  const queryTerms = new Set(searchTerms(query));
  const rows = results.map((result, rank) => {
    const all = new Set(searchTerms(`${result.title} ${result.snippet}`));
    const matched = [...queryTerms].filter((term) => all.has(term)).length / Math.max(1, queryTerms.size);
    const own = new Set([...all].filter((term) => !queryTerms.has(term)));
    return { result, own, base: matched + RANK_WEIGHT * (1 - rank / results.length) };
  });
  const ordered = rows.filter(({ result }) => isRead(result));
  const remaining = new Set(rows.filter(({ result }) => !isRead(result)));
  while (remaining.size > 0) {
    let best: { row: (typeof rows)[number]; score: number } | undefined;
    for (const row of remaining) {
      const repeats = Math.max(0, ...ordered.map(({ own }) => overlapOf(row.own, own)));
      const score = row.base - REPEAT_WEIGHT * repeats;
      if (!best || score > best.score) best = { row, score };
    }
    if (!best) break;
    remaining.delete(best.row);
    ordered.push(best.row);
  }
  return ordered.map(({ result }) => result);
}
