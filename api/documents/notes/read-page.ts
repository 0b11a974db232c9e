import { convertToPage } from "./convert-note.ts";
import type { NoteLosses } from "./note-losses.ts";
import type { NotePage } from "./notes-messages.ts";
import type { Note, NotesTree } from "./notes-tree.ts";
import { NoteTimes, TimeLimitError } from "./time-limit.ts";

/** Converts the notes of one archive one by one. A note that fails or takes too long is listed among the losses. */
export function createPageReader(
  tree: NotesTree,
  losses: NoteLosses,
  { convert = convertToPage, times = new NoteTimes() } = {},
): (note: Note) => NotePage | undefined {
  return (note) => {
    try {
      return times.run(() => convert(note, { tree, losses }));
    } catch (error) {
      losses.add(error instanceof TimeLimitError ? "slow_notes" : "unreadable_notes", note.file.path);
      return undefined;
    }
  };
}
