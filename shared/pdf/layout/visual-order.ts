import type { PlacedText } from "./placed-text.ts";

/** Letters and digits that run from left to right. */
const RUNS_RIGHT = /[\p{L}\p{N}]/u;

const OPENS = /^[([{]+$/u;
const CLOSES = /^[)\]}]+$/u;

const isLeftToRight = ({ isRightToLeft, text }: PlacedText) => !isRightToLeft && RUNS_RIGHT.test(text);

/** Whether a file has the runs of a right-to-left line in the order on paper from left to right, the last run first. */
function isInVisualOrder(items: readonly PlacedText[]): boolean {
  return (
    items.length > 1 &&
    items.some(({ isRightToLeft }) => isRightToLeft) &&
    items.every((item, i) => item.u >= (items[i - 1]?.u ?? Number.NEGATIVE_INFINITY))
  );
}

/** Groups runs that keep their order: left-to-right runs without a right-to-left run between them. */
function groupRuns(items: readonly PlacedText[]): PlacedText[][] {
  const groups: PlacedText[][] = [];
  for (let at = 0; at < items.length;) {
    const first = items[at];
    if (first === undefined) break;
    let end = at + 1;
    const next = items[end];
    if (isLeftToRight(first) || (OPENS.test(first.text) && next && isLeftToRight(next))) {
      const stop = items.findIndex(({ isRightToLeft }, i) => i > at && isRightToLeft);
      const run = items.slice(at, stop === -1 ? items.length : stop);
      end = at + run.findLastIndex(isLeftToRight) + 1;
      while (CLOSES.test(items[end]?.text ?? "")) end++;
    }
    groups.push(items.slice(at, end));
    at = end;
  }
  return groups;
}

/** The runs of a right-to-left line in the order in which they are read. */
export function toReadingOrder(items: readonly PlacedText[]): PlacedText[] {
  if (!isInVisualOrder(items)) return [...items];
  const groups = groupRuns(items).toReversed();
  return groups.flatMap((group, i) => {
    const [first, ...rest] = group;
    // A space on the left of a run comes after the run in reading order.
    const hasSpaceBefore = groups[i - 1]?.[0]?.hasSpaceBefore ?? false;
    return first === undefined ? [] : [{ ...first, hasSpaceBefore }, ...rest];
  });
}
