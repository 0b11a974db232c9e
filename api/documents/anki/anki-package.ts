import { zstdDecompressSync } from "node:zlib";
import { unzipSync, type UnzipFileInfo } from "fflate";
import { AnkiFormatError, readFields, readTextField } from "./protobuf.ts";

const MB = 1024 * 1024;
const MAX_ENTRIES = 10_000;
const MAX_UNPACKED_BYTES = 500 * MB;
const MAX_RATIO = 200;
/** Entries below this size skip the compression-ratio (zip bomb) check. */
const RATIO_FROM_BYTES = 10 * MB;
const MAX_COLLECTION_BYTES = 300 * MB;
const MAX_MEDIA_BYTES = 50 * MB;

export interface AnkiPackage {
  collection: Uint8Array;
  /** Media names as the cards refer to them. */
  mediaNames: ReadonlySet<string>;
  /** Undefined if the file is missing or damaged. */
  readMedia(name: string): Uint8Array | undefined;
}

const SQLITE = "SQLite format 3\0";
const startsWith = (bytes: Uint8Array, text: string) =>
  Buffer.from(bytes.subarray(0, text.length)).toString("latin1") === text;

/** Checks the archive's directory before anything is decompressed. */
function readDirectory(zip: Uint8Array): Map<string, UnzipFileInfo> {
  const entries = new Map<string, UnzipFileInfo>();
  let unpacked = 0;
  try {
    unzipSync(zip, {
      filter: (entry) => {
        unpacked += entry.originalSize;
        const isBomb = entry.originalSize > RATIO_FROM_BYTES && entry.originalSize > entry.size * MAX_RATIO;
        if (isBomb || unpacked > MAX_UNPACKED_BYTES || entries.size >= MAX_ENTRIES)
          throw new AnkiFormatError("too_large");
        entries.set(entry.name, entry);
        return false;
      },
    });
  } catch (cause) {
    if (cause instanceof AnkiFormatError) throw cause;
    throw new AnkiFormatError("not_a_package");
  }
  return entries;
}

function readEntry(zip: Uint8Array, name: string): Uint8Array | undefined {
  try {
    return unzipSync(zip, { filter: (entry) => entry.name === name })[name];
  } catch {
    return undefined;
  }
}

function unpackZstd(bytes: Uint8Array, maxBytes: number): Uint8Array {
  const unpacked = new Uint8Array(zstdDecompressSync(bytes, { maxOutputLength: maxBytes }));
  const isBomb = unpacked.length > RATIO_FROM_BYTES && unpacked.length > bytes.length * MAX_RATIO;
  if (isBomb) throw new AnkiFormatError("too_large");
  return unpacked;
}

/**
 * Opens a package or a bare collection; uses the newest collection in it, because older ones may only contain an
 * upgrade notice.
 */
export function openPackage(file: Uint8Array): AnkiPackage {
  if (startsWith(file, SQLITE)) return { collection: file, mediaNames: new Set(), readMedia: () => undefined };
  const entries = readDirectory(file);
  requireKnownVersion(entries.has("meta") ? readEntry(file, "meta") : undefined);
  const isNew = entries.has("collection.anki21b");
  const name = ["collection.anki21b", "collection.anki21", "collection.anki2"].find((candidate) =>
    entries.has(candidate),
  );
  const packed = name === undefined ? undefined : readEntry(file, name);
  if (!packed) throw new AnkiFormatError(name === undefined ? "not_a_package" : "broken");
  let collection: Uint8Array;
  try {
    collection = isNew ? unpackZstd(packed, MAX_COLLECTION_BYTES) : packed;
  } catch (cause) {
    if (cause instanceof AnkiFormatError) throw cause;
    const isTooLarge = cause instanceof RangeError || (cause as { code?: string }).code === "ERR_BUFFER_TOO_LARGE";
    throw new AnkiFormatError(isTooLarge ? "too_large" : "broken");
  }
  if (!startsWith(collection, SQLITE)) throw new AnkiFormatError("broken");
  const media = readMediaIndex(readEntry(file, "media"), isNew);
  let unpacked = collection.length;
  return {
    collection,
    mediaNames: new Set(media.keys()),
    readMedia(mediaName) {
      const entryName = media.get(mediaName);
      const bytes = entryName !== undefined && entries.has(entryName) ? readEntry(file, entryName) : undefined;
      if (!bytes || bytes.length > MAX_MEDIA_BYTES) return undefined;
      const content = isNew ? unpackMedia(bytes) : bytes;
      unpacked += content?.length ?? 0;
      if (unpacked > MAX_UNPACKED_BYTES) throw new AnkiFormatError("too_large");
      return content;
    },
  };
}

/** The newest supported version of packages, as stated in `meta`. */
export const LATEST_FORM = 3;

/** A newer package contains an old-format collection with nothing but an upgrade notice. */
function requireKnownVersion(meta: Uint8Array | undefined): void {
  const version = meta && readFields(meta).find(({ field }) => field === 1)?.value;
  if (typeof version === "number" && version > LATEST_FORM) throw new AnkiFormatError("too_new");
}

/** In the newer format, the archive's directory contains only the compressed size of a media file. */
function unpackMedia(bytes: Uint8Array): Uint8Array | undefined {
  try {
    return unpackZstd(bytes, MAX_MEDIA_BYTES);
  } catch (cause) {
    if (cause instanceof AnkiFormatError) throw cause;
    return undefined;
  }
}

/** Zip entries by media name. Names are only looked up, never used as paths. */
function readMediaIndex(packed: Uint8Array | undefined, isNew: boolean): Map<string, string> {
  if (!packed) return new Map();
  try {
    if (isNew)
      return new Map(decodeMediaNames(unpackZstd(packed, 20 * MB)).map((name, entryName) => [name, String(entryName)]));
    const list = JSON.parse(new TextDecoder().decode(packed)) as unknown;
    if (typeof list !== "object" || list === null) return new Map();
    return new Map(
      Object.entries(list).flatMap(([entryName, name]) =>
        typeof name === "string" ? [[name, entryName] as const] : [],
      ),
    );
  } catch {
    return new Map();
  }
}

/** The media list: field 1 repeats, and each entry's field 1 is the name. */
function decodeMediaNames(bytes: Uint8Array): string[] {
  return readFields(bytes).flatMap(({ field, value }) =>
    field === 1 && value instanceof Uint8Array ? readTextField(value, 1) : [],
  );
}
