import { prepareToolCards } from "./tool-cards.ts";

/** What is loaded early is asked for again when it is used, which says so if it fails. */
const ignore = () => undefined;

/** Loads what text needs as soon as somebody writes, so that it also works if the connection is lost. */
export function prepareText(): void {
  prepareToolCards();
  void import("#shared/text/plain-text.ts").catch(ignore);
}

/** The same for a file, while it is chosen. */
export function prepareFile(kind: "pdf" | "image" | "office"): void {
  prepareToolCards();
  if (kind === "pdf") void import("./readers/read-pdf.ts").then((reader) => reader.preparePdf(), ignore);
  if (kind === "office") void import("./readers/read-office.ts").catch(ignore);
}

/** The same for downloads, once there is something to download. */
export function prepareDownloads(): void {
  void import("./export/download-cards.ts").catch(ignore);
}
