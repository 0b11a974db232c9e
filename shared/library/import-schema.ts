import { z } from "zod";
import { reasonFields } from "#shared/messages/schema.ts";

/** The program or format of the notes, detected from the archive. */
export const NotesKind = z.enum(["notion", "obsidian", "markdown", "html"]);
export type NotesKind = z.infer<typeof NotesKind>;

/** Something that could not be imported unchanged, how often, and some examples. */
export const NotesImportLoss = z.object({
  what: z.enum([
    "broken_links",
    "missing_files",
    "unreadable_files",
    "refused_files",
    "uploads_used_up",
    "unsupported_files",
    "remote_pictures",
    "tables",
    "scripts",
    "unreadable_notes",
    "slow_notes",
    "long_notes",
    "large_notes",
    "too_many_notes",
    "too_deep",
  ]),
  count: z.int().min(1),
  examples: z.array(z.string()),
});
export type NotesImportLoss = z.infer<typeof NotesImportLoss>;

/** One import of notes: what was imported, what was not, and whether it was undone. */
export const NotesImport = z.object({
  _id: z.string(),
  name: z.string(),
  kind: NotesKind,
  /** `stopped`: cancelled or disconnected. Everything imported until then stays. */
  state: z.enum(["running", "done", "stopped"]),
  createdAt: z.number(),
  /** The folder that contains everything; null if nothing was imported. */
  folderId: z.string().nullable(),
  /** Pages that were created or restored. */
  pages: z.int(),
  /** Pages that existed already and were left unchanged. */
  known: z.int(),
  folders: z.int(),
  files: z.int(),
  decks: z.int(),
  /** Links between the notes that became page tags. */
  links: z.int(),
  losses: z.array(NotesImportLoss),
  removedAt: z.number().nullable(),
});
export type NotesImport = z.infer<typeof NotesImport>;

export const NotesImportEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("progress"), done: z.int(), total: z.int() }),
  z.object({ type: z.literal("result"), result: NotesImport }),
  z.object({ type: z.literal("error"), code: z.string(), message: z.string(), ...reasonFields }),
]);
export type NotesImportEvent = z.infer<typeof NotesImportEvent>;
