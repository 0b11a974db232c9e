import type { TopicHeading } from "../../schema.ts";
import type { EvidenceCandidate } from "../candidates.ts";
import { isLowWeightTerm } from "./low-weight-terms.ts";

/** The weight of a word that names nothing. */
const LIGHT_WEIGHT = 0.3;
/** The weight of a word that no sentence contains. */
const ABSENT_WEIGHT = 0.5;

/** The weight of each term of a question, from the candidates that contain it. */
export function weighTerms(
  candidates: readonly EvidenceCandidate[],
  queryTerms: readonly string[],
  topic: TopicHeading | null,
): (term: string) => number {
  const counts = new Map(queryTerms.map((term) => [term, 0]));
  // Candidates with more terms of the question count more.
  const common = new Map(queryTerms.map((term) => [term, 0]));
  const highestShare = new Map(queryTerms.map((term) => [term, 0]));
  for (const { terms } of candidates) {
    const contained = queryTerms.filter((term) => terms.has(term));
    const share = contained.length / queryTerms.length;
    for (const term of contained) {
      counts.set(term, (counts.get(term) ?? 0) + 1);
      common.set(term, (common.get(term) ?? 0) + share ** 2);
      highestShare.set(term, Math.max(highestShare.get(term) ?? 0, share));
    }
  }
  const most = Math.max(Number.EPSILON, ...highestShare.values());
  return (term) => {
    const light = isLowWeightTerm(term) ? LIGHT_WEIGHT : 1;
    if (topic !== null) return (common.get(term) ?? 0) * light;
    const count = counts.get(term) ?? 0;
    // A word that no sentence contains is often only part of the wording of the question. A word that never occurs
    // together with the others has another meaning: "turn" of a lamp, for "How do plants turn light into sugar?".
    const fit = count === 0 ? ABSENT_WEIGHT : ((highestShare.get(term) ?? 0) / most) ** 2;
    return Math.log(1 + candidates.length / (1 + count)) * fit * light;
  };
}
