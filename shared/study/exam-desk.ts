import { addAt, ENDS, type ExamMemory, type Memory, type Spot, STATES, type Trials, valueAt } from "./exam-memory.ts";

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

export interface Problem {
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
export interface Flow {
  /** Expected number of cards remembered at the exam. */
  remembered: number;
  /** Seconds requested by the cards. */
  load: Float64Array;
  /** Cards reviewed, and how many of them are new. */
  asked: Float64Array;
  fresh: Float64Array;
}

export type PlannedCard = { memory: Memory; ago: number } | "new";

const EVERYWHERE = Int32Array.from({ length: STATES }, (_, state) => state);

/** Smaller fractions of a card are ignored. */
const LEAST = 1e-5;

interface Row {
  day: number;
  /** Index of the first step that can follow. */
  next: number;
  tables: Trials[];
  /** Grid points that can hold cards. */
  states: Int32Array;
  /** Recall at the exam without further reviews. */
  idle: Float64Array;
  /** Expected recall minus its cost, per grid point. */
  values: Float64Array;
  /** For each grid point the share of cards that chooses each later step, and last the share that chooses none. */
  choices: Float64Array;
}

/**
 * Dynamic programme over steps and memory states: computes what every card does at a given set of prices, reusing the
 * same tables.
 */
export class ExamDesk {
  readonly #problem: Problem;
  readonly #steps: Row[];
  readonly #past: Row[];
  readonly #rows: Row[];
  /** For each step, the rows from which cards can reach it. */
  readonly #comings: Coming[][];
  /** Number of cards at each grid point of each row. */
  readonly #masses: Float64Array[];
  readonly #fresh: readonly { share: number; spot: Spot }[];

  constructor(problem: Problem) {
    const { steps, memory, examDay, origins } = problem;
    const row = (day: number, next: number, states: Int32Array): Row => ({
      day,
      next,
      states,
      tables: steps.slice(next).map((step) => memory.trials(step.day - day)),
      idle: memory.recalls(leftAt(examDay, day)),
      values: new Float64Array(STATES),
      choices: new Float64Array(STATES * (steps.length - next + 1)),
    });
    this.#problem = problem;
    this.#steps = steps.map(({ day }, at) => row(day, at + 1, EVERYWHERE));
    this.#past = origins.map(({ ago, mass }) =>
      row(
        -ago,
        ago === 0 ? 1 : 0,
        EVERYWHERE.filter((state) => (mass[state] ?? 0) > 0),
      ),
    );
    this.#rows = [...this.#steps, ...this.#past];
    this.#masses = [...steps.map(() => new Float64Array(STATES)), ...origins.map(({ mass }) => mass)];
    this.#comings = steps.map((_, at) => this.#comingTo(at));
    this.#fresh = memory.firstSpots();
  }

  #comingTo(at: number): Coming[] {
    return this.#rows.flatMap((row, index) => {
      const isBefore = index < at || index >= this.#steps.length;
      const [mass, table] = [this.#masses[index], row.tables[at - row.next]];
      return isBefore && row.next <= at && mass && table ? { row, mass, table, ahead: at - row.next } : [];
    });
  }

  /** `within`: cards that exceed the day's limit are not reviewed. */
  run(prices: Float64Array, softness: number, limit?: "within"): Flow {
    for (const row of this.#steps.toReversed()) this.#decide(row, prices, softness);
    for (const row of this.#past) this.#decide(row, prices, softness);
    const fresh = Float64Array.from([...this.#freshWorth(prices), 0]);
    share(fresh, softness, { from: 0, count: fresh.length });
    return this.#flow(fresh, limit);
  }

  #freshWorth(prices: Float64Array): number[] {
    const { pace } = this.#problem;
    return this.#steps.map(({ values }, at) =>
      this.#fresh.reduce((sum, one) => sum + one.share * valueAt(values, one.spot), -(prices[at] ?? 0) * pace.fresh),
    );
  }

  #decide({ tables, next, states, values, idle, choices }: Row, prices: Float64Array, softness: number): void {
    const { pace } = this.#problem;
    const width = tables.length + 1;
    for (const [ahead, table] of tables.entries()) {
      const later = this.#steps[next + ahead];
      const price = prices[next + ahead] ?? 0;
      if (later) weigh(table, later.values, { states, pace, price, into: choices, ahead, width });
    }
    for (const state of states) {
      choices[state * width + tables.length] = idle[state] ?? 0;
      values[state] = share(choices, softness, { from: state * width, count: width });
    }
  }

  /**
   * Gain per second of reviewing this card today rather than later, in remembered cards; negative if later is better.
   */
  gainOf(card: PlannedCard, prices: Float64Array): number {
    const { pace, steps, memory, examDay } = this.#problem;
    if (card === "new") {
      const [today = 0, ...later] = this.#freshWorth(prices);
      return (today - Math.max(0, ...later)) / pace.fresh + (prices[0] ?? 0);
    }
    let waiting = memory.recall(card.memory, card.ago + leftAt(examDay, 0));
    let today = { worth: Number.NEGATIVE_INFINITY, cost: 1 };
    for (const [at, { day }] of steps.entries()) {
      if (card.ago + day <= 0) continue;
      const trial = memory.trial(card.memory, card.ago + day);
      const cost = costOf(trial.recall, pace);
      const values = this.#steps[at]?.values ?? new Float64Array(STATES);
      const worth = trial.recall * valueAt(values, trial.right) + (1 - trial.recall) * valueAt(values, trial.wrong);
      if (at === 0) today = { worth, cost };
      else waiting = Math.max(waiting, worth - cost * (prices[at] ?? 0));
    }
    return (today.worth - waiting) / today.cost;
  }

  #flow(freshShares: Float64Array, limit?: "within"): Flow {
    const { steps, unseen } = this.#problem;
    const blank = () => new Float64Array(steps.length);
    const flow: Flow = { remembered: 0, load: blank(), asked: blank(), fresh: blank() };
    for (const at of steps.keys()) this.#masses[at]?.fill(0);
    for (const at of steps.keys()) this.#visit({ at, fresh: unseen * (freshShares[at] ?? 0), limit }, flow);
    for (const [index, { choices, idle, tables, states }] of this.#rows.entries()) {
      const width = tables.length + 1;
      const mass = this.#masses[index] ?? new Float64Array(STATES);
      for (const state of states)
        flow.remembered += (mass[state] ?? 0) * (choices[state * width + tables.length] ?? 0) * (idle[state] ?? 0);
    }
    return flow;
  }

  /** Reviews the cards that chose this step. */
  #visit({ at, fresh, limit }: Visit, flow: Flow): void {
    const { steps, pace } = this.#problem;
    const onto = this.#masses[at] ?? new Float64Array(STATES);
    const comings = this.#comings[at] ?? [];
    const wanted = comings.reduce((sum, coming) => sum + secondsOf(coming, pace), fresh * pace.fresh);
    const room = limit ? Math.min(1, (steps[at]?.seconds ?? 0) / Math.max(wanted, LEAST)) : 1;
    let asked = fresh * room;
    for (const coming of comings) {
      const came = land(coming, onto, room);
      asked += came.asked;
      flow.remembered += came.kept;
    }
    for (const one of this.#fresh) addAt(onto, one.spot, fresh * room * one.share);
    flow.load[at] = wanted * room;
    flow.asked[at] = asked;
    flow.fresh[at] = fresh * room;
  }
}

