import type { NotesImportLoss, NotesKind } from "#shared/library/import-schema.ts";
import type { NewBlock } from "#shared/pages/markdown-read.ts";

/** An imported note as a page. A file block's `address` is the path of a file sent before. */
export interface NotePage {
  /** Derived from the account, the note's path and its content: importing the same note again gives the same page. */
  id: string;
  title: string;
  emoji: string | null;
  /** Path of its folder; "" is the top level. */
  folder: string;
  blocks: NewBlock[];
  /** Number of links to other imported pages. */
  links: number;
}

export interface NoteFolder {
  id: string;
  path: string;
  title: string;
  /** Undefined for the top folder. */
  parent: string | undefined;
}

export interface NoteFile {
  path: string;
  name: string;
  bytes: Uint8Array;
}

export type NotesFault =
  | "not_an_archive"
  | "too_large"
  | "unsafe"
  | "encrypted"
  | "nothing_inside"
  | "timeout"
  | "crashed";

export type FromNotes =
  | { type: "opened"; kind: NotesKind; notes: number; folders: NoteFolder[] }
  | { type: "file"; file: NoteFile }
  | { type: "page"; page: NotePage }
  | { type: "read"; losses: NotesImportLoss[] }
  /** `trace`: where an unexpected error was thrown, without text of the notes. */
  | { type: "failed"; fault: NotesFault; trace?: string };

export interface ToNotes {
  path: string;
  /** The archive's name without extension: the top folder's title if the archive does not name one. */
  name: string;
  /** Ids are derived from this, so that two accounts never share one. */
  seed: string;
  /** Title of the page for files that no note shows, in the student's language. */
  otherFilesTitle: string;
}
