import { z } from "zod";
import { judgeFile } from "#shared/pdf/upload-rules.ts";
import { words } from "#extension/words/words.ts";
import { pictureOfWindow, runInTab, runOnce, runWith } from "#extension/platform/reading-tabs.ts";
import { hashOf } from "../delivery/ids.ts";
import { confirm, Facts, keep, knownAddress, refuse, refuseUnread, say } from "../keeping.ts";
import type { SeenImage } from "../readers/read-image.ts";

interface InWindow {
  id: number;
  windowId: number;
}

const length = z.number().min(-100_000).max(100_000);
const Seen = z.object({
  rect: z.object({ x: length, y: length, w: length, h: length }),
  ratio: z.number().min(0.1).max(10),
  alt: z.string().max(300),
});

const MAX_BYTES = 30 * 1024 * 1024;

/** Crops a region from a screenshot, in device pixels; undefined if it is not visible. */
async function cut(window: Blob, { rect, ratio }: SeenImage): Promise<Blob | undefined> {
  const whole = await createImageBitmap(window);
  const [left, top] = [Math.max(0, rect.x * ratio), Math.max(0, rect.y * ratio)];
  const width = Math.min(whole.width, (rect.x + rect.w) * ratio) - left;
  const height = Math.min(whole.height, (rect.y + rect.h) * ratio) - top;
  if (width < 4 || height < 4) return undefined;
  const canvas = new OffscreenCanvas(Math.round(width), Math.round(height));
  canvas.getContext("2d")?.drawImage(whole, left, top, width, height, 0, 0, canvas.width, canvas.height);
  return canvas.convertToBlob({ type: "image/png" });
}

/** Downloads the original image if the site allows it and the type is supported. */
async function fetchPicture(src: string): Promise<{ file: Blob; fileName: string } | undefined> {
  try {
    const file = await (await fetch(src, { credentials: "include" })).blob();
    const head = new Uint8Array(await file.slice(0, 4100).arrayBuffer());
    const verdict = judgeFile({ name: "", type: file.type, sizeBytes: file.size, head });
    if (!verdict.ok || !verdict.type.mime.startsWith("image/") || file.size > MAX_BYTES) return undefined;
    return { file: new Blob([file], { type: verdict.type.mime }), fileName: `picture.${verdict.type.extension}` };
  } catch {
    return undefined;
  }
}

async function keepPicture(tabId: number, file: Blob, fileName: string, alt: string): Promise<void> {
  const facts = Facts.safeParse((await runInTab(tabId, "read-selection"))[0]).data;
  if (!facts) return refuse(tabId, words.cannot_read);
  const { address, title, author } = facts;
  const about = { address: knownAddress(address), title: alt || title, author };
  await keep({ kind: "image", state: "draft", ...about, fileHash: await hashOf(file) }, { file, fileName });
  return confirm(tabId);
}

/** Captures an image of the page: the original file, else a screenshot of it. */
export async function captureImage({ id, windowId }: InWindow, src: string): Promise<void> {
  try {
    const seen = Seen.safeParse(await runWith(id, "read-image", { src })).data;
    const fetched = await fetchPicture(src);
    if (fetched) return await keepPicture(id, fetched.file, fetched.fileName, seen?.alt ?? "");
    const file = seen && (await cut(await pictureOfWindow(windowId), seen));
    return file ? await keepPicture(id, file, "picture.png", seen.alt) : await refuse(id, words.no_picture);
  } catch (error) {
    return refuseUnread(id, error);
  }
}

/** Captures a region of the window chosen by the student. */
export async function captureRegion({ id, windowId }: InWindow): Promise<void> {
  try {
    const seen = Seen.safeParse(await runOnce(id, "choose-region")).data;
    if (!seen) return await say("");
    const file = await cut(await pictureOfWindow(windowId), seen);
    return file ? await keepPicture(id, file, "region.png", "") : await refuse(id, words.no_picture);
  } catch (error) {
    return refuseUnread(id, error);
  }
}
