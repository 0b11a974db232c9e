import {
  addAt,
  type ExamMemory,
  type Memory,
  type Spot,
  type Spots,
  STATES,
  type Trial,
  trialAt,
  type Trials,
  valueAt,
} from "./exam-memory.ts";

/** Days on which a plan decides; far from the exam one of them stands for several. */
export interface Step {
  /** Study days from today. */
  day: number;
  /** Seconds there are. */
  seconds: number;
  span: number;
}

/** Seconds that answers take. */
export interface Pace {
  review: number;
  /** What forgetting costs on top: the answer again on its short step. */
  lapse: number;
  /** All of a new card's first day. */
  fresh: number;
}

/** Cards that were studied before, so many study days ago, shared out on the points of the grid. */
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
  /** Cards that were not seen yet. */
  unseen: number;
}

/** What came of a set of prices, step by step. */
export interface Flow {
  /** Expected number of cards remembered at the exam. */
  remembered: number;
  /** Seconds that cards asked for. */
  load: Float64Array;
  /** Cards asked, of them new ones. */
  asked: Float64Array;
  fresh: Float64Array;
}

export type PlannedCard = { memory: Memory; ago: number } | "new";

/** Parts of a card too small to follow. */
const LEAST = 1e-5;

interface Row {
  day: number;
  /** The first step that can follow. */
  next: number;
  tables: Trials[];
  /** Recall at the exam where nothing follows. */
  idle: Float64Array;
  /** Expected recall, less what it costs, by points of the grid. */
  values: Float64Array;
  /** For each point the share of cards that goes on to each step that can follow, and last to none. */
  choices: Float64Array;
}

/** Works out what every card does at one set of prices after the other, on the same tables. */
export class ExamDesk {
  readonly #problem: Problem;
  readonly #steps: Row[];
  readonly #past: Row[];
  readonly #fresh: readonly { share: number; spot: Spot }[];

  constructor(problem: Problem) {
    const { steps, memory, examDay, origins } = problem;
    const row = (day: number, next: number): Row => ({
      day,
      next,
      tables: steps.slice(next).map((step) => memory.trials(step.day - day)),
      idle: memory.recalls(leftAt(examDay, day)),
      values: new Float64Array(STATES),
      choices: new Float64Array(STATES * (steps.length - next + 1)),
    });
    this.#problem = problem;
    this.#steps = steps.map(({ day }, at) => row(day, at + 1));
    this.#past = origins.map(({ ago }) => row(-ago, ago === 0 ? 1 : 0));
    this.#fresh = memory.firstSpots();
  }

