import { monotonicFactory } from "ulid";
import { z } from "zod";
import { normaliseAddress } from "#shared/capture/rules.ts";
import { notify } from "#extension/app/channel.ts";
import { type Notice, readSetting, writeSetting } from "#extension/app/settings-store.ts";
import { DiskWriteError } from "#extension/app/disk-errors.ts";
import { words } from "#extension/words/words.ts";
import { showBadge } from "#extension/platform/tab-scripts.ts";
import { ensureWorker } from "#extension/platform/worker-document.ts";
import { type Capture, saveCapture, type RawCapture } from "./store.ts";

const makeId = monotonicFactory();

/** The page may have tampered with our script's environment, so its answer is validated like any input. */
export const PageFactsSchema = z.object({
  address: z.string().max(20_000),
  title: z.string().max(500),
  author: z.string().max(300).nullable(),
  contentType: z.string().max(200),
});

type NewCapture = Pick<Capture, "kind" | "address" | "title" | "author"> & Partial<Capture>;

export const toKnownAddress = (text: string) => normaliseAddress(text) ?? text;

/** The account that will own a capture; read in parallel with the page, so that nothing waits for it. */
export const readOwnerId = async (): Promise<string | null> => (await readSetting("account"))?.accountId ?? null;

/** Stores a capture; when this resolves, the gesture may be confirmed. */
export async function saveNewCapture(newCapture: NewCapture, raw: RawCapture): Promise<Capture> {
  const capture: Capture = {
    id: makeId(),
    state: "raw",
    accountId: newCapture.accountId === undefined ? await readOwnerId() : newCapture.accountId,
    capturedAt: Date.now(),
    locator: null,
    card: null,
    problem: null,
    notice: null,
    resources: [],
    pageId: null,
    componentId: null,
    ...newCapture,
  };
  await saveCapture(capture, raw);
  notify("work");
  // The capture is stored even if no worker can start now: an alarm starts it each minute.
  void ensureWorker().catch(reportError);
  return capture;
}

/** Shows a one-line message in the panel and the toolbar; a message about a tab disappears when the tab navigates. */
export async function showNotice(text: string, tabId?: number): Promise<void> {
  const about = tabId === undefined ? {} : { tabId };
  // If the disk is full, only the message is lost.
  await writeSetting("notice", { text, at: Date.now(), ...about }).catch(() => undefined);
  notify("captures");
}

export async function showRefusal(tabId: number, text: string): Promise<undefined> {
  await showNotice(text, tabId);
  await showBadge("!", tabId);
  return undefined;
}

/** The message to show beside a tab; empty if the latest message is about another tab. */
export const noticeForTab = (notice: Notice | undefined, tabId: number | undefined): string =>
  notice === undefined || (notice.tabId !== undefined && notice.tabId !== tabId) ? "" : notice.text;

/** Removes the message about a tab that now shows something else. */
export async function dropNoticeAbout(tabId: number): Promise<void> {
  const notice = await readSetting("notice");
  if (notice?.tabId === tabId && notice.text !== "") await showNotice("");
}

export async function confirmCapture(tabId: number): Promise<void> {
  // Usually there is no earlier message to clear.
  if ((await readSetting("notice"))?.text) await showNotice("");
  await showBadge("✓", tabId);
}

/** Reports a failed gesture and returns the message: a full disk, or a page that cannot be read. */
export async function reportFailedGesture(tabId: number, error: unknown): Promise<string> {
  if (error instanceof DiskWriteError) {
    // A full disk cannot store a message, so notify open views directly.
    notify("full");
    return words.disk_full;
  }
  await showRefusal(tabId, words.cannot_read);
  return words.cannot_read;
}
