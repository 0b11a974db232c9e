import { pageOfAddress } from "#shared/capture/rules.ts";
import { words } from "#extension/words/words.ts";
import { readFileInTab } from "#extension/platform/reading-tabs.ts";
import { confirm, keep, knownAddress, refuse } from "../keeping.ts";
import { nameInAddress } from "../readers/pdf-file.ts";
import type { Capture, CardWish } from "../store.ts";

interface OpenPdf {
  address: string;
  title: string;
  /** The selection reported by the context menu. */
  quote?: string;
  wants?: CardWish;
}

/**
 * Captures the PDF of a tab. One on the web is recorded now and downloaded later, with the browser's cookies, by the
 * worker document, which outlives the service worker. A local file can be read only in its tab, so it is read here.
 */
export async function capturePdf(
  tabId: number,
  { address, title, quote, wants }: OpenPdf,
): Promise<Capture | undefined> {
  const fileName = nameInAddress(address);
  const page = pageOfAddress(address);
  const locator = page === undefined && quote === undefined ? null : { ...(page && { page }), ...(quote && { quote }) };
  const fresh = {
    kind: "pdf" as const,
    address: knownAddress(address),
    title: title || fileName,
    author: null,
    locator,
    ...(wants ? { wants } : {}),
  };
  if (/^https?:/.test(address)) {
    const kept = await keep(fresh, { fileName, fileAddress: address });
    await confirm(tabId);
    return kept;
  }
  const file = await readFileInTab(tabId).catch(() => undefined);
  if (!file) return refuse(tabId, words.cannot_read_file);
  const kept = await keep(fresh, { fileName, file });
  await confirm(tabId);
  return kept;
}
