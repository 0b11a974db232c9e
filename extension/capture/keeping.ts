import { monotonicFactory } from "ulid";
import { z } from "zod";
import { normalAddress } from "#shared/capture/rules.ts";
import { tell } from "#extension/app/channel.ts";
import { readSetting, writeSetting } from "#extension/app/disk.ts";
import { NotKept } from "#extension/app/full-disk.ts";
import { words } from "#extension/words/words.ts";
import { showBadge } from "#extension/platform/reading-tabs.ts";
import { ensureWorker } from "#extension/platform/worker-document.ts";
import { type Capture, keepCapture, type Raw } from "./store.ts";

const makeId = monotonicFactory();

/** The page may have tampered with our script's environment, so its answer is validated like any input. */
export const Facts = z.object({
  address: z.string().max(20_000),
  title: z.string().max(500),
  author: z.string().max(300).nullable(),
  contentType: z.string().max(200),
});

type Fresh = Pick<Capture, "kind" | "address" | "title" | "author"> & Partial<Capture>;

export const knownAddress = (text: string) => normalAddress(text) ?? text;

/** The account that will own a capture; read in parallel with the page, so that nothing waits for it. */
export const readOwner = async (): Promise<string | null> => (await readSetting("account"))?.accountId ?? null;

/** Stores a capture; when this resolves, the gesture may be confirmed. */
export async function keep(fresh: Fresh, raw: Raw): Promise<Capture> {
  const capture: Capture = {
    id: makeId(),
    state: "raw",
    accountId: fresh.accountId === undefined ? await readOwner() : fresh.accountId,
    capturedAt: Date.now(),
    locator: null,
    card: null,
    problem: null,
    notice: null,
    resources: [],
    pageId: null,
    componentId: null,
    ...fresh,
  };
  await keepCapture(capture, raw);
  tell("work");
  // The capture is stored even if no worker can start now: an alarm starts it each minute.
  void ensureWorker().catch(reportError);
  return capture;
}

/** Shows a one-line message in the panel and the toolbar. */
export async function say(text: string): Promise<void> {
  // If the disk is full only the message is lost.
  await writeSetting("notice", { text, at: Date.now() }).catch(() => undefined);
  tell("captures");
}

export async function refuse(tabId: number, text: string): Promise<undefined> {
  await say(text);
  await showBadge("!", tabId);
  return undefined;
}

export async function confirm(tabId: number): Promise<void> {
  // Usually there is no earlier message to clear.
  if ((await readSetting("notice"))?.text) await say("");
  await showBadge("✓", tabId);
}

/** Reports a failed gesture: a full disk, or a page that cannot be read. */
export async function refuseUnread(tabId: number, error: unknown): Promise<void> {
  // A full disk cannot store a message, so notify open views directly.
  if (error instanceof NotKept) return tell("full");
  await refuse(tabId, words.cannot_read);
}