interface Visit {
  at: number;
  fresh: number;
  limit: "within" | undefined;
}

export const costOf = (recall: number, pace: Pace): number => pace.review + (1 - recall) * pace.lapse;
/** Days from a study day to the exam; a few hours if it is the same day. */
export const leftAt = (examDay: number, day: number): number => Math.max(0.25, examDay - day);

/** Cards of a row that are reviewed on a step. */
interface Coming {
  row: Row;
  mass: Float64Array;
  table: Trials;
  /** Index of the step among the row's later steps. */
  ahead: number;
}

// The loops below run millions of times per plan: they hoist lookups and allocate nothing.

interface Weighing {
  states: Int32Array;
  pace: Pace;
  price: number;
  into: Float64Array;
  ahead: number;
  width: number;
}

/** The value of a review on one later step for each grid point, minus its price. */
function weigh({ recall, points, shares }: Trials, later: Float64Array, weighing: Weighing): void {
  const { states, pace, price, into, ahead, width } = weighing;
  for (const state of states) {
    let worth = 0;
    for (let end = state * ENDS; end < (state + 1) * ENDS; end += 1)
      worth += (shares[end] ?? 0) * (later[points[end] ?? 0] ?? 0);
    into[state * width + ahead] = worth - price * (pace.review + (1 - (recall[state] ?? 0)) * pace.lapse);
  }
}

/** Seconds that the reviews of these cards take. */
function secondsOf({ row, mass, table: { recall }, ahead }: Coming, pace: Pace): number {
  const width = row.tables.length + 1;
  let seconds = 0;
  for (const state of row.states) {
    const amount = (mass[state] ?? 0) * (row.choices[state * width + ahead] ?? 0);
    if (amount > LEAST) seconds += amount * (pace.review + (1 - (recall[state] ?? 0)) * pace.lapse);
  }
  return seconds;
}

/** Moves reviewed cards to their next grid points; cards that exceed the limit stay as they are. */
function land({ row, mass, table: { points, shares }, ahead }: Coming, onto: Float64Array, room: number) {
  const width = row.tables.length + 1;
  const came = { asked: 0, kept: 0 };
  for (const state of row.states) {
    const amount = (mass[state] ?? 0) * (row.choices[state * width + ahead] ?? 0);
    if (amount <= LEAST) continue;
    came.asked += amount * room;
    came.kept += amount * (1 - room) * (row.idle[state] ?? 0);
    for (let end = state * ENDS; end < (state + 1) * ENDS; end += 1) {
      const place = points[end] ?? 0;
      onto[place] = (onto[place] ?? 0) + amount * room * (shares[end] ?? 0);
    }
  }
  return came;
}

/** Softmax: replaces each option's value by the share of cards that takes it, and returns the highest value. */
function share(options: Float64Array, softness: number, { from, count }: { from: number; count: number }): number {
  const end = from + count;
  let best = Number.NEGATIVE_INFINITY;
  for (let at = from; at < end; at += 1) best = Math.max(best, options[at] ?? best);
  let sum = 0;
  for (let at = from; at < end; at += 1) {
    const short = (best - (options[at] ?? 0)) / softness;
    const one = short > 8 ? 0 : Math.exp(-short);
    options[at] = one;
    sum += one;
  }
  for (let at = from; at < end; at += 1) options[at] = (options[at] ?? 0) / sum;
  return best;
}
