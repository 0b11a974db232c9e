import { z } from "zod";
import { normaliseAddress } from "#shared/capture/rules.ts";
import { parseVideoAddress } from "#shared/video/addresses.ts";
import { Failure } from "#shared/contract/failure.ts";
import { listen } from "#extension/app/channel.ts";
import { client } from "#extension/app/client.ts";
import { readSetting } from "#extension/app/settings-store.ts";
import { words } from "#extension/words/words.ts";
import { openTab } from "#extension/platform/pages.ts";
import { activeTab, highlightInTab, runInTab } from "#extension/platform/tab-scripts.ts";
import { seekInTab } from "#extension/platform/seek-video.ts";
import { captureTab } from "../gestures/gesture.ts";
import { showNotice } from "../save-capture.ts";
import { type Capture, findEarlierCapture, readCapture } from "../store.ts";

interface Quote {
  quote: string;
  prefix?: string | undefined;
  suffix?: string | undefined;
}

/**
 * Adds a text fragment that the browser highlights; short, because one wrong character would match nothing.
 * https://developer.mozilla.org/en-US/docs/Web/URI/Reference/Fragment/Text_fragments
 */
function withTextFragment(address: string, { quote }: Quote): string {
  const line = quote.split("\n")[0]?.trim().split(/\s+/).slice(0, 12).join(" ") ?? "";
  return `${address.split("#")[0]}#:~:text=${encodeURIComponent(line).replaceAll("-", "%2D")}`;
}

/** Highlights a passage if its page is the active tab, or else opens the page. */
export async function showPassage(address: string, quote: Quote): Promise<void> {
  const tab = await activeTab();
  const isActiveTab = tab?.url !== undefined && normaliseAddress(tab.url) === address;
  const isHighlighted = isActiveTab ? await highlightInTab(tab.id, quote) : undefined;
  if (isHighlighted !== undefined) return showNotice(isHighlighted ? words.shown : words.changed);
  await openTab(withTextFragment(address, quote));
  return showNotice(words.opened);
}

/** The URL that plays a video from a given second. */
function addressAtSecond(address: string, seconds: number): string {
  const url = new URL(address);
  if (parseVideoAddress(address).kind === "youtube") url.searchParams.set("t", `${seconds}s`);
  else url.hash = `t=${seconds}`;
  return url.href;
}

/** Shows the source of a capture: the quote on its page, or the time in its video. */
export async function showCapture({ address, locator, kind }: Capture): Promise<void> {
  const { startMs, page, quote } = locator ?? {};
  if (kind === "pdf") {
    await openTab(page === undefined ? address : `${address}#page=${page}`);
    return showNotice(words.opened_pdf);
  }
  if (startMs !== undefined) {
    if (await seekInActiveTab(address, startMs)) return showNotice("");
    await openTab(addressAtSecond(address, Math.floor(startMs / 1000)));
    return showNotice(words.opened_video);
  }
  return showPassage(address, { ...locator, quote: quote ?? "" });
}

const SAVE_TIMEOUT_MS = 30_000;

/** The capture once it is saved on the server; undefined if it is refused or takes too long. */
function waitUntilSaved(id: string): Promise<Capture | undefined> {
  return new Promise((resolve) => {
    const check = async () => {
      const found = await readCapture(id);
      if (found?.state === "saved") end(found);
      if (!found || found.state === "refused") end(undefined);
    };
    const end = (found: Capture | undefined) => {
      stop();
      clearTimeout(timer);
      resolve(found);
    };
    const stop = listen("captures", () => void check());
    const timer = setTimeout(() => end(undefined), SAVE_TIMEOUT_MS);
    void check();
  });
}

interface CapturedPage {
  pageId: string;
  /** A document or video; null if the page became a note. */
  componentId: string | null;
  address: string;
}

const capturedPages = new Map<string, CapturedPage>();
// They are pages of the account that was connected.
listen("account", () => capturedPages.clear());

/** The address of a tab; read from the page itself if the browser does not give it. */
async function addressOfTab({ id, url }: { id: number; url: string | undefined }): Promise<string | undefined> {
  if (url !== undefined) return normaliseAddress(url);
  const [facts] = await runInTab(id, "read-selection").catch(() => []);
  const address = z.object({ address: z.string() }).safeParse(facts).data?.address;
  return address === undefined ? undefined : normaliseAddress(address);
}

/** Whether the page of a capture still exists outside the trash; assumed if the server cannot be reached. */
async function pageStillExists({ pageId }: Capture): Promise<boolean> {
  if (pageId === null) return false;
  try {
    return !(await client.pages.getPage({ id: pageId })).page.archived;
  } catch (error) {
    return !(error instanceof Failure && error.code === "not_found");
  }
}

/** The earlier capture of a tab if its page still exists, or else a new capture. */
async function captureOnce(tab: NonNullable<Awaited<ReturnType<typeof activeTab>>>, address: string | undefined) {
  const earlier = address === undefined ? undefined : await findEarlierCapture(address);
  const saved = earlier && (await waitUntilSaved(earlier.id));
  if (saved && (await pageStillExists(saved))) return saved;
  const capture = await captureTab(tab);
  return capture && waitUntilSaved(capture.id);
}

/**
 * The active tab's page on the server: captured earlier, or captured now. Waits until it is saved. Each page is looked up
 * once while the panel is open.
 */
export async function captureActivePage(): Promise<CapturedPage | undefined> {
  const tab = await activeTab();
  if (!tab) return undefined;
  const address = await addressOfTab(tab);
  const existing = capturedPages.get(address ?? "");
  if (existing) return existing;
  const saved = await captureOnce(tab, address);
  if (!saved || saved.pageId === null || (await readSetting("account"))?.hasEnded) return undefined;
  const isFile = saved.kind === "pdf" || saved.kind === "video";
  const componentId = isFile ? saved.componentId : null;
  const page = { pageId: saved.pageId, componentId, address: saved.address };
  capturedPages.set(saved.address, page);
  return page;
}

const SelectionResult = z.object({ text: z.string().max(100_000) });

/** The text selected in the active tab; null if there is none or the tab cannot be read. */
export async function readSelectedText(): Promise<string | null> {
  const tab = await activeTab();
  const answers = tab ? await runInTab(tab.id, "read-selection").catch(() => []) : [];
  const texts = answers.flatMap((answer) => SelectionResult.safeParse(answer).data?.text.trim() ?? []);
  return texts.find((text) => text !== "") ?? null;
}

/** Moves the active tab's video to a time; false if it is not that video or cannot be accessed. */
export async function seekInActiveTab(address: string, startMs: number): Promise<boolean> {
  const tab = await activeTab();
  const isActiveTab = tab?.url !== undefined && normaliseAddress(tab.url) === address;
  return isActiveTab && seekInTab(tab.id, startMs);
}
