import { z } from "zod";
import { ReasonRef } from "#shared/messages/schema.ts";

const id = z.string().min(1).max(64);
const position = z.int().min(1);

export const ResearchDepth = z.enum(["quick", "standard", "deep"]);
export type ResearchDepth = z.infer<typeof ResearchDepth>;

/** Where a session searches: the student's own library, and search services. */
export const SearchSource = z.enum([
  "library",
  "wikipedia",
  "crossref",
  "europepmc",
  "arxiv",
  "openalex",
  "web",
  "kiwix",
]);
export type SearchSource = z.infer<typeof SearchSource>;

/** Why a search or a page failed. */
export const SearchProblem = z.enum([
  "unreachable",
  "refused",
  "limited",
  "not_json",
  "json_disabled",
  "slow",
  "too_large",
  "unreadable",
  "stopped",
]);
export type SearchProblem = z.infer<typeof SearchProblem>;

/** Whether a search source can be switched on here, and how its last call went. */
export const SearchSourceState = z.object({
  name: SearchSource,
  state: z.enum(["ready", "answered", "limited", "failed", "not_configured"]),
  problem: SearchProblem.nullable(),
  /** When a limited source may be asked again, epoch ms. */
  retryAt: z.number().nullable(),
  /** Engines behind the service that gave no answer in the last call. */
  silentEngines: z.array(z.string()).optional(),
});
export type SearchSourceState = z.infer<typeof SearchSourceState>;

export const ResearchHistoryEntry = z.object({
  id,
  creator: z.enum(["user", "orchestrator", "developer"]),
  iteration: z.int().min(0),
  task_id: id.nullable(),
  content: z.string(),
  created_at: z.number(),
});
export type ResearchHistoryEntry = z.infer<typeof ResearchHistoryEntry>;

/** The limit of the chosen depth that stopped further lookups. */
export const SearchLimit = z.enum(["sources", "queries", "time", "tokens"]);
export type SearchLimit = z.infer<typeof SearchLimit>;

export const ResearchTool = z.object({
  id: z.string(),
  task_id: id.nullable(),
  name: z.enum(["search", "open", "read_library", "verify", "compare"]),
  args: z.object({ query: z.string().optional(), source: SearchSource.optional(), title: z.string().optional() }),
  status: z.enum(["running", "done", "failed"]),
  /** In English, for readers of the API; screens use the fields beside it. */
  summary: z.string(),
  found: z.int().min(0),
  problem: SearchProblem.nullable(),
  /** Engines behind a search service that gave no answer; missing if the whole service gave none. */
  silentEngines: z.array(z.string()).optional(),
  /** Set if services were not called because of this limit. */
  notAsked: SearchLimit.optional(),
  /** Ledger numbers of sources. */
  sources: z.array(position),
  started_at: z.number(),
  ended_at: z.number().nullable(),
});
export type ResearchTool = z.infer<typeof ResearchTool>;

export const ResearchFile = z.object({
  name: z.string().min(1).max(120),
  createdAt: z.number(),
  updatedAt: z.number(),
  content: z.string(),
});
export type ResearchFile = z.infer<typeof ResearchFile>;

export const TimelineEntry = z.object({ short_description: z.string(), message: z.string(), created_at: z.number() });
export type TimelineEntry = z.infer<typeof TimelineEntry>;

/** An entry of the source ledger. */
export const LedgerSource = z.object({
  n: position,
  title: z.string(),
  /** Null for a source of the student's own library. */
  url: z.string().nullable(),
  host: z.string(),
  via: SearchSource,
  kind: z.enum(["page", "file", "video", "encyclopedia", "paper", "web"]),
  status: z.enum(["reading", "read", "abstract", "copy", "unreachable", "refused"]),
  copyOf: position.nullable(),
  problem: SearchProblem.nullable(),
  fetchedAt: z.number(),
  /** Hash of the snapshot's text; empty until the source was read. */
  sha256: z.string(),
  /** The exact version that was read: a revision, or the version of a library source. */
  revision: z.string().nullable(),
  licence: z.string().nullable(),
  authors: z.array(z.string()),
  year: z.int().nullable(),
  container: z.string().nullable(),
  doi: z.string().nullable(),
  /** Withdrawn by its publisher. */
  isRetracted: z.boolean(),
  /** The result of the last re-check. */
  recheck: z.object({ at: z.number(), state: z.enum(["same", "changed", "gone", "unreachable"]) }).nullable(),
});
export type LedgerSource = z.infer<typeof LedgerSource>;

