import { idleRun } from "#shared/research/rules.ts";
import type { ResearchSession } from "#shared/research/schema.ts";

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
