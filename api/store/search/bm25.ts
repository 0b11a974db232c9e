/**
 * The postings of one term in one indexed version (`writing`) of a source. `places` holds triples: passage number, term
 * frequency, passage length in terms.
 */
export interface Posting {
  term: string;
  writing: string;
  places: readonly number[];
}

export interface Ranked {
  writing: string;
  passage: number;
  score: number;
}

/**
 * BM25 with the usual k1 and b; Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond (2009).
 */
const K1 = 1.2;
const B = 0.75;

/**
 * The BM25 score of every passage that contains any of the terms. `averageTerms` is the mean passage length in terms.
 */
export function rankPostings(
  postings: readonly Posting[],
  size: { passages: number; averageTerms: number },
): ReadonlyMap<string, ReadonlyMap<number, number>> {
  const holders = new Map<string, number>();
  for (const { term, places } of postings) holders.set(term, (holders.get(term) ?? 0) + places.length / 3);
  const scores = new Map<string, Map<number, number>>();
  for (const { term, writing, places } of postings) {
    const holding = holders.get(term) ?? 0;
    const weight = Math.log(1 + (size.passages - holding + 0.5) / (holding + 0.5));
    const own = scores.get(writing) ?? new Map<number, number>();
    scores.set(writing, own);
    for (let at = 0; at + 2 < places.length; at += 3) {
      const [passage = 0, often = 0, terms = 0] = places.slice(at, at + 3);
      const long = K1 * (1 - B + (B * terms) / Math.max(1, size.averageTerms));
      own.set(passage, (own.get(passage) ?? 0) + (weight * often * (K1 + 1)) / (often + long));
    }
  }
  return scores;
}

/** The best passages of the requested sources. */
export function bestOf(
  scores: ReadonlyMap<string, ReadonlyMap<number, number>>,
  isWanted: (writing: string) => boolean,
  limit: number,
): Ranked[] {
  const ranked: Ranked[] = [];
  for (const [writing, own] of scores)
    if (isWanted(writing)) for (const [passage, score] of own) ranked.push({ writing, passage, score });
  return ranked.toSorted((a, b) => b.score - a.score || a.passage - b.passage).slice(0, limit);
}
