import type { LedgerSource, ResearchTool } from "#shared/research/schema.ts";
import { maySearch } from "#shared/research/rules.ts";
import { searchWords } from "#shared/research/plan/decompose.ts";
import { addToPool, type Gathering } from "./gathering.ts";
import { searchLibrary } from "./search-library.ts";
import { searchService } from "./search-web.ts";

async function readLibrary({ deps, own, draft, gathered, task, expansionTerms }: Gathering): Promise<void> {
  const startedAt = deps.clock.now();
  const query = [searchWords(task.query), ...expansionTerms].join(" ").trim();
  const question = task.topic === null && expansionTerms.length === 0 ? task.query : null;
  const { pool, sources, found } = await searchLibrary({ deps, own, gathered }, { query, question });
  addToPool(draft, pool);
  const tool: ResearchTool = {
    id: `${draft.state.run.id}.${task.id}.${draft.state.round}.library`,
    task_id: task.id,
    name: "read_library",
    args: { query, source: "library" },
    status: "done",
    summary: `${found} passages of ${sources.length} sources`,
    found,
    problem: null,
    sources: sources.map(({ n }: LedgerSource) => n),
    started_at: startedAt,
    ended_at: deps.clock.now(),
  };
  draft.putTool(tool, sources);
}

/** Searches every enabled source for passages on a task. */
export async function gatherPassages(gathering: Gathering): Promise<void> {
  // The section with further answers uses the passages that were found for the question.
  if (gathering.task.topic === "more") return;
  const { lookIn } = gathering.draft.state.run;
  if (lookIn.includes("library")) await readLibrary(gathering);
  // Terms learned from the library are not sent to other services, unless the student allows it.
  const expansionTerms = gathering.input.mayQuoteLibrary ? gathering.expansionTerms : gathering.outsideExpansionTerms;
  if (gathering.draft.state.round > 0 && expansionTerms.length === 0) return;
  for (const name of lookIn) {
    if (name === "library" || !maySearch(gathering.draft.state.run, gathering.deps.clock.now())) continue;
    await searchService({ ...gathering, expansionTerms }, name);
  }
}
