/** Logistic regression and its figures, for the scripts that train on marks. */

export interface Example {
  values: readonly number[];
  /** The share of readers who said yes; 1 or 0 for a single judgement. */
  target: number;
}

export interface Model {
  bias: number;
  weights: number[];
}

const ROUNDS = 600;
const RATE = 0.5;
/** L2 penalty that keeps weights small, because there are few examples for many features. */
const DECAY = 0.02;

export const probabilityOf = ({ bias, weights }: Model, values: readonly number[]): number =>
  1 / (1 + Math.exp(-weights.reduce((sum, weight, i) => sum + weight * (values[i] ?? 0), bias)));

/** Gradient descent from zero, so the same examples always give the same weights. */
export function trainLogistic(examples: readonly Example[], size: number): Model {
  const model: Model = { bias: 0, weights: Array.from({ length: size }, () => 0) };
  for (let round = 0; round < ROUNDS; round++) {
    const slopes = model.weights.map(() => 0);
    let slope = 0;
    for (const { values, target } of examples) {
      const error = target - probabilityOf(model, values);
      slope += error;
      for (const [i, value] of values.entries()) slopes[i] = (slopes[i] ?? 0) + error * value;
    }
    model.bias += (RATE * slope) / examples.length;
    model.weights = model.weights.map(
      (weight, i) => weight + RATE * ((slopes[i] ?? 0) / examples.length - DECAY * weight),
    );
  }
  return model;
}

/** How often a good example is ranked above a bad example; ties count half. */
export function areaUnderCurve(ranked: readonly { isGood: boolean; score: number }[]): number {
  const good = ranked.filter(({ isGood }) => isGood);
  const bad = ranked.filter(({ isGood }) => !isGood);
  let wins = 0;
  for (const { score } of good)
    for (const { score: badScore } of bad) wins += score > badScore ? 1 : score === badScore ? 0.5 : 0;
  return wins / Math.max(1, good.length * bad.length);
}
