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

/** Preloads the modules for a file while the visitor chooses it. */
export function prepareFile(kind: "pdf" | "image" | "office"): void {
  prepareToolCards();
  if (kind === "pdf") void import("./readers/read-pdf.ts").then((reader) => reader.preparePdf(), ignore);
  if (kind === "office") void import("./readers/read-office.ts").catch(ignore);
}

/** Preloads the modules for downloads once there is something to download. */
export function prepareDownloads(): void {
  void import("./export/download-cards.ts").catch(ignore);
}
