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

/** A page may have replaced what our script calls: its answer is held to its shape like any other input. */
export const Facts = z.object({
  address: z.string().max(20_000),
  title: z.string().max(500),
  author: z.string().max(300).nullable(),
  contentType: z.string().max(200),
});

type Fresh = Pick<Capture, "kind" | "address" | "title" | "author"> & Partial<Capture>;

export const knownAddress = (text: string) => normalAddress(text) ?? text;

/** Whose a capture will be: read while the page is read, so that nobody waits for it once that is here. */
export const readOwner = async (): Promise<string | null> => (await readSetting("account"))?.accountId ?? null;

/** Puts a capture on disk; when this resolves the gesture may be confirmed. */
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
  // What is on disk is kept, whether or not anybody can work on it now: the worker looks again each minute.
  void ensureWorker().catch(reportError);
  return capture;
}

/** One line for the student, where the panel and the bar show it. */
export async function say(text: string): Promise<void> {
  // Where the disk is full the line is lost, and what it is about is not.
  await writeSetting("notice", { text, at: Date.now() }).catch(() => undefined);
  tell("captures");
}

export async function refuse(tabId: number, text: string): Promise<undefined> {
  await say(text);
  await showBadge("!", tabId);
  return undefined;
}

export async function confirm(tabId: number): Promise<void> {
  // Most gestures follow one that came off: then there is nothing to take back.
  if ((await readSetting("notice"))?.text) await say("");
  await showBadge("✓", tabId);
}

/** After a gesture that came to nothing: a full disk, or a page that lets nobody in. */
export async function refuseUnread(tabId: number, error: unknown): Promise<void> {
  // It cannot be written down that there is no room: whoever shows something is told at once.
  if (error instanceof NotKept) return tell("full");
  await refuse(tabId, words.cannot_read);
}
