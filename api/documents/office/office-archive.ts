import { unzipSync } from "fflate";
import { DocumentError } from "../process/parser-messages.ts";

const MB = 1024 * 1024;
const MAX_UNPACKED_BYTES = 500 * MB;
const MAX_RATIO = 200;
/** Files below this size skip the compression-ratio check, because blank content also compresses well. */
const RATIO_FROM_BYTES = 10 * MB;
const MAX_ENTRIES = 10_000;

const END_SIGNATURE = 0x06054b50;
const ENTRY_SIGNATURE = 0x02014b50;
const END_BYTES = 22;
const ENTRY_BYTES = 46;
const MAX_COMMENT_BYTES = 65_535;
/** ZIP64 marker: the real value is stored elsewhere. */
const ZIP64_MARKER = 0xffffffff;
const ENCRYPTED_FLAG = 1;

/** Offset and entry count of the archive's central directory. */
function findDirectory(view: DataView): { offset: number; count: number } {
  const last = Math.max(0, view.byteLength - END_BYTES - MAX_COMMENT_BYTES);
  for (let cursor = view.byteLength - END_BYTES; cursor >= last; cursor--) {
    if (view.getUint32(cursor, true) !== END_SIGNATURE) continue;
    const offset = view.getUint32(cursor + 16, true);
    // ZIP64 is refused, because no student's document has more than 4 GB or 65,535 entries.
    if (offset === ZIP64_MARKER) throw new DocumentError("too_large");
    return { offset, count: view.getUint16(cursor + 10, true) };
  }
  throw new DocumentError("corrupt");
}

/** Checks an archive's central directory before anything is decompressed. Throws DocumentError. */
export function checkArchive(bytes: Uint8Array): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.byteLength < END_BYTES) throw new DocumentError("corrupt");
  const { offset, count } = findDirectory(view);
  if (count > MAX_ENTRIES) throw new DocumentError("too_large");
  let unpacked = 0;
  let cursor = offset;
  for (let entry = 0; entry < count; entry++) {
    if (cursor + ENTRY_BYTES > view.byteLength || view.getUint32(cursor, true) !== ENTRY_SIGNATURE)
      throw new DocumentError("corrupt");
    if ((view.getUint16(cursor + 8, true) & ENCRYPTED_FLAG) !== 0) throw new DocumentError("encrypted");
    const packed = view.getUint32(cursor + 20, true);
    const size = view.getUint32(cursor + 24, true);
    unpacked += size;
    const isBomb = size > RATIO_FROM_BYTES && size > MAX_RATIO * Math.max(1, packed);
    if (isBomb || unpacked > MAX_UNPACKED_BYTES) throw new DocumentError("too_large");
    cursor +=
      ENTRY_BYTES +
      view.getUint16(cursor + 28, true) +
      view.getUint16(cursor + 30, true) +
      view.getUint16(cursor + 32, true);
  }
  if (unpacked > RATIO_FROM_BYTES && unpacked > MAX_RATIO * bytes.byteLength) throw new DocumentError("too_large");
}

/** Reads the requested entries of an Office file into memory; writes nothing to disk. Throws DocumentError. */
export function openArchive(
  bytes: Uint8Array,
  isRequested: (name: string) => boolean,
): ReadonlyMap<string, Uint8Array> {
  checkArchive(bytes);
  const parts = new Map<string, Uint8Array>();
  try {
    const files = unzipSync(bytes, { filter: ({ name }) => isRequested(normalizeName(name)) });
    for (const [name, part] of Object.entries(files)) parts.set(normalizeName(name), part);
  } catch {
    throw new DocumentError("corrupt");
  }
  return parts;
}

/** Some programs write backslashes or a leading slash. */
function normalizeName(name: string): string {
  return name.replaceAll("\\", "/").replace(/^\/+/u, "");
}
