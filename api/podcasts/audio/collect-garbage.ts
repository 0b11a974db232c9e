import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");

/** For threads whose few objects hold much memory outside the heap: too few for the collector to start by itself. */
export const collectGarbage = runInNewContext("gc") as () => void;
