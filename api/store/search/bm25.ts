/**
 * The postings of one term in a source. `writing` is the id of the indexed version; `places` holds triples: passage
 * number, term frequency, passage length in terms.
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
  const documentFrequency = new Map<string, number>();
  for (const { term, places } of postings)
    documentFrequency.set(term, (documentFrequency.get(term) ?? 0) + places.length / 3);
  const scores = new Map<string, Map<number, number>>();
  for (const { term, writing, places } of postings) {
    const frequency = documentFrequency.get(term) ?? 0;
    const weight = Math.log(1 + (size.passages - frequency + 0.5) / (frequency + 0.5));
    const passageScores = scores.get(writing) ?? new Map<number, number>();
    scores.set(writing, passageScores);
    for (let index = 0; index + 2 < places.length; index += 3) {
      const [passage = 0, termFrequency = 0, terms = 0] = places.slice(index, index + 3);
      const lengthNorm = K1 * (1 - B + (B * terms) / Math.max(1, size.averageTerms));
      passageScores.set(
        passage,
        (passageScores.get(passage) ?? 0) + (weight * termFrequency * (K1 + 1)) / (termFrequency + lengthNorm),
      );
    }
  }
  return scores;
}

/** The best passages of the requested sources. */
export function selectBest(
  scores: ReadonlyMap<string, ReadonlyMap<number, number>>,
  isRequested: (writing: string) => boolean,
  limit: number,
): Ranked[] {
  const ranked: Ranked[] = [];
  for (const [writing, passageScores] of scores)
    if (isRequested(writing)) for (const [passage, score] of passageScores) ranked.push({ writing, passage, score });
  return ranked.toSorted((a, b) => b.score - a.score || a.passage - b.passage).slice(0, limit);
}
