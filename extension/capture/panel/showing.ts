import { z } from "zod";
import { normalAddress } from "#shared/capture/rules.ts";
import { readVideoAddress } from "#shared/video/addresses.ts";
import { listen } from "#extension/app/channel.ts";
import { readSetting } from "#extension/app/disk.ts";
import { words } from "#extension/words/words.ts";
import { openTab } from "#extension/platform/pages.ts";
import { activeTab, lightInTab, runInTab } from "#extension/platform/reading-tabs.ts";
import { seekInTab } from "#extension/platform/seeking.ts";
import { captureTab } from "../gestures/gesture.ts";
import { say } from "../keeping.ts";
import { type Capture, readCapture } from "../store.ts";

interface Quote {
  quote: string;
  prefix?: string | undefined;
  suffix?: string | undefined;
}

/**
 * Adds a text fragment that the browser highlights; short, because one wrong character would match nothing.
 * https://developer.mozilla.org/en-US/docs/Web/URI/Reference/Fragment/Text_fragments
 */
function withFragment(address: string, { quote }: Quote): string {
  const line = quote.split("\n")[0]?.trim().split(/\s+/).slice(0, 12).join(" ") ?? "";
  return `${address.split("#")[0]}#:~:text=${encodeURIComponent(line).replaceAll("-", "%2D")}`;
}

/** Highlights a passage if its page is the active tab, else opens the page. */
export async function showPassage(address: string, quote: Quote): Promise<void> {
  const tab = await activeTab();
  const isHere = tab?.url !== undefined && normalAddress(tab.url) === address;
  const isLit = isHere ? await lightInTab(tab.id, quote) : undefined;
  if (isLit !== undefined) return say(isLit ? words.shown : words.changed);
  await openTab(withFragment(address, quote));
  return say(words.opened);
}

/** The URL that plays a video from a second. */
function atSecond(address: string, seconds: number): string {
  const url = new URL(address);
  if (readVideoAddress(address).kind === "youtube") url.searchParams.set("t", `${seconds}s`);
  else url.hash = `t=${seconds}`;
  return url.href;
}

/** Shows the source of a capture: the quote on its page, or the time in its video. */
export async function showCapture({ address, locator, kind }: Capture): Promise<void> {
  const { startMs, page, quote } = locator ?? {};
  if (kind === "pdf") {
    await openTab(page === undefined ? address : `${address}#page=${page}`);
    return say(words.opened_pdf);
  }
  if (startMs !== undefined) {
    if (await seekBeside(address, startMs)) return say("");
    await openTab(atSecond(address, Math.floor(startMs / 1000)));
    return say(words.opened_video);
  }
  return showPassage(address, { ...locator, quote: quote ?? "" });
}

const PATIENCE_MS = 30_000;

/** The capture once it is saved on the server; undefined if it is refused or takes too long. */
function untilSaved(id: string): Promise<Capture | undefined> {
  return new Promise((resolve) => {
    const look = async () => {
      const found = await readCapture(id);
      if (found?.state === "saved") end(found);
      if (!found || found.state === "refused") end(undefined);
    };
    const end = (found: Capture | undefined) => {
      stop();
      clearTimeout(timer);
      resolve(found);
    };
    const stop = listen("captures", () => void look());
    const timer = setTimeout(() => end(undefined), PATIENCE_MS);
    void look();
  });
}

interface KeptPage {
  pageId: string;
  /** A document or video; null if the page became a note. */
  componentId: string | null;
  address: string;
}

const keptNow = new Map<string, KeptPage>();

/** Captures the active tab and waits until it is saved on the server; once per page while the panel is open. */
export async function keepPageBeside(): Promise<KeptPage | undefined> {
  const tab = await activeTab();
  if (!tab) return undefined;
  const known = tab.url === undefined ? undefined : keptNow.get(normalAddress(tab.url) ?? "");
  if (known) return known;
  const kept = await captureTab(tab);
  const saved = kept && (await untilSaved(kept.id));
  if (!saved || saved.pageId === null || (await readSetting("account"))?.hasEnded) return undefined;
  const isFile = saved.kind === "pdf" || saved.kind === "video";
  const componentId = isFile ? saved.componentId : null;
  const page = { pageId: saved.pageId, componentId, address: saved.address };
  keptNow.set(saved.address, page);
  return page;
}

const Marked = z.object({ text: z.string().max(100_000) });

/** The text selected in the active tab; null if there is none or the tab cannot be read. */
export async function readMarked(): Promise<string | null> {
  const tab = await activeTab();
  const answers = tab ? await runInTab(tab.id, "read-selection").catch(() => []) : [];
  const said = answers.flatMap((answer) => Marked.safeParse(answer).data?.text.trim() ?? []);
  return said.find((text) => text !== "") ?? null;
}

/** Moves the active tab's video to a time; false if it is not that video or cannot be accessed. */
export async function seekBeside(address: string, startMs: number): Promise<boolean> {
  const tab = await activeTab();
  const isHere = tab?.url !== undefined && normalAddress(tab.url) === address;
  return isHere && seekInTab(tab.id, startMs);
}
