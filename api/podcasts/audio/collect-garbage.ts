import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");

/**
 * For threads with few objects that use much memory outside the heap. The heap stays so small that the collector does
 * not start by itself.
 */
export const collectGarbage = runInNewContext("gc") as () => void;
