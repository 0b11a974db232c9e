import { readLocal } from "#webapp/app/browser/local-storage.ts";

/** Storage key; the value is `false` once the student closed the outline beside the pages. */
export const OUTLINE_KEY = "lamplight_pdf_outline";

/** Width of the outline beside the pages, as in `pdf-screen.css`. */
const OUTLINE_PX = 240;

/** From this width on, the outline fits beside the pages. */
export const OUTLINE_FITS = "(min-width: 1280px)";
/** With the sidebar pinned, the window must be wider by the sidebar. */
export const OUTLINE_AND_SIDEBAR_FIT = "(min-width: 1512px)";

export const isOutlineWanted = (): boolean => readLocal(OUTLINE_KEY) !== "false";

/** The width that the outline takes when a document opens. Ignores the sidebar, which is unknown before the screen. */
export const measureOutlinePx = (): number => (isOutlineWanted() && matchMedia(OUTLINE_FITS).matches ? OUTLINE_PX : 0);
