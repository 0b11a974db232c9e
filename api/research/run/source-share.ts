import { depthLimits } from "#shared/research/rules.ts";
import type { RunCheckpoint } from "./run-state.ts";

/**
 * The number of sources of the run up to which its current task may read: the sources that are left are shared by this
 * task and those to come of its kind. The student's questions come before our own headings.
 */
export function mostPagesOfTask({ tasks, task: index, run, pagesBefore }: RunCheckpoint): number {
  const isOwn = tasks[index]?.topic === null;
  const sharing = tasks.slice(index).filter(({ topic }) => topic !== "more" && (topic === null) === isOwn);
  const before = pagesBefore ?? run.pagesRead;
  return before + Math.ceil((depthLimits[run.depth].pages - before) / Math.max(1, sharing.length));
}
