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

export type FileKind = "pdf" | "image" | "office";

/**
 * Preloads the modules for a file. Text recognition is large: a visitor who saves data gets it with the first picture.
 */
export function prepareFile(kind: FileKind): void {
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

const whenIdle = (run: () => void) => {
  if (typeof requestIdleCallback === "function") requestIdleCallback(run, { timeout: 3000 });
  else setTimeout(run, 500);
};

/**
 * Preloads the modules for a file once the page has loaded and the browser is idle: a file is often chosen where there is
 * no network. A visitor who saves data gets them while choosing a file.
 */
export function prepareAhead(kind: FileKind): void {
  if (savesData()) return;
  const prepare = () =>
    whenIdle(() => {
      prepareFile(kind);
      prepareDownloads();
    });
  if (document.readyState === "complete") prepare();
  else addEventListener("load", prepare, { once: true });
}

/** Preloads the modules for downloads once there is something to download. */
export function prepareDownloads(): void {
  void import("./export/download-cards.ts").catch(ignore);
}
