import type { ImportLoss, NotesKind } from "#shared/library/import-schema.ts";
import type { NewBlock } from "#shared/pages/markdown-read.ts";

/** A note as it becomes a page. A file block's `address` is the path of a file that was handed over before. */
export interface NotePage {
  /** Follows from the account, the note's place and its content: the same note again is the same page. */
  id: string;
  title: string;
  emoji: string | null;
  /** Path of the folder that it lies in; "" is the topmost. */
  folder: string;
  blocks: NewBlock[];
  /** How many of its links lead to other pages that came along. */
  links: number;
}

export interface NoteFolder {
  id: string;
  path: string;
  title: string;
  /** Undefined for the topmost. */
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
  | { type: "read"; losses: ImportLoss[] }
  | { type: "failed"; fault: NotesFault };

export interface ToNotes {
  path: string;
  /** The archive's name, without its ending: what the topmost folder is called where nothing in it says. */
  name: string;
  /** Ids are drawn from this, so that two accounts never share one. */
  seed: string;
}
