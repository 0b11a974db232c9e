import type { Range } from "../port.ts";

/** All texts that begin with `start`, as a range over an index. */
export const beginsWith = (start: string): Range => ({ gte: start, lt: `${start}\u{10FFFF}` });
