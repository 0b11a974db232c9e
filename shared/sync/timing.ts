/** Delay between a change, or the last flush, and the next flush (specification, section 9). */
export const TICK_MS = 600;
/** The delay while more than `BUSY_OVER` requests are queued. */
export const BUSY_TICK_MS = 300;
export const BUSY_OVER = 10;
export const OFFLINE_TICK_MS = 1800;

/** Consecutive flushes that a request may fail before it leaves the live queue. */
export const MAX_FAILED_FLUSHES = 5;

/** How long a page or component counts as just created. */
export const PENDING_PAGE_MS = 2_500;
export const PENDING_COMPONENT_MS = 1_500;
