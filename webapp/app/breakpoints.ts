/** In windows this narrow, the controls above a list share one row. */
export const NARROW_LIST = "(max-width: 640px)";
