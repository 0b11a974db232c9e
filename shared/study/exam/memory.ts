import { fsrs, Rating, type FSRS } from "ts-fsrs";
import { toFsrsParams, type StudyParams } from "../rules.ts";

/** Stability and difficulty are discretised on a grid; values in between are interpolated bilinearly. */
const STABILITIES = 26;
const DIFFICULTIES = 4;
const MIN_STABILITY = 0.1;
const MAX_STABILITY = 800;
const LOG_STEP = Math.log(MAX_STABILITY / MIN_STABILITY) / (STABILITIES - 1);
export const STATES = STABILITIES * DIFFICULTIES;

export interface Memory {
  stability: number;
  difficulty: number;
}

/** A position on the grid: its lowest point, and the fractions towards the next stability and difficulty. */
export interface GridPosition {
  index: number;
  up: number;
  along: number;
}

/** The possible results of a review. */
export interface ReviewOutcome {
  recall: number;
  right: GridPosition;
  wrong: GridPosition;
}

/**
 * Grid points that a review leads to: four around the state after a right answer, four around that after a wrong one.
 */
export const TARGETS_PER_STATE = 8;

/** The reviews of every grid point as columns, because a plan reads them millions of times. */
export interface ReviewOutcomeTable {
  recall: Float64Array;
  /** The points that each review leads to, `TARGETS_PER_STATE` per grid point, and the share of cards for each. */
  points: Int32Array;
  shares: Float64Array;
}

/** Shares of Again, Hard, Good and Easy among first answers, typical for study decks. */
const FIRST_GRADES = [
  { grade: Rating.Again, share: 0.2, steps: 2 },
  { grade: Rating.Hard, share: 0.1, steps: 1 },
  { grade: Rating.Good, share: 0.6, steps: 1 },
  { grade: Rating.Easy, share: 0.1, steps: 0 },
] as const;

export function toGridPosition({ stability, difficulty }: Memory): GridPosition {
  const row = Math.min(STABILITIES - 1.001, Math.max(0, Math.log(stability / MIN_STABILITY) / LOG_STEP));
  const column = Math.min(DIFFICULTIES - 1.001, Math.max(0, ((difficulty - 1) / 9) * (DIFFICULTIES - 1)));
  const [low, left] = [Math.floor(row), Math.floor(column)];
  return { index: low * DIFFICULTIES + left, up: row - low, along: column - left };
}

/** The interpolated value at a position. */
export function interpolateValue(values: Float64Array, { index, up, along }: GridPosition): number {
  const low = (values[index] ?? 0) * (1 - along) + (values[index + 1] ?? 0) * along;
  const high = (values[index + DIFFICULTIES] ?? 0) * (1 - along) + (values[index + DIFFICULTIES + 1] ?? 0) * along;
  return low * (1 - up) + high * up;
}

/** Distributes an amount over the four points around a position. */
export function distribute(values: Float64Array, position: GridPosition, amount: number): void {
  for (const [end, share] of cornersOf(position)) values[end] = (values[end] ?? 0) + amount * share;
}

const stateAt = (state: number): Memory => ({
  stability: MIN_STABILITY * Math.exp(Math.floor(state / DIFFICULTIES) * LOG_STEP),
  difficulty: 1 + ((state % DIFFICULTIES) / (DIFFICULTIES - 1)) * 9,
});

/** The four points around a position with their interpolation weights. */
function cornersOf({ index, up, along }: GridPosition): (readonly [point: number, share: number])[] {
  return [
    [index, (1 - up) * (1 - along)],
    [index + 1, (1 - up) * along],
    [index + DIFFICULTIES, up * (1 - along)],
    [index + DIFFICULTIES + 1, up * along],
  ];
}

function toColumns(outcomes: readonly ReviewOutcome[]): ReviewOutcomeTable {
  const ends = outcomes.flatMap(({ recall, right, wrong }) => [
    ...cornersOf(right).map(([end, share]) => [end, share * recall] as const),
    ...cornersOf(wrong).map(([end, share]) => [end, share * (1 - recall)] as const),
  ]);
  return {
    recall: Float64Array.from(outcomes, ({ recall }) => recall),
    points: Int32Array.from(ends, ([end]) => end),
    shares: Float64Array.from(ends, ([, share]) => share),
  };
}

/** The formulas of FSRS, tabulated for planning. */
export class ExamMemory {
  readonly #fsrs: FSRS;
  readonly #tables = new Map<number, ReviewOutcomeTable>();

  constructor(params: StudyParams) {
    this.#fsrs = fsrs(toFsrsParams(params));
  }

  recall(memory: Memory, days: number): number {
    return this.#fsrs.forgetting_curve(Math.max(0, days), memory.stability);
  }

  /** Recall of each grid point after this many days. */
  recalls(days: number): Float64Array {
    return Float64Array.from({ length: STATES }, (_, state) => this.recall(stateAt(state), days));
  }

  /** A review after this many days: Good, or Again and then Good on its short step. */
  outcomeOf(memory: Memory, days: number): ReviewOutcome {
    const recall = this.recall(memory, days);
    const right = this.#fsrs.next_state(memory, days, Rating.Good, recall);
    const lapsed = this.#fsrs.next_state(memory, days, Rating.Again, recall);
    return {
      recall,
      right: toGridPosition(right),
      wrong: toGridPosition(this.#fsrs.next_state(lapsed, 0, Rating.Good)),
    };
  }

  /** The outcome of a review after this many days, for each grid point. */
  outcomesAfter(days: number): ReviewOutcomeTable {
    const known = this.#tables.get(days);
    if (known) return known;
    const made = toColumns(Array.from({ length: STATES }, (_, state) => this.outcomeOf(stateAt(state), days)));
    this.#tables.set(days, made);
    return made;
  }

  /** Possible states of a new card after its first day. */
  firstPositions(): { share: number; position: GridPosition }[] {
    return FIRST_GRADES.map(({ grade, share, steps }) => {
      let memory = this.#fsrs.next_state(null, 0, grade);
      for (let step = 0; step < steps; step += 1) memory = this.#fsrs.next_state(memory, 0, Rating.Good);
      return { share, position: toGridPosition(memory) };
    });
  }
}
