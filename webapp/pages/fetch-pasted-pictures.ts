import { atom } from "jotai/vanilla";
import { t } from "#shared/messages/translate.ts";
import { uploadTypes } from "#shared/uploads/rules.ts";
import { notify } from "#webapp/app/alerts.ts";
import { fetchLinkedFile } from "#webapp/uploads/fetch-linked-file.ts";
import { addUploads } from "#webapp/uploads/uploads.ts";
import { logWarning } from "#webapp/app/log.ts";
import { store } from "#webapp/app/store.ts";
import type { PastedPicture } from "./editor/clipboard/pasted-pictures.ts";

const fetchingCountAtom = atom(0);
/** Number of pasted pictures being fetched. */
export const fetchingPicturesAtom = atom((get) => get(fetchingCountAtom));

const DATA_URL = /^data:(image\/[a-z+.-]+);base64,([a-z0-9+/=\s]+)$/i;

/** Decodes a `data:` address; undefined if it contains no supported picture. */
function decodePicture(source: string, stem: string): File | undefined {
  const [, type = "", text = ""] = DATA_URL.exec(source) ?? [];
  const extension = uploadTypes.find(({ mime }) => mime === type.toLowerCase())?.extension;
  if (extension === undefined) return undefined;
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return new File([bytes], `${stem}.${extension}`, { type });
}

const getFileStem = (name: string) =>
  name
    .replaceAll(/[\\/:*?"<>|]/g, " ")
    .trim()
    .slice(0, 80) || t("pages.pasted_picture");

/** Decodes the picture or fetches it anonymously through our server; undefined on failure. */
async function fetchPicture({ source, name }: PastedPicture, signal: AbortSignal): Promise<File | undefined> {
  try {
    if (source.startsWith("data:")) return decodePicture(source, getFileStem(name));
    const address = source.startsWith("//") ? `https:${source}` : source;
    if (!/^https?:\/\//i.test(address)) return undefined;
    const file = await fetchLinkedFile(address, signal);
    return file.type.startsWith("image/") ? file : undefined;
  } catch (error) {
    logWarning("Could not fetch a pasted picture", error);
    return undefined;
  }
}

/** Groups pictures by the block they follow; each group is uploaded together and keeps its order. */
function groupByBlock(pictures: readonly PastedPicture[]): Map<string | undefined, PastedPicture[]> {
  const groups = new Map<string | undefined, PastedPicture[]>();
  for (const picture of pictures) groups.set(picture.after, [...(groups.get(picture.after) ?? []), picture]);
  return groups;
}

/**
 * Fetches pictures pasted into a page and adds each to it: below its block, or at its end if another page is open by
 * then. Reports how many failed.
 */
export async function insertPastedPictures(pageId: string, pictures: readonly PastedPicture[]): Promise<void> {
  const { signal } = new AbortController();
  let failedCount = 0;
  store.set(fetchingCountAtom, (count) => count + pictures.length);
  for (const [after, group] of groupByBlock(pictures)) {
    const files = await Promise.all(group.map((picture) => fetchPicture(picture, signal)));
    const found = files.filter((file) => file !== undefined);
    failedCount += files.length - found.length;
    store.set(fetchingCountAtom, (count) => count - group.length);
    if (found.length > 0) void addUploads(found, { pageId, after });
  }
  if (failedCount > 0) notify({ message: t("pages.pictures_failed", { count: failedCount }), type: "error" });
}
