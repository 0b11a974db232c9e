// Runs before the app's first chunk is loaded, so it must not import anything from that chunk.

/** A PDF's pages as they are printed, or its text laid out for the window. */
export type DocumentView = "pages" | "text";

const KEY = "lamplight_pdf_view";
/** In a narrower window, a printed page is too small to read. */
const NARROW_PX = 600;

/** The view that the student chose in this browser, otherwise the view that suits the width of the window. */
export function readDocumentView(): DocumentView {
  let stored: string | null = null;
  try {
    stored = localStorage.getItem(KEY);
  } catch {
    // Storage is forbidden, so the width of the window decides.
  }
  if (stored === "pages" || stored === "text") return stored;
  return innerWidth < NARROW_PX ? "text" : "pages";
}

export function writeDocumentView(view: DocumentView): void {
  try {
    localStorage.setItem(KEY, view);
  } catch {
    // Storage is forbidden or full, so the choice lasts until the document is closed.
  }
}
