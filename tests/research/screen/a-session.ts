import { idleRun } from "#shared/research/rules.ts";
import type { CanvasSection, LedgerSource, ResearchSession } from "#shared/research/schema.ts";

/** A session whose run has ended without writing anything. */
export const aSession = (more: Partial<ResearchSession> = {}): ResearchSession => ({
  _id: "session-1",
  conversation_title: "Tides",
  created_at: 1,
  last_opened: 1,
  user_id: "ada",
  snippet: "",
  is_archived: false,
  archived_at: null,
  run: { ...idleRun, id: "run-1", status: "done" },
  read_only: false,
  history: [],
  canvas: "",
  canvas_version: 0,
  sections: [],
  citations: [],
  sources: [],
  files: [],
  tool_instances: [],
  timeline: [],
  notes: "",
  edits: [],
  ...more,
});

/** A written section with one sentence. */
export const tidesSection: CanvasSection = {
  id: "r1t1",
  heading: "Tides",
  topic: null,
  status: "written",
  paragraphs: [[{ text: "The Moon causes the tides.", cites: [], isSupported: true }]],
  disagreements: [],
};

/** A web page that a session has read. */
export const aSource = (n: number, title: string): LedgerSource => ({
  n,
  title,
  url: "https://example.org/tides",
  host: "example.org",
  via: "web",
  kind: "web",
  status: "read",
  copyOf: null,
  problem: null,
  fetchedAt: 1,
  sha256: "abc",
  revision: null,
  licence: null,
  authors: [],
  year: null,
  container: null,
  doi: null,
  isRetracted: false,
  recheck: null,
});
