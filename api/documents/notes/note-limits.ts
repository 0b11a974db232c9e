import type { NoteLosses } from "./note-losses.ts";
import type { ArchivedFile } from "./notes-archive.ts";

const MB = 1024 * 1024;
const MAX_NOTES = 5_000;
const MAX_NOTE_BYTES = 20 * MB;
const MAX_TEXT_BYTES = 200 * MB;

/** Reads the notes of one archive up to the count and size limits. Each note that is not read counts as one loss. */
export function createNoteReader(losses: NoteLosses): (file: ArchivedFile) => Promise<Buffer | undefined> {
  let [count, readBytes] = [0, 0];
  return async (file) => {
    count += 1;
    if (count > MAX_NOTES || readBytes > MAX_TEXT_BYTES) {
      losses.add("too_many_notes", file.path);
      return undefined;
    }
    if (file.sizeBytes > MAX_NOTE_BYTES) {
      losses.add("large_notes", file.path);
      return undefined;
    }
    const bytes = await file.read().catch(() => undefined);
    if (!bytes) losses.add("unreadable_notes", file.path);
    readBytes += bytes?.length ?? 0;
    return bytes;
  };
}
