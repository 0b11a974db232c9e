import { z } from "zod";
import { json, upload } from "#shared/contract/endpoint.ts";
import { NotesImport, NotesImportEvent } from "./import-schema.ts";

/** Imports of notes from other programs. */
export const imports = {
  importNotes: upload({
    method: "POST",
    path: "/v1/imports",
    access: "user",
    rate: "upload",
    summary:
      "Import a zip of notes (a Notion export, an Obsidian vault, folders of Markdown or HTML) as pages in folders; importing the same notes again changes nothing",
    input: z.object({}),
    maxFiles: 1,
    output: NotesImport,
    event: NotesImportEvent,
    fails: ["bad_input", "invalid_file", "too_large", "timed_out", "cancelled"],
  }),
  listImports: json({
    method: "GET",
    path: "/v1/imports",
    access: "user",
    summary: "The caller's last imports of notes, the newest first, each with its report",
    input: z.object({}),
    output: z.object({ imports: z.array(NotesImport) }),
    fails: [],
  }),
  undoImport: json({
    method: "POST",
    path: "/v1/imports/:id/undo",
    access: "user",
    summary: "Delete every page that an import created, and folders that become empty; pages can be restored",
    input: z.object({ id: z.string() }),
    output: z.object({ import: NotesImport }),
    fails: ["not_found"],
  }),
};
