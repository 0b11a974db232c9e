import { totalmem } from "node:os";
import { constrainedMemory } from "node:process";

/** The memory of this machine, or of the container that the server runs in. */
export function getMemoryBytes(): number {
  const limit = constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}
