import type { ResearchTask } from "#shared/research/plan/decompose.ts";
import type { LedgerSource, ResearchTool } from "#shared/research/schema.ts";
import { maySearch } from "#shared/research/rules.ts";
import { contentQuery } from "#shared/text/query-stopwords.ts";
import type { Deps } from "#api/http/handler.ts";
import type { Own } from "#api/store/owned-store.ts";
import type { GatheredSources } from "./gathered-sources.ts";
import type { ResearchJobInput } from "./run-input.ts";
import type { PooledPassage, ResearchDraft } from "./run-state.ts";
import { searchLibrary } from "./search-library.ts";
import { searchService } from "./search-web.ts";

export interface Gathering {
  deps: Deps;
  own: Own;
  draft: ResearchDraft;
  gathered: GatheredSources;
  input: ResearchJobInput;
  task: ResearchTask;
  /** Terms of the first round, for the second. */
  learned: readonly string[];
  /** Stores and shows what is being done, before something slow. */
  announce: () => Promise<void>;
  signal: AbortSignal;
}

/** Adds passages to the pool; each stands there once, with its best score. */
export function addToPool(draft: ResearchDraft, found: readonly PooledPassage[]): void {
  const pool = new Map(draft.state.pool.map((one) => [`${one.source} ${one.passageId}`, one]));
  for (const one of found) {
    const key = `${one.source} ${one.passageId}`;
    if ((pool.get(key)?.score ?? -1) < one.score) pool.set(key, one);
  }
  draft.state.pool = [...pool.values()];
}

async function readLibrary({ deps, own, draft, gathered, task, learned }: Gathering): Promise<void> {
  const startedAt = deps.clock.now();
  const query = [contentQuery(task.query), ...learned].join(" ").trim();
  const { pool, sources, found } = await searchLibrary({ deps, own, gathered }, query);
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

/** Looks for passages on a task in every source that is switched on. */
export async function gatherPassages(gathering: Gathering): Promise<void> {
  const { lookIn } = gathering.draft.state.run;
  if (lookIn.includes("library")) await readLibrary(gathering);
  // Words learnt from the library stay here; a service is asked the student's own question once.
  if (gathering.draft.state.round > 0) return;
  for (const name of lookIn) {
    if (name === "library" || !maySearch(gathering.draft.state.run, gathering.deps.clock.now())) continue;
    await searchService(gathering, name);
  }
}
