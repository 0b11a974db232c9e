// Imported before the app's first chunk is loaded: uses nothing of it.

/** A PDF's pages as they are printed, or its text laid out for the window. */
export type DocumentView = "pages" | "text";

const KEY = "lamplight_pdf_view";
/** In a narrower window, a printed page is too small to read. */
const NARROW_PX = 600;

/** What the student chose in this browser, otherwise what suits the window. */
export function readDocumentView(): DocumentView {
  let stored: string | null = null;
  try {
    stored = localStorage.getItem(KEY);
  } catch {
    // Forbidden storage: the window decides.
  }
  if (stored === "pages" || stored === "text") return stored;
  return innerWidth < NARROW_PX ? "text" : "pages";
}

export function writeDocumentView(view: DocumentView): void {
  try {
    localStorage.setItem(KEY, view);
  } catch {
    // Forbidden or full storage: the choice lasts until the document is closed.
  }
}
