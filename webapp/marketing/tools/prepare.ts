import { prepareToolCards } from "./tool-cards.ts";

/**
 * A failure to preload is ignored, because the module is requested again when it is used, and a failure is shown then.
 */
const ignore = () => undefined;

/**
 * Preloads the modules for text as soon as the visitor types, so that the tool works even if the connection is lost.
 */
export function prepareText(): void {
  prepareToolCards();
  void import("#shared/text/plain-text.ts").catch(ignore);
}

/** Whether the visitor asked the browser to load less. */
const savesData = () =>
  (navigator as Navigator & { connection?: { saveData?: boolean } }).connection?.saveData === true;

/**
 * Preloads the modules for a file while the visitor chooses it. Text recognition is large: a visitor who saves data gets it
 * with the first picture.
 */
export function prepareFile(kind: "pdf" | "image" | "office"): void {
  prepareToolCards();
  if (kind === "pdf") void import("./readers/read-pdf.ts").then((reader) => reader.preparePdf(), ignore);
  if (kind === "image") {
    // The recognised text is read as pasted text is.
    prepareText();
    if (!savesData())
      void import("./readers/read-image.ts").then((reader) => reader.prepareRecognition()).catch(ignore);
  }
  if (kind === "office") void import("./readers/read-office.ts").catch(ignore);
}

/**
 * Preloads text recognition once the page has loaded: it is too large to arrive while a picture is chosen, and a picture is
 * often taken where there is no network.
 */
export function prepareAhead(kind: "pdf" | "image" | "office"): void {
  if (kind !== "image" || savesData()) return;
  if (document.readyState === "complete") prepareFile(kind);
  else addEventListener("load", () => prepareFile(kind), { once: true });
}

/** Preloads the modules for downloads once there is something to download. */
export function prepareDownloads(): void {
  void import("./export/download-cards.ts").catch(ignore);
}
