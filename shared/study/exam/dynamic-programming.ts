import {
  distribute,
  TARGETS_PER_STATE,
  type ExamMemory,
  type Memory,
  type GridPosition,
  STATES,
  type ReviewOutcomeTable,
  interpolateValue,
} from "./memory.ts";

/** A decision point of the plan; far from the exam one step covers several days. */
export interface Step {
  /** Study days from today. */
  day: number;
  /** Available study time in seconds. */
  seconds: number;
  span: number;
}

/** Seconds per answer. */
export interface Pace {
  review: number;
  /** Additional cost of forgetting: the repeated answer on its short step. */
  lapse: number;
  /** All answers of a new card's first day. */
  fresh: number;
}

/** Cards that were last studied `ago` study days ago, distributed over the grid. */
export interface Origin {
  ago: number;
  mass: Float64Array;
}

export interface ExamProblem {
  memory: ExamMemory;
  steps: readonly Step[];
  /** Study days from today to the exam. */
  examDay: number;
  pace: Pace;
  origins: readonly Origin[];
  /** Cards that were never studied. */
  unseen: number;
}

/** The result of one set of prices, per step. */
export interface ExamFlow {
  /** Expected number of cards remembered at the exam. */
  remembered: number;
  /** Seconds requested by the cards. */
  load: Float64Array;
  /** Cards reviewed, and how many of them are new. */
  reviewed: Float64Array;
  fresh: Float64Array;
}

export type PlannedCard = { memory: Memory; ago: number } | "new";

const ALL_STATES = Int32Array.from({ length: STATES }, (_, state) => state);

/** Smaller fractions of a card are ignored. */
const MIN_MASS = 1e-5;

interface Row {
  day: number;
  /** Index of the first step that can follow. */
  next: number;
  tables: ReviewOutcomeTable[];
  /** Grid points that cards can reach. */
  states: Int32Array;
  /** Recall at the exam without further reviews. */
  idle: Float64Array;
  /** Expected recall minus its cost, per grid point. */
  values: Float64Array;
  /** For each grid point the share of cards that chooses each later step, and last the share that chooses no step. */
  choices: Float64Array;
}

/**
 * Dynamic program over steps and memory states: computes when every card is reviewed at a given set of prices. Its
 * tables are reused for each set of prices.
 */
export class ExamDynamicProgram {
  readonly #problem: ExamProblem;
  readonly #steps: Row[];
  readonly #past: Row[];
  readonly #rows: Row[];
  /** For each step, the rows from which cards can reach it. */
  readonly #inflows: Inflow[][];
  /** Number of cards at each grid point of each row. */
  readonly #masses: Float64Array[];
  readonly #fresh: readonly { share: number; position: GridPosition }[];

