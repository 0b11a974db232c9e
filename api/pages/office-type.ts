import { open, type FileHandle } from "node:fs/promises";
import type { ReceivedFile } from "#api/http/handler.ts";
import { type UploadType, uploadTypes } from "#shared/pdf/upload-rules.ts";

/**
 * Tells Word from PowerPoint by the part names in their container, which lie far beyond the first bytes. A container
 * that names neither keeps its type.
 */
export async function officeTypeOf(type: UploadType, file: ReceivedFile): Promise<UploadType> {
  const isZip = type.extension === "docx" || type.extension === "pptx";
  const isCompound = type.extension === "doc" || type.extension === "ppt";
  if (!isZip && !isCompound) return type;
  const handle = await open(await file.path(), "r");
  try {
    const extension = isZip ? await kindInDirectory(handle, file.sizeBytes) : await kindInCompound(handle);
    return uploadTypes.find((known) => known.extension === extension) ?? type;
  } finally {
    await handle.close();
  }
}

async function readAt(handle: FileHandle, at: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await handle.read(bytes, 0, length, at);
  return bytes.subarray(0, bytesRead);
}

/** The end record may be followed by a comment of up to 65,535 bytes (APPNOTE 4.3.16). */
const END_BYTES = 22 + 65_535;
const END_MARK = Buffer.from([0x50, 0x4b, 5, 6]);
const MAX_DIRECTORY_BYTES = 4 * 1024 * 1024;

async function kindInDirectory(handle: FileHandle, sizeBytes: number): Promise<"docx" | "pptx" | undefined> {
  const end = await readAt(handle, Math.max(0, sizeBytes - END_BYTES), Math.min(sizeBytes, END_BYTES));
  const mark = end.lastIndexOf(END_MARK);
  if (mark < 0 || mark + 20 > end.length) return undefined;
  const length = Math.min(end.readUInt32LE(mark + 12), MAX_DIRECTORY_BYTES);
  const names = await readAt(handle, end.readUInt32LE(mark + 16), length);
  if (names.includes("word/document")) return "docx";
  return names.includes("ppt/presentation") ? "pptx" : undefined;
}

const WINDOW_BYTES = 1024 * 1024;
const MAX_SEARCHED_BYTES = 64 * WINDOW_BYTES;
const wordName = Buffer.from("WordDocument", "utf16le");
const powerPointName = Buffer.from("PowerPoint Document", "utf16le");

/** Stream names are UTF-16 in the directory ([MS-CFB] 2.6.1), which may be anywhere in the file. */
async function kindInCompound(handle: FileHandle): Promise<"doc" | "ppt" | undefined> {
  const overlap = powerPointName.length;
  for (let at = 0; at < MAX_SEARCHED_BYTES; at += WINDOW_BYTES - overlap) {
    const window = await readAt(handle, at, WINDOW_BYTES);
    if (window.includes(powerPointName)) return "ppt";
    if (window.includes(wordName)) return "doc";
    if (window.length < WINDOW_BYTES) return undefined;
  }
  return undefined;
}