  /** `within`: cards that find no room on their day stay as they are. */
  run(prices: Float64Array, softness: number, limit?: "within"): Flow {
    for (const row of this.#steps.toReversed()) this.#decide(row, prices, softness);
    for (const row of this.#past) this.#decide(row, prices, softness);
    const fresh = Float64Array.from([...this.#freshWorth(prices), 0]);
    share(fresh, softness);
    return this.#flow(fresh, limit);
  }

  #freshWorth(prices: Float64Array): number[] {
    const { pace } = this.#problem;
    return this.#steps.map(({ values }, at) =>
      this.#fresh.reduce((sum, one) => sum + one.share * worthAt(values, one.spot), -(prices[at] ?? 0) * pace.fresh),
    );
  }

  #decide(row: Row, prices: Float64Array, softness: number): void {
    const { review, lapse } = this.#problem.pace;
    const { tables, next, values, idle, choices } = row;
    const options = new Float64Array(tables.length + 1);
    for (let state = 0; state < STATES; state += 1) {
      for (let ahead = 0; ahead < tables.length; ahead += 1) {
        const table = tables[ahead];
        const later = this.#steps[next + ahead];
        if (!table || !later) continue;
        const recall = table.recall[state] ?? 0;
        const worth =
          recall * held(later.values, table.right, state) + (1 - recall) * held(later.values, table.wrong, state);
        options[ahead] = worth - (prices[next + ahead] ?? 0) * (review + (1 - recall) * lapse);
      }
      options[tables.length] = idle[state] ?? 0;
      values[state] = share(options, softness);
      choices.set(options, state * options.length);
    }
  }

  /** What a second on this card today brings against waiting, in cards remembered; below 0 where waiting is better. */
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
      const worth = trial.recall * worthAt(values, trial.right) + (1 - trial.recall) * worthAt(values, trial.wrong);
      if (at === 0) today = { worth, cost };
      else waiting = Math.max(waiting, worth - cost * (prices[at] ?? 0));
    }
    return (today.worth - waiting) / today.cost;
  }

  #flow(freshShares: Float64Array, limit?: "within"): Flow {
    const { steps, unseen, origins } = this.#problem;
    const blank = () => new Float64Array(steps.length);
    const flow: Flow = { remembered: 0, load: blank(), asked: blank(), fresh: blank() };
    const masses = [...this.#steps.map(() => new Float64Array(STATES)), ...origins.map(({ mass }) => mass)];
    const rows = [...this.#steps, ...this.#past];
    for (const at of steps.keys()) {
      const before = rows.flatMap((row, index) => {
        const isBefore = index < at || index >= steps.length;
        return isBefore && row.next <= at ? { row, mass: masses[index] ?? blank() } : [];
      });
      this.#visit({ at, before, onto: masses[at] ?? blank(), fresh: unseen * (freshShares[at] ?? 0), limit }, flow);
    }
    for (const [index, { choices, idle, tables }] of rows.entries()) {
      const length = tables.length + 1;
      for (let state = 0; state < STATES; state += 1)
        flow.remembered +=
          (masses[index]?.[state] ?? 0) * (choices[state * length + tables.length] ?? 0) * (idle[state] ?? 0);
    }
    return flow;
  }

  /** The cards that chose a step are asked on it. */
  #visit({ at, before, onto, fresh, limit }: Visit, flow: Flow): void {
    const { steps, pace } = this.#problem;
    let wanted = fresh * pace.fresh;
    const each = (take: (amount: number, table: Trials, place: { state: number; idle: number }) => void) => {
      for (const { row, mass } of before) {
        const table = row.tables[at - row.next];
        const length = row.tables.length + 1;
        if (!table) continue;
        for (let state = 0; state < STATES; state += 1) {
          const amount = (mass[state] ?? 0) * (row.choices[state * length + at - row.next] ?? 0);
          if (amount > LEAST) take(amount, table, { state, idle: row.idle[state] ?? 0 });
        }
      }
    };
    each((amount, table, { state }) => (wanted += amount * costOf(table.recall[state] ?? 0, pace)));
    const room = limit ? Math.min(1, (steps[at]?.seconds ?? 0) / Math.max(wanted, LEAST)) : 1;
    let asked = fresh * room;
    each((amount, table, { state, idle }) => {
      asked += amount * room;
      flow.remembered += amount * (1 - room) * idle;
      land(onto, trialAt(table, state), amount * room);
    });
    for (const one of this.#fresh) addAt(onto, one.spot, fresh * room * one.share);
    flow.load[at] = wanted * room;
    flow.asked[at] = asked;
    flow.fresh[at] = fresh * room;
  }
}

interface Visit {
  at: number;
  before: { row: Row; mass: Float64Array }[];
  onto: Float64Array;
  fresh: number;
  limit: "within" | undefined;
}

export const costOf = (recall: number, pace: Pace): number => pace.review + (1 - recall) * pace.lapse;
const held = (values: Float64Array, { at, up, along }: Spots, state: number) =>
  valueAt(values, at[state] ?? 0, up[state] ?? 0, along[state] ?? 0);
const worthAt = (values: Float64Array, { at, up, along }: Spot) => valueAt(values, at, up, along);
/** Days from a study day to the exam: some hours where it is the same one. */
export const leftAt = (examDay: number, day: number): number => Math.max(0.25, examDay - day);

function land(mass: Float64Array, trial: Trial, amount: number): void {
  addAt(mass, trial.right, amount * trial.recall);
  addAt(mass, trial.wrong, amount * (1 - trial.recall));
}

/** Puts the share of cards that takes it in the place of each option's worth, and answers the worth of the best. */
function share(options: Float64Array, softness: number): number {
  let best = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < options.length; at += 1) best = Math.max(best, options[at] ?? best);
  let sum = 0;
  for (let at = 0; at < options.length; at += 1) {
    const short = (best - (options[at] ?? 0)) / softness;
    options[at] = short > 8 ? 0 : Math.exp(-short);
    sum += options[at] ?? 0;
  }
  for (let at = 0; at < options.length; at += 1) options[at] = (options[at] ?? 0) / sum;
  return best;
}
