import { z } from "zod";
import { normalAddress } from "#shared/capture/rules.ts";
import { CaptureLocator } from "#shared/capture/schema.ts";
import { readVideoAddress } from "#shared/video/addresses.ts";
import { words } from "#extension/kit/words.ts";
import { runInTab } from "#extension/platform/reading-tabs.ts";
import { capturePdf } from "./gesture-pdf.ts";
import { captureVideo } from "./gesture-video.ts";
import { confirm, Facts, keep, knownAddress, refuse } from "./keeping.ts";
import type { Capture, CardWish } from "./store.ts";

const MAX_HTML = 60_000_000;
const PDF = "application/pdf";

const ReadSelection = Facts.extend({ text: z.string().max(100_000), locator: CaptureLocator.nullable() });
const ReadPage = Facts.extend({ html: z.string().max(MAX_HTML) });

/** What is selected on a page becomes a draft of a card. `menuText` is what a context menu says is selected. */
export async function captureSelection(tabId: number, menuText?: string): Promise<void> {
  const answers = await runInTab(tabId, "read-selection").catch(() => undefined);
  if (!answers) return refuse(tabId, words.cannot_read);
  const read = answers.flatMap((answer) => ReadSelection.safeParse(answer).data ?? []);
  const found = read.find(({ text }) => text !== "");
  const main = read[0];
  const text = found?.text ?? menuText?.trim() ?? "";
  if (!main || text === "") return refuse(tabId, words.nothing_selected);
  const locator = found?.locator ?? { quote: text.slice(0, 8000) };
  await keep(
    { kind: "card", address: knownAddress(main.address), title: main.title, author: main.author, locator },
    { text },
  );
  return confirm(tabId);
}

/** The page as the student sees it becomes a note; undefined where it cannot be read. */
export async function capturePage(tabId: number, wants?: CardWish): Promise<Capture | undefined> {
  const answers = await runInTab(tabId, "read-page").catch(() => undefined);
  const read = ReadPage.safeParse(answers?.[0]).data;
  if (!read) return refuse(tabId, words.cannot_read);
  const { address, title, author, html, contentType } = read;
  if (contentType === PDF) return capturePdf(tabId, { address, title, ...(wants ? { wants } : {}) });
  const fresh = { kind: "note" as const, address: knownAddress(address), title, author, ...(wants ? { wants } : {}) };
  const kept = await keep(fresh, { html });
  await confirm(tabId);
  return kept;
}

const isYoutube = (address: string) => readVideoAddress(address).kind === "youtube";

/**
 * Keeps what the tab shows as what it is: a PDF as a file, a video of YouTube with what is said in it, and anything else
 * as a note. `quote` is what a menu says is selected.
 */
export async function captureTab(
  tab: { id: number; url?: string | undefined },
  more: { wants?: CardWish; quote?: string } = {},
): Promise<Capture | undefined> {
  const { id, url = "" } = tab;
  const { quote, wants } = more;
  if (isYoutube(url)) return captureVideo(id, wants ? { wants } : {});
  const seen = await runInTab(id, "read-selection").catch(() => undefined);
  const facts = Facts.safeParse(seen?.[0]).data;
  // Firefox lets no extension into its viewer: there the address alone says what it is.
  const isPdf = facts ? facts.contentType === PDF : /^(?:https?|file):.*\.pdf(?:[?#]|$)/i.test(url);
  if (isPdf) {
    const { address, title } = facts ?? { address: url, title: "" };
    return capturePdf(id, { address, title, ...(quote ? { quote } : {}), ...(wants ? { wants } : {}) });
  }
  return capturePage(id, wants);
}

/** A link is kept for later, with the words that stood on it. */
export async function captureLink(tabId: number, address: string, title: string): Promise<void> {
  const known = normalAddress(address);
  if (known === undefined) return refuse(tabId, words.no_page);
  await keep({ kind: "link", address: known, title: title.slice(0, 500) || known, author: null, state: "ready" }, {});
  return confirm(tabId);
}
