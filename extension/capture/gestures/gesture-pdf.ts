import { pageOfAddress } from "#shared/capture/rules.ts";
import { words } from "#extension/words/words.ts";
import { readFileInTab } from "#extension/platform/tab-scripts.ts";
import { confirmCapture, saveNewCapture, toKnownAddress, showRefusal } from "../save-capture.ts";
import { fileNameFromAddress } from "../readers/pdf-file.ts";
import type { Capture, CardRequest } from "../store.ts";

interface OpenPdf {
  address: string;
  title: string;
  /** The selection reported by the context menu. */
  quote?: string;
  wants?: CardRequest;
}

/**
 * Captures the PDF of a tab. One on the web is recorded now and downloaded later, with the browser's cookies, by the
 * worker document, which outlives the service worker. A local file can be read only in its tab, so it is read here.
 */
export async function capturePdf(
  tabId: number,
  { address, title, quote, wants }: OpenPdf,
): Promise<Capture | undefined> {
  const fileName = fileNameFromAddress(address);
  const page = pageOfAddress(address);
  const locator = page === undefined && quote === undefined ? null : { ...(page && { page }), ...(quote && { quote }) };
  const fields = {
    kind: "pdf" as const,
    address: toKnownAddress(address),
    title: title || fileName,
    author: null,
    locator,
    ...(wants ? { wants } : {}),
  };
  if (/^https?:/.test(address)) {
    const capture = await saveNewCapture(fields, { fileName, fileAddress: address });
    await confirmCapture(tabId);
    return capture;
  }
  const file = await readFileInTab(tabId).catch(() => undefined);
  if (!file) return showRefusal(tabId, words.cannot_read_file);
  const capture = await saveNewCapture(fields, { fileName, file });
  await confirmCapture(tabId);
  return capture;
}
