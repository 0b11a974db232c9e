import { z } from "zod";
import { normalAddress } from "#shared/capture/rules.ts";
import { CaptureLocator } from "#shared/capture/schema.ts";
import { readVideoAddress } from "#shared/video/addresses.ts";
import { words } from "#extension/words/words.ts";
import { hearText, isReadable } from "#extension/platform/page-text.ts";
import { runInTab } from "#extension/platform/reading-tabs.ts";
import { capturePdf } from "./gesture-pdf.ts";
import { captureVideo } from "./gesture-video.ts";
import { confirm, Facts, keep, knownAddress, readOwner, refuse } from "../keeping.ts";
import type { Capture, CardWish } from "../store.ts";

const MAX_HTML = 60_000_000;
const PDF = "application/pdf";

const ReadSelection = Facts.extend({ text: z.string().max(100_000), locator: CaptureLocator.nullable() });
const ReadPage = Facts.extend({ chars: z.int().min(1).max(MAX_HTML) });

/** Makes a draft card of the selection. `menuText` is the selection reported by the context menu. */
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

type ReadPage = z.infer<typeof Facts> & { html: Blob };

interface About {
  accountId: string | null;
  wants?: CardWish | undefined;
}

/** Stores the page as a note; the article is extracted later. */
async function keepNote(
  tabId: number,
  { address, title, author, html }: ReadPage,
  { accountId, wants }: About,
): Promise<Capture | undefined> {
  const about = { address: knownAddress(address), title, author, accountId, ...(wants ? { wants } : {}) };
  const kept = await keep({ kind: "note", state: "ready", ...about }, { html }).catch(async (error: unknown) => {
    if (await isReadable(html)) throw error;
    return undefined;
  });
  // The page was closed before all of it had arrived; the disk is fine.
  if (!kept) return refuse(tabId, words.cannot_read);
  await confirm(tabId);
  return kept;
}

async function readPageIn(tabId: number): Promise<ReadPage | undefined> {
  const text = hearText(tabId);
  try {
    const facts = ReadPage.safeParse((await runInTab(tabId, "read-page"))[0]).data;
    if (!facts) return undefined;
    const html = await text.whole(facts.chars);
    return html === undefined ? undefined : { ...facts, html };
  } catch {
    return undefined;
  } finally {
    text.stop();
  }
}

const isYoutube = (address: string) => readVideoAddress(address).kind === "youtube";
const isNamedPdf = (address: string) => /^(?:https?|file):.*\.pdf(?:[?#]|$)/i.test(address);

/**
 * Captures the tab by its content: a PDF as a file, a YouTube video with its captions, anything else as a note. `quote`
 * is the selection reported by the context menu. Undefined if the tab cannot be read.
 */
export async function captureTab(
  tab: { id: number; url?: string | undefined },
  more: { wants?: CardWish; quote?: string } = {},
): Promise<Capture | undefined> {
  const { id, url = "" } = tab;
  const { quote, wants } = more;
  if (isYoutube(url)) return captureVideo(id, wants ? { wants } : {});
  const [read, accountId] = await Promise.all([readPageIn(id), readOwner()]);
  if (read && read.contentType !== PDF) return keepNote(id, read, { accountId, wants });
  // Firefox does not let extensions into its PDF viewer, so only the URL shows that it is a PDF.
  if (!read && !isNamedPdf(url)) return refuse(id, words.cannot_read);
  const { address, title } = read ?? { address: url, title: "" };
  return capturePdf(id, { address, title, ...(quote ? { quote } : {}), ...(wants ? { wants } : {}) });
}

/** Saves a link for later, with its text as the title. */
export async function captureLink(tabId: number, address: string, title: string): Promise<void> {
  const known = normalAddress(address);
  if (known === undefined) return refuse(tabId, words.no_page);
  await keep({ kind: "link", address: known, title: title.slice(0, 500) || known, author: null, state: "ready" }, {});
  return confirm(tabId);
}