/** A verified quote. `source` is its number in the ledger; `citation` opens a source of the library. */
export const ResearchCitation = z.object({
  n: position,
  source: position,
  quote: z.string(),
  /** The text around the quote. */
  passage: z.string(),
  passageId: z.string(),
  citation: z.string().nullable(),
  /** Page of a document. */
  page: position.nullable(),
  startMs: z.number().nullable(),
});
export type ResearchCitation = z.infer<typeof ResearchCitation>;

export const CanvasSentence = z.object({
  text: z.string(),
  /** Numbers of citations. */
  cites: z.array(position),
  /** False for a sentence that no source supports; only shown outside of strict mode. */
  isSupported: z.boolean(),
  /** The source's heading above this sentence, if it begins a paragraph or a disagreement under another heading. */
  heading: z.string().optional(),
});
export type CanvasSentence = z.infer<typeof CanvasSentence>;

export const Disagreement = z.object({
  /** How the two differ: in figures, by a negation, or by opposed words. */
  kind: z.enum(["figures", "negation", "opposites"]),
  /** The terms that both sentences share. */
  about: z.string(),
  sides: z.array(CanvasSentence).length(2),
  /** The number of paragraphs of its section before it; missing in older sessions, where it comes after all of them. */
  paragraphsBefore: z.int().min(0).optional(),
});
export type Disagreement = z.infer<typeof Disagreement>;

/** Standard headings that a session without a model adds to the student's own questions. */
export const TopicHeading = z.enum(["definition", "kinds", "workings", "figures", "limits", "more"]);
export type TopicHeading = z.infer<typeof TopicHeading>;

/** One sub-question of the canvas. */
export const CanvasSection = z.object({
  id,
  heading: z.string(),
  /** Set if the heading is a standard one, which screens translate. */
  topic: TopicHeading.nullable(),
  status: z.enum(["waiting", "searching", "written", "not_found"]),
  paragraphs: z.array(z.array(CanvasSentence)),
  disagreements: z.array(Disagreement),
  /** Keywords of the question that no passage contains. */
  missing: z.array(z.string()).optional(),
  /** Set if only the library was searched for the question, because of this limit. */
  notAsked: SearchLimit.optional(),
});
export type CanvasSection = z.infer<typeof CanvasSection>;

const ResearchRunStatus = z.enum(["idle", "running", "done", "stopped", "failed"]);

/** The latest run of a session. */
export const ResearchRunState = z.object({
  /** The id of the history entry with the question; empty before the first. */
  id: z.string(),
  status: ResearchRunStatus,
  /** The last event that the session includes; a client follows the events after it. */
  seq: z.int().min(0),
  depth: ResearchDepth,
  lookIn: z.array(SearchSource),
  startedAt: z.number(),
  endedAt: z.number().nullable(),
  pagesRead: z.int().min(0),
  tokens: z.int().min(0),
  /** Numbers of sentences that were verified and that were left out. */
  verified: z.int().min(0),
  leftOut: z.int().min(0),
  /** The step of the run at its last event. */
  currentTask: z.string().nullable(),
  model: z.string().nullable(),
  error: z.string().nullable(),
  errorReason: ReasonRef.optional(),
});
export type ResearchRunState = z.infer<typeof ResearchRunState>;

/** A session in a list. */
export const ResearchSummary = z.object({
  _id: id,
  conversation_title: z.string(),
  created_at: z.number(),
  last_opened: z.number(),
  user_id: z.string(),
  snippet: z.string(),
  is_archived: z.boolean(),
  archived_at: z.number().nullable(),
  run: ResearchRunState,
});
export type ResearchSummary = z.infer<typeof ResearchSummary>;

