import { z } from "zod";
import { reasonFields } from "#shared/messages/schema.ts";
import { ToolMetadata, WebsitePart } from "./message-parts.ts";

/** Ids that the server or a client made. */
const id = z.string().min(1).max(64);

// ---- Messages ----

export const WebsiteMessage = z.object({
  _id: z.string(),
  role: z.enum(["user", "assistant"]),
  model: z.string().nullable(),
  parts: z.array(WebsitePart),
  createdAt: z.number(),
  updatedAt: z.number(),
});
export type WebsiteMessage = z.infer<typeof WebsiteMessage>;

export const WebsiteThread = z.object({
  _id: z.string(),
  messages: z.array(WebsiteMessage),
  thread_title: z.string().nullable(),
  updated_at: z.number(),
});
export type WebsiteThread = z.infer<typeof WebsiteThread>;

/** A message as the calls that generate a name receive it: only its words are read. */
export const NamedMessage = z.object({ role: z.enum(["user", "assistant"]), parts: z.array(WebsitePart).max(200) });

// ---- The document of a site ----

export const SiteKind = z.enum(["study_guide", "practice", "glossary", "timeline", "portfolio"]);
export type SiteKind = z.infer<typeof SiteKind>;

export const SectionKind = z.enum(["summary", "flashcards", "quiz", "glossary", "timeline", "pages", "sources"]);
export type SectionKind = z.infer<typeof SectionKind>;

export const SiteTheme = z.object({
  accent: z.enum(["ink", "forest", "plum", "rust", "slate"]),
  font: z.enum(["serif", "sans"]),
});
export type SiteTheme = z.infer<typeof SiteTheme>;

const text = z.string().max(20_000);
/** Where a line comes from: the citation string, the text of its badge, and the title of the source. */
const cited = {
  id,
  citation: z.string().max(8000).nullable(),
  label: z.string().max(200),
  source: z.string().max(500),
};

/** One line of a section. Which fields have a value depends on the kind of the section. */
export const SiteItem = z.object({
  ...cited,
  /** A sentence, the front of a card, a question, a term, or the words of an event. */
  text,
  /** The back of a card, the right answer, the meaning of a term. */
  answer: text.optional(),
  /** The answers to choose from, the right one among them. */
  options: z.array(text).max(8).optional(),
  /** When an event happened, as the source writes it. */
  when: z.string().max(80).optional(),
  /** The form of a block of a page. */
  block: z.enum(["heading", "paragraph", "list_item", "code"]).optional(),
});
export type SiteItem = z.infer<typeof SiteItem>;

export const SiteSection = z.object({
  id,
  kind: SectionKind,
  title: z.string().min(1).max(120),
  sourceIds: z.array(z.string().max(200)).max(50),
  items: z.array(SiteItem).max(1000),
});
export type SiteSection = z.infer<typeof SiteSection>;

/** `site.json`: what a site shows. Templates draw it, so every state of it builds. */
export const SiteDocument = z.object({
  version: z.literal(1),
  kind: SiteKind,
  title: z.string().min(1).max(120),
  subtitle: z.string().max(300),
  language: z.string().max(20),
  theme: SiteTheme,
  sections: z.array(SiteSection).max(40),
});
export type SiteDocument = z.infer<typeof SiteDocument>;

/** One change of the document, as the forms make it. */
export const SiteEdit = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("set_title"),
    title: z.string().trim().min(1).max(120),
    subtitle: z.string().trim().max(300),
  }),
  z.object({ type: z.literal("set_theme"), theme: SiteTheme }),
  z.object({ type: z.literal("rename_section"), sectionId: id, title: z.string().trim().min(1).max(120) }),
  z.object({ type: z.literal("move_section"), sectionId: id, by: z.union([z.literal(-1), z.literal(1)]) }),
  z.object({ type: z.literal("remove_section"), sectionId: id }),
  z.object({ type: z.literal("remove_item"), sectionId: id, itemId: id }),
]);
export type SiteEdit = z.infer<typeof SiteEdit>;

/** A page, deck, file or video that a site can be made from. */
export const SiteSource = z.object({
  id: z.string().min(1).max(200),
  kind: z.enum(["page", "deck", "file", "video"]),
  title: z.string(),
});
export type SiteSource = z.infer<typeof SiteSource>;

// ---- Projects ----

export const DevServerStatus = z.enum(["offline", "starting", "online"]);
export type DevServerStatus = z.infer<typeof DevServerStatus>;

/** A fault of a build, at its position in a file. */
export const BuildFault = z.object({
  message: z.string(),
  path: z.string().nullable(),
  line: z.int().nullable(),
  column: z.int().nullable(),
});
export type BuildFault = z.infer<typeof BuildFault>;

