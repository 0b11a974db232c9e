import type { CheckpointDoc } from "../store.ts";

const fingerprintOf = ({ files }: CheckpointDoc) => files.map(({ path, hash }) => `${path} ${hash}`).join("\n");

/**
 * The state before the last change that has not been undone; undefined if there is no such change. Restoring a state
 * undoes every later change. `checkpoints` are in order, the latest first.
 */
export function findUndoTarget(checkpoints: readonly CheckpointDoc[]): CheckpointDoc | undefined {
  const states: CheckpointDoc[] = [];
  for (const checkpoint of checkpoints.toReversed()) {
    const fingerprint = fingerprintOf(checkpoint);
    const index = states.findLastIndex((state) => fingerprintOf(state) === fingerprint);
    if (checkpoint.reason === "restored" && index !== -1) states.length = index + 1;
    else states.push(checkpoint);
  }
  return states.at(-2);
}
