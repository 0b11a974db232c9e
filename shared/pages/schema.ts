import { z } from "zod";
import { DeckContent } from "#shared/flashcards/schema.ts";

export const TextSubType = z.enum([
  "normal",
  "heading_1",
  "heading_2",
  "heading_3",
  "list_ordered",
  "list_unordered",
  "block_quote",
  "list_checkbox_checked",
  "list_checkbox_unchecked",
]);
export type TextSubType = z.infer<typeof TextSubType>;

export const TextHighlightColor = z.enum(["red", "yellow", "green", "blue"]);

const RunAttributes = z.object({
  bold: z.boolean().optional(),
  italic: z.boolean().optional(),
  underline: z.boolean().optional(),
  strikethrough: z.boolean().optional(),
  inline_code: z.boolean().optional(),
  color: z.string().max(40).optional(),
});

/** An inline chip: `target` is an address for a link, otherwise an id. */
const InlineReference = z.object({
  kind: z.enum(["link", "page_tag", "flashcard_tag", "pdf_tag"]),
  target: z.string().max(4000),
});

export interface Run {
  content: string | Run[];
  attributes?: z.infer<typeof RunAttributes> | undefined;
  reference?: z.infer<typeof InlineReference> | undefined;
}

/** Maximum nesting of runs; deeper text is rejected, so that no input can overflow the stack. */
const MAX_RUN_DEPTH = 6;
const runOfDepth = (depth: number): z.ZodType<Run> =>
  z.object({
    content: depth === 0 ? z.string() : z.union([z.string(), z.array(runOfDepth(depth - 1))]),
    attributes: RunAttributes.optional(),
    reference: InlineReference.optional(),
  });
export const Run = runOfDepth(MAX_RUN_DEPTH);

export const TextContent = z.object({
  text: z.array(Run),
  subType: TextSubType,
  metadata: z.object({
    indents: z.int().min(0).max(20).default(0),
    highlightColor: TextHighlightColor.nullable().default(null),
  }),
});
export type TextContent = z.infer<typeof TextContent>;

export const FileContent = z.object({
  /** `id` ends in the file's extension, which determines the kind of file, such as `.pdf`. */
  file: z.object({ id: z.string(), name: z.string() }),
  /**
   * A stable path on our own origin, which is signed when a client reads it; or the address of a video on another site.
   */
  url: z.string(),
  isArchived: z.boolean().default(false),
  archivedAt: z.number().nullable().default(null),
  videoType: z.enum(["file", "youtube", "url"]).optional(),
  thumbnail: z.string().nullable().default(null),
  title: z.string().default(""),
  /** A picture cropped from a document: its citation, and its position on that page in PDF points from the top left. */
  takenFrom: z
    .object({
      citation: z.string().max(5_000),
      rect: z.tuple([z.number(), z.number(), z.number(), z.number()]),
    })
    .optional(),
  /** Videos only, if known. */
  durationMs: z.int().min(0).optional(),
});
export type FileContent = z.infer<typeof FileContent>;

export const ComponentType = z.enum([
  "text",
  "flash_cards",
  "chat",
  "image",
  "video",
  "assistant_message",
  "code_block",
  "equation",
  "divider",
]);
export type ComponentType = z.infer<typeof ComponentType>;

const base = {
  _id: z.string().min(1).max(64),
  pageId: z.string().min(1).max(64),
  createdAt: z.number(),
  modifiedAt: z.number(),
  createdBy: z.string(),
  lastOpenedAt: z.number().nullable().default(null),
  /** Increases by one with every change of the content; a content update names the version it is based on. */
  version: z.int().min(1),
};

/** The content of each component type. */
export const componentContents = {
  text: TextContent,
  flash_cards: DeckContent,
  chat: z.object({ threadId: z.string().default(""), title: z.string().default("") }),
  image: FileContent,
  video: FileContent,
  assistant_message: z.object({ text: z.string().max(200_000), citations: z.array(z.string()).default([]) }),
  code_block: z.object({ code: z.string().max(500_000), language: z.string().max(40).default("") }),
  equation: z.object({ latex: z.string().max(20_000) }),
  divider: z.object({}),
} as const satisfies Record<ComponentType, z.ZodType>;

export const Component = z.discriminatedUnion("type", [
  z.object({ ...base, type: z.literal("text"), content: componentContents.text }),
  z.object({ ...base, type: z.literal("flash_cards"), content: componentContents.flash_cards }),
  z.object({ ...base, type: z.literal("chat"), content: componentContents.chat }),
  z.object({ ...base, type: z.literal("image"), content: componentContents.image }),
  z.object({ ...base, type: z.literal("video"), content: componentContents.video }),
  z.object({ ...base, type: z.literal("assistant_message"), content: componentContents.assistant_message }),
  z.object({ ...base, type: z.literal("code_block"), content: componentContents.code_block }),
  z.object({ ...base, type: z.literal("equation"), content: componentContents.equation }),
  z.object({ ...base, type: z.literal("divider"), content: componentContents.divider }),
]);
export type Component = z.infer<typeof Component>;

export const Page = z.object({
  _id: z.string(),
  ownedBy: z.string(),
  title: z.string(),
  emoji: z.string().nullable(),
  createdAt: z.number(),
  lastUpdated: z.number(),
  archived: z.boolean(),
  archivedAt: z.number().nullable(),
  lastOpened: z.number().nullable(),
  order: z.number(),
  parent: z.string().nullable(),
  /** The order of the components. A component that is missing here is shown at the end. */
  components: z.array(z.string()),
  children: z.array(z.string()),
  relationshipCategories: z.array(z.string()),
  aiDescription: z.string().nullable(),
  isFlashcardPage: z.boolean(),
  flashcardTitle: z.string().nullable(),
  flashcardLastOpenedAt: z.number().nullable(),
});
export type Page = z.infer<typeof Page>;

/** A component for lists, without its text or cards. */
export const ComponentSummary = z.object({
  _id: z.string(),
  type: ComponentType,
  pageId: z.string(),
  title: z.string(),
  createdAt: z.number(),
  modifiedAt: z.number(),
  lastOpenedAt: z.number().nullable(),
  /** Decks only. */
  cardCount: z.int().optional(),
  /** Files only. */
  fileId: z.string().optional(),
  isArchived: z.boolean(),
});
export type ComponentSummary = z.infer<typeof ComponentSummary>;

export const ComponentVersion = z.object({
  _id: z.string(),
  componentId: z.string(),
  version: z.int(),
  content: z.unknown(),
  savedAt: z.number(),
  /** Why this version is in the history. */
  reason: z.enum(["replaced", "conflict", "deleted", "restored"]),
});
export type ComponentVersion = z.infer<typeof ComponentVersion>;

/** Summary of an earlier version of a component that is, or was, on a page. */
export const HistoryEntry = ComponentVersion.omit({ content: true }).extend({
  type: ComponentType,
  /** Whether the component itself is deleted; restoring the version then restores the component. */
  isDeleted: z.boolean(),
  words: z.string(),
});
export type HistoryEntry = z.infer<typeof HistoryEntry>;
