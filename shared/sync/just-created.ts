/** How long a page or component that was just created counts as pending. */
export const PENDING_PAGE_MS = 2_500;
export const PENDING_COMPONENT_MS = 1_500;
/** A component created this recently is not recorded as opened. */
export const VERY_RECENT_MS = 4_000;
