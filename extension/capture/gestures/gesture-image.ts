import { z } from "zod";
import { classifyFile } from "#shared/uploads/rules.ts";
import { words } from "#extension/words/words.ts";
import { captureWindow, runInTab, runInTopFrame, runWithInput } from "#extension/platform/tab-scripts.ts";
import { hashFile } from "../delivery/derived-ids.ts";
import {
  confirmCapture,
  PageFactsSchema,
  saveNewCapture,
  toKnownAddress,
  showRefusal,
  showNotice,
} from "../save-capture.ts";
import type { SeenImage } from "../readers/read-image.ts";

interface TabInWindow {
  id: number;
  windowId: number;
}

const coordinate = z.number().min(-100_000).max(100_000);
const VisibleImage = z.object({
  rect: z.object({ x: coordinate, y: coordinate, w: coordinate, h: coordinate }),
  ratio: z.number().min(0.1).max(10),
  alt: z.string().max(300),
});

const MAX_BYTES = 30 * 1024 * 1024;

/** Crops a region from a screenshot, in device pixels; undefined if it is not visible. */
async function crop(window: Blob, { rect, ratio }: SeenImage): Promise<Blob | undefined> {
  const screenshot = await createImageBitmap(window);
  const [left, top] = [Math.max(0, rect.x * ratio), Math.max(0, rect.y * ratio)];
  const width = Math.min(screenshot.width, (rect.x + rect.w) * ratio) - left;
  const height = Math.min(screenshot.height, (rect.y + rect.h) * ratio) - top;
  if (width < 4 || height < 4) return undefined;
  const canvas = new OffscreenCanvas(Math.round(width), Math.round(height));
  canvas.getContext("2d")?.drawImage(screenshot, left, top, width, height, 0, 0, canvas.width, canvas.height);
  return canvas.convertToBlob({ type: "image/png" });
}

/** Downloads the original image if the site allows it and the type is supported. */
async function fetchPicture(src: string): Promise<{ file: Blob; fileName: string } | undefined> {
  try {
    const file = await (await fetch(src, { credentials: "include" })).blob();
    const head = new Uint8Array(await file.slice(0, 4100).arrayBuffer());
    const verdict = classifyFile({ name: "", type: file.type, sizeBytes: file.size, head });
    if (!verdict.ok || !verdict.type.mime.startsWith("image/") || file.size > MAX_BYTES) return undefined;
    return { file: new Blob([file], { type: verdict.type.mime }), fileName: `picture.${verdict.type.extension}` };
  } catch {
    return undefined;
  }
}

async function saveImage(tabId: number, file: Blob, fileName: string, alt: string): Promise<void> {
  const facts = PageFactsSchema.safeParse((await runInTab(tabId, "read-selection"))[0]).data;
  if (!facts) return showRefusal(tabId, words.cannot_read);
  const { address, title, author } = facts;
  const metadata = { address: toKnownAddress(address), title: alt || title, author };
  await saveNewCapture(
    { kind: "image", state: "draft", ...metadata, fileHash: await hashFile(file) },
    { file, fileName },
  );
  return confirmCapture(tabId);
}

/** Captures an image of the page: the original file, else a screenshot of it. */
export async function captureImage({ id, windowId }: TabInWindow, src: string): Promise<void> {
  const visible = VisibleImage.safeParse(await runWithInput(id, "read-image", { src })).data;
  const fetched = await fetchPicture(src);
  if (fetched) return saveImage(id, fetched.file, fetched.fileName, visible?.alt ?? "");
  const file = visible && (await crop(await captureWindow(windowId), visible));
  return file ? saveImage(id, file, "picture.png", visible.alt) : showRefusal(id, words.no_picture);
}

/** Captures a region of the window chosen by the student. */
export async function captureRegion({ id, windowId }: TabInWindow): Promise<void> {
  const visible = VisibleImage.safeParse(await runInTopFrame(id, "choose-region")).data;
  if (!visible) return showNotice(words.region_cancelled, id);
  const file = await crop(await captureWindow(windowId), visible);
  return file ? saveImage(id, file, "region.png", "") : showRefusal(id, words.no_picture);
}
