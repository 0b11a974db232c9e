import { z } from "zod";
import { reasonFields } from "#shared/messages/schema.ts";

/** Which program the notes come from, as far as the archive tells. */
export const NotesKind = z.enum(["notion", "obsidian", "markdown", "html"]);
export type NotesKind = z.infer<typeof NotesKind>;

/** What could not come as it was, how often, and some of the names. */
export const ImportLoss = z.object({
  what: z.enum([
    "broken_links",
    "missing_files",
    "refused_files",
    "uploads_used_up",
    "unsupported_files",
    "remote_pictures",
    "tables",
    "scripts",
    "unreadable_notes",
    "long_notes",
    "too_many_notes",
    "too_deep",
  ]),
  count: z.int().min(1),
  examples: z.array(z.string()),
});
export type ImportLoss = z.infer<typeof ImportLoss>;

/** Notes that were brought in together: what came, what did not, and whether it was taken back. */
export const NotesImport = z.object({
  _id: z.string(),
  name: z.string(),
  kind: NotesKind,
  /** `stopped`: cancelled, or the connection ended; what had come until then is here. */
  state: z.enum(["running", "done", "stopped"]),
  createdAt: z.number(),
  /** The folder that holds everything; null where nothing came. */
  folderId: z.string().nullable(),
  /** Pages that were made, or came back from the deleted. */
  pages: z.int(),
  /** Pages that were here already and were left as they are. */
  known: z.int(),
  folders: z.int(),
  files: z.int(),
  decks: z.int(),
  /** Links between the notes that became page tags. */
  links: z.int(),
  losses: z.array(ImportLoss),
  removedAt: z.number().nullable(),
});
export type NotesImport = z.infer<typeof NotesImport>;

export const NotesImportEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("progress"), done: z.int(), total: z.int() }),
  z.object({ type: z.literal("result"), result: NotesImport }),
  z.object({ type: z.literal("error"), code: z.string(), message: z.string(), ...reasonFields }),
]);
export type NotesImportEvent = z.infer<typeof NotesImportEvent>;
