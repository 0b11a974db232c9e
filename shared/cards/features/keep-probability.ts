import { featuresOf } from "./keep-features.ts";
import learned from "./keep-weights.json" with { type: "json" };
import type { CardText } from "./ranked-candidates.ts";

const weights = new Map<string, number>(Object.entries(learned.weights));

/** How likely a strict reader keeps a card of these words, learnt from judged cards (`bench/card-ranker`). */
export function keepProbability(card: CardText): number {
  let sum = learned.bias;
  for (const [name, value] of Object.entries(featuresOf(card))) sum += value * (weights.get(name) ?? 0);
  return 1 / (1 + Math.exp(-sum));
}
