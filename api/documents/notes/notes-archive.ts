import { openPromise, fromBufferPromise, type Entry, type ZipFile } from "yauzl";
import type { NotesFault } from "./notes-messages.ts";

const MB = 1024 * 1024;
const MAX_ENTRIES = 10_000;
const MAX_UNPACKED_BYTES = 500 * MB;
const MAX_RATIO = 200;
/** Entries below this size skip the compression-ratio (zip bomb) check. */
const RATIO_FROM_BYTES = 10 * MB;
/** A multi-part export is a zip of zips; no deeper nesting is supported. */
const MAX_NESTED = 50;

/** An archive that cannot be read, with the reason. */
export class NotesUnreadableError extends Error {
  readonly fault: NotesFault;

  constructor(fault: NotesFault) {
    super(`Notes unreadable: ${fault}`);
    this.name = "NotesUnreadableError";
    this.fault = fault;
  }
}

export interface ArchivedFile {
  /** Separated by "/", without "." or ".." segments. */
  path: string;
  sizeBytes: number;
  read(): Promise<Buffer>;
}

interface Budget {
  entries: number;
  unpacked: number;
}

const IGNORED = /(?:^|\/)(?:__MACOSX|\.[^/]*|Thumbs\.db|desktop\.ini)(?:\/|$)/i;
const UNSAFE_PATH = /^(?:\/|[A-Za-z]:)|(?:^|\/)\.\.(?:\/|$)|\0/;

/** Names may be UTF-8 with or without the UTF-8 flag, or in a legacy encoding. */
function decodeName({ fileName }: Entry): string {
  const bytes = fileName as unknown as Buffer;
  let name: string;
  try {
    name = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    name = bytes.toString("latin1");
  }
  return name.replaceAll("\\", "/").normalize("NFC");
}

async function readEntries(zip: ZipFile): Promise<Entry[]> {
  const entries: Entry[] = [];
  await new Promise<void>((resolve, reject) => {
    zip.on("entry", (entry: Entry) => {
      entries.push(entry);
      if (entries.length > MAX_ENTRIES) reject(new NotesUnreadableError("too_large"));
      else zip.readEntry();
    });
    zip.on("end", resolve).on("error", reject);
    zip.readEntry();
  });
  return entries;
}

function checkEntry(entry: Entry, path: string, budget: Budget): void {
  const { uncompressedSize: size, compressedSize: packed } = entry;
  if (UNSAFE_PATH.test(path)) throw new NotesUnreadableError("unsafe");
  if (entry.isEncrypted()) throw new NotesUnreadableError("encrypted");
  budget.entries += 1;
  budget.unpacked += size;
  const isBomb = size > RATIO_FROM_BYTES && size > MAX_RATIO * Math.max(1, packed);
  if (isBomb || budget.unpacked > MAX_UNPACKED_BYTES || budget.entries > MAX_ENTRIES)
    throw new NotesUnreadableError("too_large");
}

async function readEntry(zip: ZipFile, entry: Entry): Promise<Buffer> {
  const stream = await zip.openReadStreamPromise(entry);
  const chunks: Buffer[] = [];
  // The stream fails if an entry is larger than the directory says.
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

async function listFiles(zip: ZipFile, budget: Budget): Promise<{ files: ArchivedFile[]; isVault: boolean }> {
  const entries = (await readEntries(zip)).map((entry) => ({ entry, path: decodeName(entry) }));
  // The whole directory is checked before anything is decompressed.
  for (const { entry, path } of entries) checkEntry(entry, path, budget);
  const files = entries
    .filter(({ path }) => !path.endsWith("/") && !IGNORED.test(path))
    .map(({ entry, path }) => ({
      path: path
        .split("/")
        .filter((part) => part !== "" && part !== ".")
        .join("/"),
      sizeBytes: entry.uncompressedSize,
      read: () => readEntry(zip, entry),
    }))
    .filter(({ path }) => path !== "");
  return { files, isVault: entries.some(({ path }) => /(?:^|\/)\.obsidian\//.test(path)) };
}

const options = { lazyEntries: true, autoClose: false, decodeStrings: false, validateEntrySizes: true } as const;

/** The files of an archive or, for a multi-part export, of its inner archives. Throws `NotesUnreadableError`. */
export async function openNotes(path: string): Promise<{ files: ArchivedFile[]; isVault: boolean }> {
  const budget = { entries: 0, unpacked: 0 };
  try {
    const whole = await listFiles(await openPromise(path, options), budget);
    const parts = whole.files.filter((file) => /\.zip$/i.test(file.path));
    if (parts.length === 0 || parts.length !== whole.files.length || parts.length > MAX_NESTED) return whole;
    const files: ArchivedFile[] = [];
    for (const part of parts)
      files.push(...(await listFiles(await fromBufferPromise(await part.read(), options), budget)).files);
    return { files, isVault: whole.isVault };
  } catch (error) {
    throw error instanceof NotesUnreadableError ? error : new NotesUnreadableError("not_an_archive");
  }
}
