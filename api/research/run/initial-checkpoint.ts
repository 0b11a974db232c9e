import type { ContentDoc, ResearchSessionDoc } from "../store.ts";
import type { ResearchJobInput } from "./run-input.ts";
import type { RunCheckpoint } from "./run-state.ts";

/**
 * The first checkpoint of a run. Sources, sections and citations of earlier questions are kept, and numbering
 * continues.
 */
export function createInitialCheckpoint(
  session: ResearchSessionDoc,
  content: ContentDoc,
  { runId, keys }: Pick<ResearchJobInput, "runId"> & Pick<RunCheckpoint, "keys">,
): RunCheckpoint {
  return {
    phase: "plan",
    task: 0,
    round: 0,
    tasks: [],
    pool: [],
    learned: null,
    search: null,
    queries: 0,
    hasModelFailed: false,
    writtenByModel: [],
    title: session.conversation_title,
    run: { ...session.run, id: runId },
    keys,
    history: content.history,
    canvasVersion: content.canvas_version,
    sections: content.sections,
    citations: content.citations,
    sources: content.sources,
    files: content.files,
    tools: content.tool_instances,
  };
}
