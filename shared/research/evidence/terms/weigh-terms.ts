import type { TopicHeading } from "../../schema.ts";
import type { EvidenceCandidate } from "../candidates.ts";
import { isLightTerm } from "./light-terms.ts";

/** A word that names nothing counts this much. */
const LIGHT_WEIGHT = 0.3;
/** A word that is in no sentence counts this much. */
const ABSENT_WEIGHT = 0.5;

/** The weight of each term of a question, from the candidates that contain it. */
export function weighTerms(
  candidates: readonly EvidenceCandidate[],
  queryTerms: readonly string[],
  topic: TopicHeading | null,
): (term: string) => number {
  const counts = new Map(queryTerms.map((term) => [term, 0]));
  // What texts on the subject have in common, together with each other.
  const common = new Map(queryTerms.map((term) => [term, 0]));
  const mostHeld = new Map(queryTerms.map((term) => [term, 0]));
  for (const { terms } of candidates) {
    const held = queryTerms.filter((term) => terms.has(term));
    const share = held.length / queryTerms.length;
    for (const term of held) {
      counts.set(term, (counts.get(term) ?? 0) + 1);
      common.set(term, (common.get(term) ?? 0) + share ** 2);
      mostHeld.set(term, Math.max(mostHeld.get(term) ?? 0, share));
    }
  }
  const most = Math.max(Number.EPSILON, ...mostHeld.values());
  return (term) => {
    const light = isLightTerm(term) ? LIGHT_WEIGHT : 1;
    if (topic !== null) return (common.get(term) ?? 0) * light;
    const count = counts.get(term) ?? 0;
    // A word that is in no sentence is often only a way of asking. One that never occurs together with the others has
    // another meaning there: "turn" of a lamp for "How do plants turn light into sugar?".
    const fit = count === 0 ? ABSENT_WEIGHT : ((mostHeld.get(term) ?? 0) / most) ** 2;
    return Math.log(1 + candidates.length / (1 + count)) * fit * light;
  };
}
