import { z } from "zod";
import { reasonFields } from "#shared/messages/schema.ts";
import { file, upload } from "#shared/contract/endpoint.ts";

export const AnkiImportLoss = z.object({
  what: z.enum([
    "too_many_cards",
    "empty_cards",
    "missing_media",
    "refused_media",
    "scripts",
    "shapes",
    "notes_without_type",
    "broken_text",
    "long_text",
  ]),
  count: z.int(),
  examples: z.array(z.string()),
});

/** The result of importing a package, including what could not be imported. */
export const AnkiImportReport = z.object({
  pageId: z.string(),
  decks: z.array(
    z.object({
      componentId: z.string(),
      pageId: z.string(),
      title: z.string(),
      added: z.int(),
      /** Cards that the deck already had, or that the student has deleted since. */
      known: z.int(),
    }),
  ),
  cards: z.int(),
  media: z.int(),
  reviews: z.int(),
  losses: z.array(AnkiImportLoss),
});
export type AnkiImportReport = z.infer<typeof AnkiImportReport>;

export const AnkiImportEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("progress"), stage: z.enum(["reading", "reviews"]), done: z.int(), total: z.int() }),
  z.object({ type: z.literal("result"), result: AnkiImportReport }),
  z.object({ type: z.literal("error"), code: z.string(), message: z.string(), ...reasonFields }),
]);

/** "old" is read by every version of Anki, "new" by 2.1.50 and later. */
export const PackageFormat = z.enum(["old", "new"]).default("old");

export const interchange = {
  importDecks: upload({
    method: "POST",
    path: "/v1/flashcards/import",
    access: "user",
    rate: "upload",
    summary:
      "Import the decks of an Anki package with media, schedules and reviews; the same package twice adds nothing",
    /** The page for new decks; a new page if omitted. */
    input: z.object({ pageId: z.string().max(64).optional() }),
    maxFiles: 1,
    output: AnkiImportReport,
    event: AnkiImportEvent,
    fails: ["bad_input", "invalid_file", "too_large", "not_found", "timed_out"],
  }),
  exportDeck: file({
    method: "GET",
    path: "/v1/flashcards/:componentId/export",
    access: "user",
    summary: "A deck as an Anki package (.apkg), with its media, schedules and reviews",
    input: z.object({ componentId: z.string(), form: PackageFormat }),
    fails: ["not_found", "range_not_satisfiable"],
  }),
  exportDecks: file({
    method: "GET",
    path: "/v1/flashcards/export",
    access: "user",
    rate: "generation",
    summary: "Every deck as one Anki collection (.colpkg), with media, schedules and reviews",
    input: z.object({ form: PackageFormat }),
    fails: ["not_found", "too_large", "range_not_satisfiable"],
  }),
};
