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
  /** Message about the last gesture; empty if there is none. */
  notice: string;
}

/** Number of saved captures shown. */
const MAX_SAVED = 100;

/** All unsaved captures and the latest saved ones, newest first. */
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

/** Runs a write; if the disk is full, nothing changes and all open views are notified. */
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

/** Changes a capture and starts its processing. */
async function changeNow(id: string, change: Parameters<typeof changeCapture>[1]): Promise<void> {
  if (!(await orTellFull(() => changeCapture(id, change)))) return;
  await ensureWorker();
  tell("work");
}

export const keepDraft = (id: string, card: DraftCard): Promise<void> => changeNow(id, { card, state: "ready" });

/** Retries a capture; asks for access to the file's site first if that is missing. */
export async function sendAgain({ id, kind, address, fileHash, needsAccess }: Capture): Promise<void> {
  // Must come before any `await`: browsers show permission prompts only during a user gesture.
  if (needsAccess && !(await askForSite(address))) return say(words.site_refused);
  const isHere = kind !== "pdf" || fileHash !== undefined;
  await changeNow(id, { state: isHere ? "ready" : "raw", problem: null, needsAccess: false });
}

/** Saves an image with its hidden regions. */
export const keepPicture = (id: string, title: string, regions: Region[]): Promise<void> =>
  changeNow(id, { title, regions, state: "ready" });

/** Object URL of a pending capture's image; undefined until it is loaded. */
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

/** Discards a capture, including its refused changes in the sync queue. */
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

/** Web app path of a capture: a PDF at its page and quote, a video at its time, otherwise its page. */
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

/** Number of unsent captures of an address on this device. */
export async function countWaiting(url: string): Promise<number> {
  const address = normalAddress(url);
  if (address === undefined) return 0;
  return (await listAt(address)).filter(({ state }) => state !== "saved" && state !== "draft").length;
}

/** Turns an unsent card back into a draft. */
export const editAgain = (id: string): Promise<void> => changeNow(id, { state: "draft", problem: null });

/** Exports unsent captures as JSON, including their raw data; files are listed with their size only. */
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
