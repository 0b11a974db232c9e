import learned from "./answer-weights.json" with { type: "json" };

/** Below this probability the closest passages are shown, labelled as such, instead of an answer. */
export const MIN_PROBABILITY = 0.4;

const weights = new Map<string, number>(Object.entries(learned.weights));

/**
 * The probability that an excerpt answers its part of a question, learnt from questions with known answers
 * (`scripts/tutor/answer-judge.ts`).
 */
export function answerProbability(features: Readonly<Record<string, number>>): number {
  let sum = learned.bias;
  for (const [name, value] of Object.entries(features)) sum += value * (weights.get(name) ?? 0);
  return 1 / (1 + Math.exp(-sum));
}
