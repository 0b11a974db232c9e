import type { CheckpointDoc } from "../store.ts";

const fingerprintOf = ({ files }: CheckpointDoc) => files.map(({ path, hash }) => `${path} ${hash}`).join("\n");

/**
 * The state before the last change that was not taken back yet; undefined if there is none. Going back to a state takes
 * back all that came after it. `checkpoints` are in order, the latest first.
 */
export function findUndone(checkpoints: readonly CheckpointDoc[]): CheckpointDoc | undefined {
  const states: CheckpointDoc[] = [];
  for (const checkpoint of checkpoints.toReversed()) {
    const fingerprint = fingerprintOf(checkpoint);
    const at = states.findLastIndex((state) => fingerprintOf(state) === fingerprint);
    if (checkpoint.reason === "restored" && at !== -1) states.length = at + 1;
    else states.push(checkpoint);
  }
  return states.at(-2);
}
