import { pageOfAddress } from "#shared/capture/rules.ts";
import { words } from "#extension/words/words.ts";
import { readFileInTab } from "#extension/platform/reading-tabs.ts";
import { confirm, keep, knownAddress, refuse } from "../keeping.ts";
import { nameInAddress } from "../readers/pdf-file.ts";
import type { Capture, CardWish } from "../store.ts";

interface OpenPdf {
  address: string;
  title: string;
  /** What a menu says is selected in it. */
  quote?: string;
  wants?: CardWish;
}

/**
 * The PDF in a tab is kept. One of the web is noted at once and fetched with the tab's own session by the document that
 * works, which outlives the service worker; one of this computer can be read in its tab alone, and is read right here.
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
