import { useEffect, useState } from "react";
import { listen, tell } from "#extension/kit/channel.ts";
import { readServer, readSetting } from "#extension/kit/disk.ts";
import { openQueue } from "#extension/kit/queue.ts";
import { openTab } from "#extension/platform/pages.ts";
import { ensureWorker } from "#extension/platform/worker-document.ts";
import { screenPath } from "#shared/screens.ts";
import { type Capture, changeCapture, discardCapture, type DraftCard, listCaptures } from "./store.ts";

export interface Captures {
  captures: readonly Capture[];
  /** What the last gesture could not do; empty where there is nothing to say. */
  notice: string;
}

/** Every capture, the latest first. */
export function useCaptures(): Captures | undefined {
  const [captures, setCaptures] = useState<Captures>();
  useEffect(() => {
    const read = async () => {
      const [found, notice] = await Promise.all([listCaptures(), readSetting("notice")]);
      setCaptures({ captures: found.toReversed(), notice: notice?.text ?? "" });
    };
    void read();
    void ensureWorker();
    return listen("captures", () => void read());
  }, []);
  return captures;
}

async function workNow(): Promise<void> {
  await ensureWorker();
  tell("work");
}

export async function keepDraft(id: string, card: DraftCard): Promise<void> {
  await changeCapture(id, { card, state: "ready" });
  await workNow();
}

export async function sendAgain(id: string): Promise<void> {
  await changeCapture(id, { state: "ready", problem: null });
  await workNow();
}

/** Gives a capture up; what of it the server refused leaves the sync queue as well. */
export async function discard(capture: Capture): Promise<void> {
  if (capture.state === "refused" && capture.accountId !== null) {
    const queue = await openQueue(capture.accountId);
    const mine = new Set(capture.resources);
    const refused = queue.status().parked.filter(({ request }) => mine.has(request.resourceId));
    await queue.discard(refused.map(({ request }) => request.id));
  }
  await discardCapture(capture.id);
}

export async function openInLamplight({ pageId }: Capture): Promise<void> {
  await openTab(`${await readServer()}${screenPath("page", { id: pageId ?? "" })}`);
}

/** What waits, as the text of a file. */
export const exportWaiting = (captures: readonly Capture[]): string =>
  JSON.stringify(
    captures.filter(({ state }) => state !== "saved"),
    null,
    2,
  );
