import { useEffect, useState } from "react";
import { listen, notify } from "#extension/app/channel.ts";
import { coalesce } from "#extension/app/coalesce.ts";
import { type Notice, readServer, readSetting } from "#extension/app/settings-store.ts";
import { DiskWriteError } from "#extension/app/disk-errors.ts";
import { openQueue } from "#extension/app/queue.ts";
import { words } from "#extension/words/words.ts";
import { openTab } from "#extension/platform/pages.ts";
import { onTabLeft } from "#extension/platform/tabs.ts";
import { ensureWorker } from "#extension/platform/worker-document.ts";
import { requestSiteAccess } from "#extension/platform/tab-scripts.ts";
import { dropNoticeAbout, showNotice } from "./save-capture.ts";
import { normaliseAddress } from "#shared/capture/rules.ts";
import type { Region } from "#shared/flashcards/schema.ts";
import { screenPath } from "#shared/screens.ts";
import {
  type Capture,
  changeCapture,
  discardCapture,
  type DraftCard,
  listByAddress,
  listLatest,
  readRaw,
} from "./store.ts";

export interface Captures {
  captures: readonly Capture[];
  /** Message about the last gesture. */
  notice: Notice | undefined;
}

/** Number of saved captures shown. */
const MAX_SAVED = 100;

/** All unsaved captures and the latest saved ones, newest first. */
export function useCaptures(): Captures | undefined {
  const [captures, setCaptures] = useState<Captures>();
  useEffect(() => {
    const read = async () => {
      const [latest, notice] = await Promise.all([listLatest(MAX_SAVED), readSetting("notice")]);
      setCaptures({ captures: latest, notice });
    };
    const refresh = coalesce(read);
    refresh();
    void ensureWorker();
    const onDiskFull = () =>
      setCaptures((current) => ({
        captures: current?.captures ?? [],
        notice: { text: words.disk_full, at: Date.now() },
      }));
    const onLeft = (tabId: number) => void dropNoticeAbout(tabId);
    const stops = [listen("captures", refresh), listen("full", onDiskFull), onTabLeft(onLeft)];
    return () => {
      for (const stop of stops) stop();
    };
  }, []);
  return captures;
}

/** Runs a write; if the disk is full, nothing changes and all open views are notified. */
async function reportDiskFull(work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (!(error instanceof DiskWriteError)) throw error;
    notify("full");
    return false;
  }
}

/** Changes a capture and starts its processing. */
async function changeAndProcess(id: string, change: Parameters<typeof changeCapture>[1]): Promise<void> {
  if (!(await reportDiskFull(() => changeCapture(id, change)))) return;
  await ensureWorker();
  notify("work");
}

export const saveDraft = (id: string, card: DraftCard): Promise<void> => changeAndProcess(id, { card, state: "ready" });

/** Retries a capture; asks for access to the file's site first if that is missing. */
export async function sendAgain({ id, kind, address, fileHash, needsAccess }: Capture): Promise<void> {
  // Must come before any `await`: browsers show permission prompts only during a user gesture.
  if (needsAccess && !(await requestSiteAccess(address))) return showNotice(words.site_refused);
  const hasFile = kind !== "pdf" || fileHash !== undefined;
  await changeAndProcess(id, { state: hasFile ? "ready" : "raw", problem: null, needsAccess: false });
}

/** Saves an image with its hidden regions. */
export const savePicture = (id: string, title: string, regions: Region[]): Promise<void> =>
  changeAndProcess(id, { title, regions, state: "ready" });

/** Object URL of a pending capture's image; undefined until it is loaded. */
export function usePicture(id: string): string | undefined {
  const [objectUrl, setObjectUrl] = useState<string>();
  useEffect(() => {
    let address: string | undefined;
    let isUnmounted = false;
    const read = async () => {
      const file = (await readRaw(id))?.file;
      if (isUnmounted || !file) return;
      address = URL.createObjectURL(file);
      setObjectUrl(address);
    };
    void read();
    return () => {
      isUnmounted = true;
      if (address !== undefined) URL.revokeObjectURL(address);
    };
  }, [id]);
  return objectUrl;
}

/** Discards a capture, including its refused changes in the sync queue. */
export async function discard(capture: Capture): Promise<void> {
  await reportDiskFull(async () => {
    if (capture.state === "refused" && capture.accountId !== null) {
      const queue = await openQueue(capture.accountId);
      const resourceIds = new Set(capture.resources);
      const refused = queue.status().parked.filter(({ request }) => resourceIds.has(request.resourceId));
      await queue.discard(refused.map(({ request }) => request.id));
    }
    await discardCapture(capture.id);
  });
}

/** Web app path of a capture: a PDF at its page and quote, a video at its time, otherwise its page. */
export function pathInLamplight({ kind, pageId, componentId, locator }: Capture): string {
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
  await openTab(`${await readServer()}${pathInLamplight(capture)}`);
}

/** Number of unsent captures of an address on this device. */
export async function countWaiting(url: string): Promise<number> {
  const address = normaliseAddress(url);
  if (address === undefined) return 0;
  return (await listByAddress(address)).filter(({ state }) => state !== "saved" && state !== "draft").length;
}

/** Turns an unsent card back into a draft. */
export const editAgain = (id: string): Promise<void> => changeAndProcess(id, { state: "draft", problem: null });

/** Exports unsent captures as JSON, including their raw data; files are listed with their size only. */
export async function exportWaiting(captures: readonly Capture[]): Promise<string> {
  const waiting = captures.filter(({ state }) => state !== "saved");
  const exported = waiting.map(async (capture) => {
    const { file, html, ...raw } = (await readRaw(capture.id)) ?? {};
    const page = html === undefined ? {} : { html: await new Blob([html]).text() };
    const fileInfo = file ? { file: { type: file.type, sizeBytes: file.size } } : {};
    return { ...capture, raw: { ...raw, ...page, ...fileInfo } };
  });
  return JSON.stringify(await Promise.all(exported), null, 2);
}
