import { z } from "zod";
import { normaliseAddress } from "#shared/capture/rules.ts";
import { CaptureLocator } from "#shared/capture/schema.ts";
import { parseVideoAddress } from "#shared/video/addresses.ts";
import { words } from "#extension/words/words.ts";
import { receiveText, isReadable } from "#extension/platform/page-text.ts";
import { runInTab } from "#extension/platform/tab-scripts.ts";
import { capturePdf } from "./gesture-pdf.ts";
import { captureVideo } from "./gesture-video.ts";
import {
  confirmCapture,
  PageFactsSchema,
  saveNewCapture,
  toKnownAddress,
  readOwnerId,
  showRefusal,
} from "../save-capture.ts";
import type { Capture, CardRequest } from "../store.ts";

const MAX_HTML = 60_000_000;
const PDF = "application/pdf";

const ReadSelection = PageFactsSchema.extend({ text: z.string().max(100_000), locator: CaptureLocator.nullable() });
const ReadPage = PageFactsSchema.extend({ chars: z.int().min(1).max(MAX_HTML) });

/** Makes a draft card of the selection. `menuText` is the selection reported by the context menu. */
export async function captureSelection(tabId: number, menuText?: string): Promise<void> {
  const answers = await runInTab(tabId, "read-selection").catch(() => undefined);
  if (!answers) return showRefusal(tabId, words.cannot_read);
  const read = answers.flatMap((answer) => ReadSelection.safeParse(answer).data ?? []);
  const found = read.find(({ text }) => text !== "");
  const main = read[0];
  const text = found?.text ?? menuText?.trim() ?? "";
  if (!main || text === "") return showRefusal(tabId, words.nothing_selected);
  const locator = found?.locator ?? { quote: text.slice(0, 8000) };
  await saveNewCapture(
    { kind: "card", address: toKnownAddress(main.address), title: main.title, author: main.author, locator },
    { text },
  );
  return confirmCapture(tabId);
}

type ReadPage = z.infer<typeof PageFactsSchema> & { html: Blob };

interface NoteOptions {
  accountId: string | null;
  wants?: CardRequest | undefined;
}

/** Stores the page as a note; the article is extracted later. */
async function saveNote(
  tabId: number,
  { address, title, author, html }: ReadPage,
  { accountId, wants }: NoteOptions,
): Promise<Capture | undefined> {
  const metadata = { address: toKnownAddress(address), title, author, accountId, ...(wants ? { wants } : {}) };
  const capture = await saveNewCapture({ kind: "note", state: "ready", ...metadata }, { html }).catch(
    async (error: unknown) => {
      if (await isReadable(html)) throw error;
      return undefined;
    },
  );
  // The page was closed before all of it had arrived; the disk is fine.
  if (!capture) return showRefusal(tabId, words.cannot_read);
  await confirmCapture(tabId);
  return capture;
}

async function readPageIn(tabId: number): Promise<ReadPage | undefined> {
  const text = receiveText(tabId);
  try {
    const facts = ReadPage.safeParse((await runInTab(tabId, "read-page"))[0]).data;
    if (!facts) return undefined;
    const html = await text.readAll(facts.chars);
    return html === undefined ? undefined : { ...facts, html };
  } catch {
    return undefined;
  } finally {
    text.stop();
  }
}

const isYoutube = (address: string) => parseVideoAddress(address).kind === "youtube";
const isPdfAddress = (address: string) => /^(?:https?|file):.*\.pdf(?:[?#]|$)/i.test(address);

/**
 * Captures the tab by its content: a PDF as a file, a YouTube video with its captions, anything else as a note. `quote`
 * is the selection reported by the context menu. Undefined if the tab cannot be read.
 */
export async function captureTab(
  tab: { id: number; url?: string | undefined },
  options: { wants?: CardRequest; quote?: string } = {},
): Promise<Capture | undefined> {
  const { id, url = "" } = tab;
  const { quote, wants } = options;
  if (isYoutube(url)) return captureVideo(id, wants ? { wants } : {});
  const [read, accountId] = await Promise.all([readPageIn(id), readOwnerId()]);
  if (read && read.contentType !== PDF) return saveNote(id, read, { accountId, wants });
  // Firefox does not let extensions into its PDF viewer, so only the URL shows that it is a PDF.
  if (!read && !isPdfAddress(url)) return showRefusal(id, words.cannot_read);
  const { address, title } = read ?? { address: url, title: "" };
  return capturePdf(id, { address, title, ...(quote ? { quote } : {}), ...(wants ? { wants } : {}) });
}

/** Saves a link for later, with its text as the title. */
export async function captureLink(tabId: number, address: string, title: string): Promise<void> {
  const known = normaliseAddress(address);
  if (known === undefined) return showRefusal(tabId, words.no_page);
  await saveNewCapture(
    { kind: "link", address: known, title: title.slice(0, 500) || known, author: null, state: "ready" },
    {},
  );
  return confirmCapture(tabId);
}
