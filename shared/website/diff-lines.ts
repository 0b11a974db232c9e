/** A line of a comparison: in both texts, only in the later or only in the earlier one. */
export interface DiffLine {
  kind: "same" | "added" | "removed";
  text: string;
}

/** Changed lines that are shown together, with their neighbours. */
export interface Hunk {
  /** The number of its first line in the later text, from 1. */
  line: number;
  lines: DiffLine[];
}

const CONTEXT_LINES = 3;
/** Texts that differ in more lines are shown as one replacement. */
const MAX_EDITS = 500;

const toLines = (kind: DiffLine["kind"], texts: readonly string[]) => texts.map((text): DiffLine => ({ kind, text }));

/** The furthest positions in `before` for each number of edits, by diagonal (Myers 1986); undefined if there are too many. */
function findEdits(before: readonly string[], after: readonly string[]): Map<number, number>[] | undefined {
  const furthest = new Map([[1, 0]]);
  const trace: Map<number, number>[] = [];
  for (let edits = 0; edits <= Math.min(MAX_EDITS, before.length + after.length); edits += 1) {
    trace.push(new Map(furthest));
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let x = startOf(furthest, diagonal, edits);
      while (x < before.length && x - diagonal < after.length && before[x] === after[x - diagonal]) x += 1;
      furthest.set(diagonal, x);
      if (x >= before.length && x - diagonal >= after.length) return trace;
    }
  }
  return undefined;
}

/** Whether the path to a diagonal comes from above: by a line of `after`. */
const isInsertion = (furthest: ReadonlyMap<number, number>, diagonal: number, edits: number) =>
  diagonal === -edits ||
  (diagonal !== edits && (furthest.get(diagonal - 1) ?? -1) < (furthest.get(diagonal + 1) ?? -1));

const startOf = (furthest: ReadonlyMap<number, number>, diagonal: number, edits: number) =>
  isInsertion(furthest, diagonal, edits) ? (furthest.get(diagonal + 1) ?? 0) : (furthest.get(diagonal - 1) ?? 0) + 1;

function diffMiddle(before: readonly string[], after: readonly string[]): DiffLine[] {
  const trace = findEdits(before, after);
  if (!trace) return [...toLines("removed", before), ...toLines("added", after)];
  const lines: DiffLine[] = [];
  let [x, y] = [before.length, after.length];
  for (let edits = trace.length - 1; edits >= 0; edits -= 1) {
    const furthest = trace[edits] ?? new Map<number, number>();
    const isAdded = isInsertion(furthest, x - y, edits);
    const start = edits === 0 ? 0 : startOf(furthest, x - y, edits);
    lines.push(...toLines("same", before.slice(start, x)).toReversed());
    y -= x - start;
    x = start;
    if (edits === 0) break;
    if (isAdded) y -= 1;
    else x -= 1;
    lines.push(isAdded ? { kind: "added", text: after[y] ?? "" } : { kind: "removed", text: before[x] ?? "" });
  }
  return lines.toReversed();
}

/** Every line of both texts in order. */
export function diffLines(earlier: string, later: string): DiffLine[] {
  const [before, after] = [splitLines(earlier), splitLines(later)];
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  const most = Math.min(before.length, after.length) - start;
  while (end < most && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  return [
    ...toLines("same", before.slice(0, start)),
    ...diffMiddle(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...toLines("same", before.slice(before.length - end)),
  ];
}

const splitLines = (text: string) => (text === "" ? [] : text.replace(/\n$/, "").split("\n"));

/** The changed lines with three around them. */
export function toHunks(lines: readonly DiffLine[]): Hunk[] {
  const hunks: Hunk[] = [];
  let line = 1;
  let lastShown = -1;
  for (const [index, one] of lines.entries()) {
    const around = lines.slice(Math.max(0, index - CONTEXT_LINES), index + CONTEXT_LINES + 1);
    if (around.some(({ kind }) => kind !== "same")) {
      if (lastShown !== index - 1 || hunks.length === 0) hunks.push({ line, lines: [] });
      hunks.at(-1)?.lines.push(one);
      lastShown = index;
    }
    if (one.kind !== "removed") line += 1;
  }
  return hunks;
}
