import { useEffect, useState } from "react";
import { listen, tell } from "#extension/kit/channel.ts";
import { coalesce } from "#extension/kit/coalesce.ts";
import { readServer, readSetting } from "#extension/kit/disk.ts";
import { openQueue } from "#extension/kit/queue.ts";
import { words } from "#extension/kit/words.ts";
import { openTab } from "#extension/platform/pages.ts";
import { ensureWorker } from "#extension/platform/worker-document.ts";
import { normalAddress } from "#shared/capture/rules.ts";
import { screenPath } from "#shared/screens.ts";
import { type Capture, changeCapture, discardCapture, type DraftCard, listAt, listCaptures, readRaw } from "./store.ts";

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
    const again = coalesce(read);
    again();
    void ensureWorker();
    const full = () => setCaptures((held) => ({ captures: held?.captures ?? [], notice: words.disk_full }));
    const stops = [listen("captures", again), listen("full", full)];
    return () => {
      for (const stop of stops) stop();
    };
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

/** How many captures of an address wait on this device. */
export async function countWaiting(url: string): Promise<number> {
  const address = normalAddress(url);
  if (address === undefined) return 0;
  return (await listAt(address)).filter(({ state }) => state !== "saved" && state !== "draft").length;
}

/** A card that has not arrived goes back to the student, to be written anew. */
export const editAgain = (id: string): Promise<void> => changeCapture(id, { state: "draft", problem: null });

/** What waits, as the text of a file: what was taken stands beside each. Files are named with their size alone. */
export async function exportWaiting(captures: readonly Capture[]): Promise<string> {
  const waiting = captures.filter(({ state }) => state !== "saved");
  const whole = waiting.map(async (capture) => {
    const { file, ...raw } = (await readRaw(capture.id)) ?? {};
    return { ...capture, raw: file ? { ...raw, file: { type: file.type, sizeBytes: file.size } } : raw };
  });
  return JSON.stringify(await Promise.all(whole), null, 2);
}
