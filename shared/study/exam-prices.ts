import { ExamDesk, type Flow, type PlannedCard, type Problem, type Step } from "./exam-desk.ts";

/**
 * Every card asks for the reviews that raise its recall on the day of the exam most, and each day has minutes for some
 * of them. A price of a second on each day settles it: cards choose by themselves what is worth its price, and prices
 * move until the days hold what was chosen.
 */
const ROUNDS = 40;
/** Cards that are nearly as well off with either choice share out, so that prices can settle: less and less. */
const SOFTEST = 0.03;
const HARDEST = 0.008;
const FIRST_PRICE = 0.004;

export interface Settled extends Flow {
  gainOf: (card: PlannedCard) => number;
}

/** Finds the prices at which the days hold what the cards choose. */
export function settle(problem: Problem): Settled {
  const prices = new Float64Array(problem.steps.length).fill(FIRST_PRICE);
  const desk = new ExamDesk(problem);
  for (let round = 0; round < ROUNDS; round += 1) {
    const softness = SOFTEST * (HARDEST / SOFTEST) ** (round / (ROUNDS - 1));
    const pressures = pressuresOf(desk.run(prices, softness).load, problem.steps);
    // So much of a second's price moves about a third of the cards that waver.
    const unit = softness / problem.pace.fresh;
    for (const [at, pressure] of pressures.entries()) prices[at] = Math.max(0, (prices[at] ?? 0) + unit * pressure);
  }
  const flow = desk.run(prices, HARDEST, "within");
  return { ...flow, gainOf: (card) => desk.gainOf(card, prices) };
}

/**
 * How much too full each day is, 0 being full. A day's price moves its cards to the days around it, and only the prices
 * of many days together change how much is studied at all: both are in it.
 */
function pressuresOf(load: Float64Array, steps: readonly Step[]): number[] {
  const ratio = (from: number, to: number) => {
    let [wanted, room] = [0, 0];
    for (let at = Math.max(0, from); at <= Math.min(steps.length - 1, to); at += 1) {
      wanted += load[at] ?? 0;
      room += steps[at]?.seconds ?? 0;
    }
    return Math.log(Math.min(20, Math.max(0.05, wanted / Math.max(1, room))));
  };
  const near = Math.max(1, Math.round(steps.length / 8));
  const all = ratio(0, steps.length - 1);
  return steps.map((_, at) => 0.5 * ratio(at, at) + 0.7 * ratio(at - near, at + near) + 0.7 * all);
}