export const DevServer = z.object({
  status: DevServerStatus,
  dev_url: z.string().nullable(),
  /** Why the latest state does not build; the last state that built is still shown. */
  faults: z.array(BuildFault),
  /** Increases with each build that is shown, so that a preview reloads. */
  build: z.int(),
});
export type DevServer = z.infer<typeof DevServer>;

export const WebsiteProject = z.object({
  _id: z.string(),
  name: z.string(),
  dev_url: z.string().nullable(),
  createdAt: z.number(),
  updatedAt: z.number(),
});
export type WebsiteProject = z.infer<typeof WebsiteProject>;

export const SiteFile = z.object({ path: z.string(), sizeBytes: z.int() });
export type SiteFile = z.infer<typeof SiteFile>;

/** The cause of a checkpoint; the screens have a text for each. */
export const CheckpointReason = z.enum(["created", "made", "edited", "code", "restored", "message"]);
export type CheckpointReason = z.infer<typeof CheckpointReason>;

export const Checkpoint = z.object({
  _id: z.string(),
  reason: CheckpointReason,
  /** What was changed: a file, a section, the first words of a message. */
  detail: z.string(),
  messageId: z.string().nullable(),
  isGood: z.boolean().nullable(),
  createdAt: z.number(),
});
export type Checkpoint = z.infer<typeof Checkpoint>;

/** How a file differs between two checkpoints. */
export const FileChange = z.object({
  path: z.string(),
  kind: z.enum(["added", "removed", "changed"]),
  /** Numbers of lines. */
  added: z.int(),
  removed: z.int(),
  hunks: z.array(
    z.object({
      line: z.int(),
      lines: z.array(z.object({ kind: z.enum(["same", "added", "removed"]), text: z.string() })),
    }),
  ),
  /** Whether there are more changed lines than shown. */
  isCut: z.boolean(),
});
export type FileChange = z.infer<typeof FileChange>;

/** What a preview reports of a build. The site wrote it, so it is used only as quoted data. */
export const PreviewReport = z.object({
  build: z.int().min(0),
  /** Null until the site has loaded. */
  outcome: z.enum(["painted", "blank"]).nullable(),
  lines: z.array(z.object({ type: z.enum(["error", "blocked"]), text: z.string().max(1000) })).max(50),
});
export type PreviewReport = z.infer<typeof PreviewReport>;

/** The checkpoint that the link of a project shows. */
export const Publication = z.object({ checkpointId: z.string(), publishedAt: z.number() });
export type Publication = z.infer<typeof Publication>;

export const WebsiteState = z.object({
  project: WebsiteProject,
  document: SiteDocument.nullable(),
  files: z.array(SiteFile),
  checkpoints: z.array(Checkpoint),
  devServer: DevServer,
  /** Null while the project has no link. */
  published: Publication.nullable(),
});
export type WebsiteState = z.infer<typeof WebsiteState>;

// ---- The socket ----

export const ClientMessage = z.discriminatedUnion("type", [
  z.object({ type: z.literal("client_ready") }),
  z.object({
    type: z.literal("user_message"),
    projectId: id,
    threadId: id,
    message: z.string().max(16_000),
    /** Made by the client: the same id twice is one message. */
    messageId: z.string().min(10).max(64).optional(),
  }),
  z.object({ type: z.literal("cancel_message") }),
]);
export type ClientMessage = z.infer<typeof ClientMessage>;

export const ServerEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("connection-established") }),
  z.object({ type: z.literal("message_processing_started"), messageId: z.string() }),
  z.object({
    type: z.literal("assistant_message_chunk"),
    messageId: z.string(),
    part: z.enum(["text", "reasoning"]),
    chunk: z.string(),
  }),
  z.object({ type: z.literal("tool_invocation_start"), messageId: z.string(), metadata: ToolMetadata }),
  z.object({ type: z.literal("tool_invocation_result"), messageId: z.string(), metadata: ToolMetadata }),
  /** The agent is working on something without words, such as a long file. */
  z.object({ type: z.literal("message_processing_progress"), messageId: z.string() }),
  z.object({
    type: z.literal("message_processing_complete"),
    success: z.boolean(),
    /** English; screens translate the reason, and `code` tells them what to offer. */
    error: z.string().optional(),
    code: z.string().optional(),
    ...reasonFields,
    /** The message that was not accepted: it is not in the thread. */
    refusedId: z.string().optional(),
  }),
  z.object({ type: z.literal("dev_server_update"), status: z.enum(["starting", "running", "stopped", "error"]) }),
  z.object({ type: z.literal("dev_url_update"), dev_url: z.string() }),
  z.object({ type: z.literal("thread_update"), thread: WebsiteThread }),
  z.object({ type: z.literal("sandbox-created"), dev_url: z.string() }),
  z.object({ type: z.literal("dev-url-update"), dev_url: z.string() }),
  z.object({ type: z.literal("dev-url-updated"), dev_url: z.string() }),
]);
export type ServerEvent = z.infer<typeof ServerEvent>;
