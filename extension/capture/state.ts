import { useEffect, useState } from "react";
import { listen, tell } from "#extension/app/channel.ts";
import { coalesce } from "#extension/app/coalesce.ts";
import { readServer, readSetting } from "#extension/app/disk.ts";
import { NotKept } from "#extension/app/full-disk.ts";
import { openQueue } from "#extension/app/queue.ts";
import { words } from "#extension/words/words.ts";
import { openTab } from "#extension/platform/pages.ts";
import { ensureWorker } from "#extension/platform/worker-document.ts";
import { askForSite } from "#extension/platform/reading-tabs.ts";
import { say } from "./keeping.ts";
import { normalAddress } from "#shared/capture/rules.ts";
import type { Region } from "#shared/flashcards/schema.ts";
import { screenPath } from "#shared/screens.ts";
import { type Capture, changeCapture, discardCapture, type DraftCard, listAt, listLatest, readRaw } from "./store.ts";

export interface Captures {
  captures: readonly Capture[];
  /** What the last gesture could not do; empty where there is nothing to say. */
  notice: string;
}

/** So many of those that have arrived are shown. */
const MAX_SAVED = 100;

/** What has not arrived and the latest of what has, the latest first. */
export function useCaptures(): Captures | undefined {
  const [captures, setCaptures] = useState<Captures>();
  useEffect(() => {
    const read = async () => {
      const [latest, notice] = await Promise.all([listLatest(MAX_SAVED), readSetting("notice")]);
      setCaptures({ captures: latest, notice: notice?.text ?? "" });
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

/** Does on disk what the student asks for. Where nothing can be written all stands as it was, and whoever shows something hears it. */
async function orTellFull(work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (!(error instanceof NotKept)) throw error;
    tell("full");
    return false;
  }
}

/** Changes a capture and has it worked on. */
async function changeNow(id: string, change: Parameters<typeof changeCapture>[1]): Promise<void> {
  if (!(await orTellFull(() => changeCapture(id, change)))) return;
  await ensureWorker();
  tell("work");
}

export const keepDraft = (id: string, card: DraftCard): Promise<void> => changeNow(id, { card, state: "ready" });

/** Tries again; where the browser kept a file's site shut, the student is asked to open it first. */
export async function sendAgain({ id, kind, address, fileHash, needsAccess }: Capture): Promise<void> {
  // Nothing may be awaited before this: the browser asks only in a press itself.
  if (needsAccess && !(await askForSite(address))) return say(words.site_refused);
  const isHere = kind !== "pdf" || fileHash !== undefined;
  await changeNow(id, { state: isHere ? "ready" : "raw", problem: null, needsAccess: false });
}

/** A picture goes out with what is hidden on it. */
export const keepPicture = (id: string, title: string, regions: Region[]): Promise<void> =>
  changeNow(id, { title, regions, state: "ready" });

/** The picture of a capture that waits, as an address for this document; undefined until it is read. */
export function usePicture(id: string): string | undefined {
  const [shown, setShown] = useState<string>();
  useEffect(() => {
    let address: string | undefined;
    let isLeft = false;
    const read = async () => {
      const file = (await readRaw(id))?.file;
      if (isLeft || !file) return;
      address = URL.createObjectURL(file);
      setShown(address);
    };
    void read();
    return () => {
      isLeft = true;
      if (address !== undefined) URL.revokeObjectURL(address);
    };
  }, [id]);
  return shown;
}

/** Gives a capture up; what of it the server refused leaves the sync queue as well. */
export async function discard(capture: Capture): Promise<void> {
  await orTellFull(async () => {
    if (capture.state === "refused" && capture.accountId !== null) {
      const queue = await openQueue(capture.accountId);
      const mine = new Set(capture.resources);
      const refused = queue.status().parked.filter(({ request }) => mine.has(request.resourceId));
      await queue.discard(refused.map(({ request }) => request.id));
    }
    await discardCapture(capture.id);
  });
}

/** Where a capture opens in Lamplight: a PDF at its page and words, a video at its second, anything else on its page. */
export function placeInLamplight({ kind, pageId, componentId, locator }: Capture): string {
  const query = new URLSearchParams();
  const { page, quote, startMs } = locator ?? {};
  if (kind === "pdf" && componentId !== null) {
    if (page !== undefined) query.set("page", String(page));
    if (quote !== undefined) query.set("quote", quote);
    return `${screenPath("pdf", { slug: componentId })}${query.size > 0 ? `?${query}` : ""}`;
  }
  if (kind === "video" && componentId !== null) {
    if (startMs) query.set("t", String(Math.floor(startMs / 1000)));
    return `${screenPath("video", { slug: componentId })}${query.size > 0 ? `?${query}` : ""}`;
  }
  return screenPath("page", { id: pageId ?? "" });
}

export async function openInLamplight(capture: Capture): Promise<void> {
  await openTab(`${await readServer()}${placeInLamplight(capture)}`);
}

/** How many captures of an address wait on this device. */
export async function countWaiting(url: string): Promise<number> {
  const address = normalAddress(url);
  if (address === undefined) return 0;
  return (await listAt(address)).filter(({ state }) => state !== "saved" && state !== "draft").length;
}

/** A card that has not arrived goes back to the student, to be written anew. */
export const editAgain = (id: string): Promise<void> => changeNow(id, { state: "draft", problem: null });

/** What waits, as the text of a file: what was taken stands beside each. Files are named with their size alone. */
export async function exportWaiting(captures: readonly Capture[]): Promise<string> {
  const waiting = captures.filter(({ state }) => state !== "saved");
  const whole = waiting.map(async (capture) => {
    const { file, html, ...raw } = (await readRaw(capture.id)) ?? {};
    const page = html === undefined ? {} : { html: await new Blob([html]).text() };
    const about = file ? { file: { type: file.type, sizeBytes: file.size } } : {};
    return { ...capture, raw: { ...raw, ...page, ...about } };
  });
  return JSON.stringify(await Promise.all(whole), null, 2);
}
