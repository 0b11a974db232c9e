import {
  ExamDynamicProgram,
  type ExamFlow,
  type PlannedCard,
  type ExamProblem,
  type Step,
} from "./dynamic-programming.ts";

/**
 * Lagrangian relaxation: every card wants the reviews that raise its recall at the exam most, and each day has limited
 * minutes. A price per second on each day (the Lagrange multiplier) decouples the cards: each chooses what is worth its
 * price, and prices are adjusted until the chosen reviews fit into the days.
 */
const ROUNDS = 40;
/**
 * Temperature of the choice. Cards that are nearly indifferent are split between days, so that prices converge. It
 * falls every round.
 */
const MAX_TEMPERATURE = 0.03;
const MIN_TEMPERATURE = 0.008;
const FIRST_PRICE = 0.004;

export interface ExamSolution extends ExamFlow {
  gainOf: (card: PlannedCard) => number;
}

/** Finds the prices at which the chosen reviews fit into the days. */
export function solveExamProblem(problem: ExamProblem): ExamSolution {
  const prices = new Float64Array(problem.steps.length).fill(FIRST_PRICE);
  const program = new ExamDynamicProgram(problem);
  for (let round = 0; round < ROUNDS; round += 1) {
    const temperature = MAX_TEMPERATURE * (MIN_TEMPERATURE / MAX_TEMPERATURE) ** (round / (ROUNDS - 1));
    const pressures = pressuresOf(program.run(prices, temperature).load, problem.steps);
    // This change in the price of a second moves about a third of the indifferent cards.
    const unit = temperature / problem.pace.fresh;
    for (const [at, pressure] of pressures.entries()) prices[at] = Math.max(0, (prices[at] ?? 0) + unit * pressure);
  }
  const flow = program.run(prices, MIN_TEMPERATURE, "within");
  return { ...flow, gainOf: (card) => program.gainOf(card, prices) };
}

/**
 * The log of how overfull each day is; 0 is exactly full. One day's price only moves cards to nearby days, and the
 * total amount changes only with the prices of many days together, so both are included.
 */
function pressuresOf(load: Float64Array, steps: readonly Step[]): number[] {
  const ratio = (from: number, to: number) => {
    let [requestedSeconds, availableSeconds] = [0, 0];
    for (let at = Math.max(0, from); at <= Math.min(steps.length - 1, to); at += 1) {
      requestedSeconds += load[at] ?? 0;
      availableSeconds += steps[at]?.seconds ?? 0;
    }
    return Math.log(Math.min(20, Math.max(0.05, requestedSeconds / Math.max(1, availableSeconds))));
  };
  const near = Math.max(1, Math.round(steps.length / 8));
  const all = ratio(0, steps.length - 1);
  return steps.map((_, at) => 0.5 * ratio(at, at) + 0.7 * ratio(at - near, at + near) + 0.7 * all);
}