  constructor(problem: ExamProblem) {
    const { steps, memory, examDay, origins } = problem;
    const row = (day: number, next: number, states: Int32Array): Row => ({
      day,
      next,
      states,
      tables: steps.slice(next).map((step) => memory.outcomesAfter(step.day - day)),
      idle: memory.recalls(daysUntilExam(examDay, day)),
      values: new Float64Array(STATES),
      choices: new Float64Array(STATES * (steps.length - next + 1)),
    });
    this.#problem = problem;
    this.#steps = steps.map(({ day }, at) => row(day, at + 1, ALL_STATES));
    this.#past = origins.map(({ ago, mass }) =>
      row(
        -ago,
        ago === 0 ? 1 : 0,
        ALL_STATES.filter((state) => (mass[state] ?? 0) > 0),
      ),
    );
    this.#rows = [...this.#steps, ...this.#past];
    this.#masses = [...steps.map(() => new Float64Array(STATES)), ...origins.map(({ mass }) => mass)];
    this.#inflows = steps.map((_, at) => this.#inflowsTo(at));
    this.#fresh = memory.firstPositions();
  }

  #inflowsTo(at: number): Inflow[] {
    return this.#rows.flatMap((row, index) => {
      const isBefore = index < at || index >= this.#steps.length;
      const [mass, table] = [this.#masses[index], row.tables[at - row.next]];
      return isBefore && row.next <= at && mass && table ? { row, mass, table, ahead: at - row.next } : [];
    });
  }

  /** With `limit`, cards that exceed the time of their day are not reviewed. */
  run(prices: Float64Array, softness: number, limit?: "within"): ExamFlow {
    for (const row of this.#steps.toReversed()) this.#decide(row, prices, softness);
    for (const row of this.#past) this.#decide(row, prices, softness);
    const fresh = Float64Array.from([...this.#newCardValues(prices), 0]);
    softmax(fresh, softness, { from: 0, count: fresh.length });
    return this.#flow(fresh, limit);
  }

  #newCardValues(prices: Float64Array): number[] {
    const { pace } = this.#problem;
    return this.#steps.map(({ values }, at) =>
      this.#fresh.reduce(
        (sum, first) => sum + first.share * interpolateValue(values, first.position),
        -(prices[at] ?? 0) * pace.fresh,
      ),
    );
  }

  #decide({ tables, next, states, values, idle, choices }: Row, prices: Float64Array, softness: number): void {
    const { pace } = this.#problem;
    const width = tables.length + 1;
    for (const [ahead, table] of tables.entries()) {
      const later = this.#steps[next + ahead];
      const price = prices[next + ahead] ?? 0;
      if (later) valueReviews(table, later.values, { states, pace, price, output: choices, ahead, width });
    }
    for (const state of states) {
      choices[state * width + tables.length] = idle[state] ?? 0;
      values[state] = softmax(choices, softness, { from: state * width, count: width });
    }
  }

  /**
   * Gain per second of reviewing this card today rather than later, in remembered cards; negative if later is better.
   */
  gainOf(card: PlannedCard, prices: Float64Array): number {
    const { pace, steps, memory, examDay } = this.#problem;
    if (card === "new") {
      const [today = 0, ...later] = this.#newCardValues(prices);
      return (today - Math.max(0, ...later)) / pace.fresh + (prices[0] ?? 0);
    }
    let waiting = memory.recall(card.memory, card.ago + daysUntilExam(examDay, 0));
    let today = { value: Number.NEGATIVE_INFINITY, cost: 1 };
    for (const [at, { day }] of steps.entries()) {
      if (card.ago + day <= 0) continue;
      const trial = memory.outcomeOf(card.memory, card.ago + day);
      const cost = costOf(trial.recall, pace);
      const values = this.#steps[at]?.values ?? new Float64Array(STATES);
      const value =
        trial.recall * interpolateValue(values, trial.right) +
        (1 - trial.recall) * interpolateValue(values, trial.wrong);
      if (at === 0) today = { value, cost };
      else waiting = Math.max(waiting, value - cost * (prices[at] ?? 0));
    }
    return (today.value - waiting) / today.cost;
  }

  #flow(freshShares: Float64Array, limit?: "within"): ExamFlow {
    const { steps, unseen } = this.#problem;
    const zeros = () => new Float64Array(steps.length);
    const flow: ExamFlow = { remembered: 0, load: zeros(), reviewed: zeros(), fresh: zeros() };
    for (const at of steps.keys()) this.#masses[at]?.fill(0);
    for (const at of steps.keys()) this.#reviewStep({ at, fresh: unseen * (freshShares[at] ?? 0), limit }, flow);
    for (const [index, { choices, idle, tables, states }] of this.#rows.entries()) {
      const width = tables.length + 1;
      const mass = this.#masses[index] ?? new Float64Array(STATES);
      for (const state of states)
        flow.remembered += (mass[state] ?? 0) * (choices[state * width + tables.length] ?? 0) * (idle[state] ?? 0);
    }
    return flow;
  }

  /** Reviews the cards that chose this step. */
  #reviewStep({ at, fresh, limit }: StepInput, flow: ExamFlow): void {
    const { steps, pace } = this.#problem;
    const masses = this.#masses[at] ?? new Float64Array(STATES);
    const inflows = this.#inflows[at] ?? [];
    const requestedSeconds = inflows.reduce((sum, inflow) => sum + secondsOf(inflow, pace), fresh * pace.fresh);
    const capacityShare = limit ? Math.min(1, (steps[at]?.seconds ?? 0) / Math.max(requestedSeconds, MIN_MASS)) : 1;
    let reviewed = fresh * capacityShare;
    for (const inflow of inflows) {
      const moved = moveCards(inflow, masses, capacityShare);
      reviewed += moved.reviewed;
      flow.remembered += moved.idleRecall;
    }
    for (const first of this.#fresh) distribute(masses, first.position, fresh * capacityShare * first.share);
    flow.load[at] = requestedSeconds * capacityShare;
    flow.reviewed[at] = reviewed;
    flow.fresh[at] = fresh * capacityShare;
  }
}

