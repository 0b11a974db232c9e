/** Delay between a change, or the last flush, and the next flush (specification, section 9). */
export const TICK_MS = 600;
/** The delay while more than `BUSY_OVER` requests are queued. */
export const BUSY_TICK_MS = 300;
export const BUSY_OVER = 10;
export const OFFLINE_TICK_MS = 1800;

/** Consecutive flushes that a request may fail before it leaves the live queue. */
export const MAX_FAILED_FLUSHES = 5;
