/** One result of `npm run bench`. With a `reference` measured in the same run, the ratio is what counts. */
export interface Row {
  what: string;
  value: number;
  unit: string;
  reference?: number;
  ratio?: number;
  goal: string;
}

export interface Bench {
  name: string;
  run(): Promise<Row[]>;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}
