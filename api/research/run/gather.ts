import type { LedgerSource, ResearchTool, SearchLimit } from "#shared/research/schema.ts";
import { depthLimits, reachedLimit } from "#shared/research/rules.ts";
import { searchWords } from "#shared/research/plan/decompose.ts";
import { addToPool, type TaskContext } from "./task-context.ts";
import { searchLibrary } from "./search-library.ts";
import { searchService } from "./search-web.ts";
import { pageBudgetOfTask } from "./source-share.ts";

async function readLibrary({ deps, own, draft, gathered, task, expansionTerms }: TaskContext): Promise<void> {
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

/** The limit for which no service is asked any more. */
function findLimit({ draft, deps }: TaskContext): SearchLimit | undefined {
  const { run, queries } = draft.state;
  if (run.pagesRead >= pageBudgetOfTask(draft.state)) return "sources";
  return queries >= depthLimits[run.depth].queries * run.lookIn.length
    ? "queries"
    : reachedLimit(run, deps.clock.now());
}

/** Shows that services were not asked about a task. */
function putNotAsked({ draft, deps, task }: TaskContext, limit: SearchLimit): void {
  const now = deps.clock.now();
  draft.putTool({
    id: `${draft.state.run.id}.${task.id}.limit`,
    task_id: task.id,
    name: "search",
    args: {},
    status: "done",
    summary: `not asked: limit of ${limit}`,
    found: 0,
    problem: null,
    notAsked: limit,
    sources: [],
    started_at: now,
    ended_at: now,
  });
}

/** Searches every enabled source for passages on a task. */
export async function gatherPassages(context: TaskContext): Promise<void> {
  // The section with further answers uses the passages that were found for the question.
  if (context.task.topic === "more") return;
  const { lookIn } = context.draft.state.run;
  if (lookIn.includes("library")) await readLibrary(context);
  // Terms learned from the library are not sent to other services, unless the student allows it.
  const expansionTerms = context.input.mayQuoteLibrary ? context.expansionTerms : context.outsideExpansionTerms;
  if (context.draft.state.round > 0 && expansionTerms.length === 0) return;
  const { state } = context.draft;
  const services = lookIn.filter((name) => name !== "library");
  // Each task begins with another service, so that none comes last every time.
  const first = state.task % Math.max(1, services.length);
  const inTurn = [...services.slice(first), ...services.slice(0, first)];
  for (const [at, name] of inTurn.entries()) {
    const limit = findLimit(context);
    if (limit !== undefined) {
      if (state.round === 0) putNotAsked(context, limit);
      return;
    }
    const { pagesRead } = state.run;
    const share = Math.ceil((pageBudgetOfTask(state) - pagesRead) / (inTurn.length - at));
    await searchService({ ...context, expansionTerms }, name, pagesRead + share);
  }
}