interface StepInput {
  at: number;
  fresh: number;
  limit: "within" | undefined;
}

export const costOf = (recall: number, pace: Pace): number => pace.review + (1 - recall) * pace.lapse;
/** Days from a study day to the exam; a few hours if it is the same day. */
export const daysUntilExam = (examDay: number, day: number): number => Math.max(0.25, examDay - day);

/** Cards of a row that are reviewed on a step. */
interface Inflow {
  row: Row;
  mass: Float64Array;
  table: ReviewOutcomeTable;
  /** Index of the step among the row's later steps. */
  ahead: number;
}

// The loops below run millions of times per plan, so they hoist lookups and allocate nothing.

interface ValuationInput {
  states: Int32Array;
  pace: Pace;
  price: number;
  output: Float64Array;
  ahead: number;
  width: number;
}

/** The value of a review on one later step for each grid point, minus its price. */
function valueReviews(
  { recall, points, shares }: ReviewOutcomeTable,
  later: Float64Array,
  input: ValuationInput,
): void {
  const { states, pace, price, output, ahead, width } = input;
  for (const state of states) {
    let value = 0;
    for (let end = state * TARGETS_PER_STATE; end < (state + 1) * TARGETS_PER_STATE; end += 1)
      value += (shares[end] ?? 0) * (later[points[end] ?? 0] ?? 0);
    output[state * width + ahead] = value - price * (pace.review + (1 - (recall[state] ?? 0)) * pace.lapse);
  }
}

/** Seconds that the reviews of these cards take. */
function secondsOf({ row, mass, table: { recall }, ahead }: Inflow, pace: Pace): number {
  const width = row.tables.length + 1;
  let seconds = 0;
  for (const state of row.states) {
    const amount = (mass[state] ?? 0) * (row.choices[state * width + ahead] ?? 0);
    if (amount > MIN_MASS) seconds += amount * (pace.review + (1 - (recall[state] ?? 0)) * pace.lapse);
  }
  return seconds;
}

/** Moves reviewed cards to their next grid points; cards that exceed the limit stay as they are. */
function moveCards(
  { row, mass, table: { points, shares }, ahead }: Inflow,
  masses: Float64Array,
  capacityShare: number,
) {
  const width = row.tables.length + 1;
  const moved = { reviewed: 0, idleRecall: 0 };
  for (const state of row.states) {
    const amount = (mass[state] ?? 0) * (row.choices[state * width + ahead] ?? 0);
    if (amount <= MIN_MASS) continue;
    moved.reviewed += amount * capacityShare;
    moved.idleRecall += amount * (1 - capacityShare) * (row.idle[state] ?? 0);
    for (let end = state * TARGETS_PER_STATE; end < (state + 1) * TARGETS_PER_STATE; end += 1) {
      const target = points[end] ?? 0;
      masses[target] = (masses[target] ?? 0) + amount * capacityShare * (shares[end] ?? 0);
    }
  }
  return moved;
}

/** Softmax: replaces each option's value by the share of cards that takes it, and returns the highest value. */
function softmax(options: Float64Array, softness: number, { from, count }: { from: number; count: number }): number {
  const end = from + count;
  let best = Number.NEGATIVE_INFINITY;
  for (let at = from; at < end; at += 1) best = Math.max(best, options[at] ?? best);
  let sum = 0;
  for (let at = from; at < end; at += 1) {
    const shortfall = (best - (options[at] ?? 0)) / softness;
    const weight = shortfall > 8 ? 0 : Math.exp(-shortfall);
    options[at] = weight;
    sum += weight;
  }
  for (let at = from; at < end; at += 1) options[at] = (options[at] ?? 0) / sum;
  return best;
}