/** A session in the lists of the library. */
export const ResearchListItem = ResearchSummary.pick({
  _id: true,
  conversation_title: true,
  created_at: true,
  last_opened: true,
  is_archived: true,
  archived_at: true,
});
export type ResearchListItem = z.infer<typeof ResearchListItem>;

export const MAX_NOTES_CHARS = 200_000;
/** Two versions of a section that were written at the same time are stored as one text. */
export const MAX_EDIT_CHARS = 60_000;

/** The student's version of a section, with markers `[^n]`; runs do not change it. */
export const SectionEdit = z.object({ section: id, text: z.string().max(MAX_EDIT_CHARS), edited_at: z.number() });
export type SectionEdit = z.infer<typeof SectionEdit>;

export const ResearchSession = ResearchSummary.extend({
  read_only: z.boolean(),
  history: z.array(ResearchHistoryEntry),
  /** The canvas as Markdown, written from `sections`. */
  canvas: z.string(),
  canvas_version: z.int().min(0),
  sections: z.array(CanvasSection),
  citations: z.array(ResearchCitation),
  sources: z.array(LedgerSource),
  files: z.array(ResearchFile),
  tool_instances: z.array(ResearchTool),
  timeline: z.array(TimelineEntry),
  /** The student's own notes; runs do not change them. */
  notes: z.string(),
  /** The student's versions of sections; the original sections stay in `sections`. */
  edits: z.array(SectionEdit),
});
export type ResearchSession = z.infer<typeof ResearchSession>;

/** A passage of a stored snapshot. */
export const SnapshotPassage = z.object({
  id: z.string(),
  text: z.string(),
  page: position.nullable(),
  heading: z.string().nullable(),
  startMs: z.number().nullable(),
  /** The number of passages before it in its source. Missing if the snapshot is in the order of the source. */
  position: z.int().min(0).optional(),
});
export type SnapshotPassage = z.infer<typeof SnapshotPassage>;

const seq = { seq: z.int().min(0) };

/** `seq` numbers the stored events of a run; a reconnecting client requests the events after the last one it has. */
export const ResearchEvent = z.discriminatedUnion("type", [
  z.object({ ...seq, type: z.literal("conversation_id"), conversationId: id }),
  z.object({ ...seq, type: z.literal("title_update"), title: z.string() }),
  z.object({ ...seq, type: z.literal("history"), entry: ResearchHistoryEntry }),
  z.object({ ...seq, type: z.literal("current_task_id"), task_id: id.nullable() }),
  z.object({
    ...seq,
    type: z.literal("tool_instance"),
    tool: ResearchTool,
    /** Entries of the ledger that the call added or changed. */
    sources: z.array(LedgerSource),
    run: ResearchRunState.optional(),
  }),
  z.object({
    ...seq,
    type: z.literal("file_update"),
    action: z.enum(["create", "write", "delete"]),
    name: z.string(),
    content: z.string(),
    at: z.number(),
  }),
  z.object({
    ...seq,
    type: z.literal("canvas_update"),
    /** The section that changed; null for the whole canvas. */
    section: id.nullable(),
    /** The whole canvas as Markdown. */
    text: z.string(),
    version: z.int(),
    sections: z.array(CanvasSection),
    /** New citations. */
    citations: z.array(ResearchCitation),
    sources: z.array(LedgerSource),
  }),
  z.object({ ...seq, type: z.literal("assistant_message_chunk"), text: z.string() }),
  z.object({
    ...seq,
    type: z.literal("assistant_message_final"),
    text: z.string(),
    sources: z.int(),
    verified: z.int(),
    leftOut: z.int(),
    tokens: z.int(),
    run: ResearchRunState,
  }),
  z.object({ ...seq, type: z.literal("error"), code: z.string(), message: z.string(), ...ReasonRef.shape }),
]);
export type ResearchEvent = z.infer<typeof ResearchEvent>;
