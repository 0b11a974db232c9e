import { depthLimits } from "#shared/research/rules.ts";
import type { RunCheckpoint } from "./run-state.ts";

/**
 * The total number of sources that the run may have read at the end of its current task. The remaining sources are
 * shared by this task and the later tasks of its kind; the student's questions come before standard headings.
 */
export function pageBudgetOfTask({ tasks, task: index, run, pagesBefore }: RunCheckpoint): number {
  const isOwn = tasks[index]?.topic === null;
  const sharing = tasks.slice(index).filter(({ topic }) => topic !== "more" && (topic === null) === isOwn);
  const before = pagesBefore ?? run.pagesRead;
  return before + Math.ceil((depthLimits[run.depth].pages - before) / Math.max(1, sharing.length));
}
