import { open, type FileHandle } from "node:fs/promises";
import type { ReceivedFile } from "#api/http/handler.ts";
import { type UploadType, uploadTypes } from "#shared/uploads/rules.ts";

/**
 * Distinguishes Word from PowerPoint by the part names in their container, which are far behind the first bytes. A
 * container with the names of neither keeps its type.
 */
export async function detectOfficeType(type: UploadType, file: ReceivedFile): Promise<UploadType> {
  const isZip = type.extension === "docx" || type.extension === "pptx";
  const isCompound = type.extension === "doc" || type.extension === "ppt";
  if (!isZip && !isCompound) return type;
  const handle = await open(await file.path(), "r");
  try {
    const extension = isZip ? await detectZipKind(handle, file.sizeBytes) : await detectCompoundKind(handle);
    return uploadTypes.find((candidate) => candidate.extension === extension) ?? type;
  } finally {
    await handle.close();
  }
}

async function readAt(handle: FileHandle, offset: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await handle.read(bytes, 0, length, offset);
  return bytes.subarray(0, bytesRead);
}

/** The end record may be followed by a comment of up to 65,535 bytes (APPNOTE 4.3.16). */
const MAX_END_RECORD_BYTES = 22 + 65_535;
const END_RECORD_SIGNATURE = Buffer.from([0x50, 0x4b, 5, 6]);
const MAX_DIRECTORY_BYTES = 4 * 1024 * 1024;

async function detectZipKind(handle: FileHandle, sizeBytes: number): Promise<"docx" | "pptx" | undefined> {
  const end = await readAt(
    handle,
    Math.max(0, sizeBytes - MAX_END_RECORD_BYTES),
    Math.min(sizeBytes, MAX_END_RECORD_BYTES),
  );
  const recordOffset = end.lastIndexOf(END_RECORD_SIGNATURE);
  if (recordOffset < 0 || recordOffset + 20 > end.length) return undefined;
  const length = Math.min(end.readUInt32LE(recordOffset + 12), MAX_DIRECTORY_BYTES);
  const names = await readAt(handle, end.readUInt32LE(recordOffset + 16), length);
  if (names.includes("word/document")) return "docx";
  return names.includes("ppt/presentation") ? "pptx" : undefined;
}

const WINDOW_BYTES = 1024 * 1024;
const MAX_SEARCHED_BYTES = 64 * WINDOW_BYTES;
const wordName = Buffer.from("WordDocument", "utf16le");
const powerPointName = Buffer.from("PowerPoint Document", "utf16le");

/** Stream names are UTF-16 in the directory ([MS-CFB] 2.6.1), which may be anywhere in the file. */
async function detectCompoundKind(handle: FileHandle): Promise<"doc" | "ppt" | undefined> {
  const overlap = powerPointName.length;
  for (let offset = 0; offset < MAX_SEARCHED_BYTES; offset += WINDOW_BYTES - overlap) {
    const window = await readAt(handle, offset, WINDOW_BYTES);
    if (window.includes(powerPointName)) return "ppt";
    if (window.includes(wordName)) return "doc";
    if (window.length < WINDOW_BYTES) return undefined;
  }
  return undefined;
}
