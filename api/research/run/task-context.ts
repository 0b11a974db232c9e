import type { ResearchTask } from "#shared/research/plan/decompose.ts";
import type { Deps } from "#api/http/handler.ts";
import type { Own } from "#api/store/owned-store.ts";
import type { GatheredSources } from "./gathered-sources.ts";
import type { ResearchJobInput } from "./run-input.ts";
import type { PooledPassage, ResearchDraft } from "./run-state.ts";

export interface TaskContext {
  deps: Deps;
  own: Own;
  draft: ResearchDraft;
  gathered: GatheredSources;
  input: ResearchJobInput;
  task: ResearchTask;
  /** Query expansion: terms found in the first round, added to the query of the second. */
  expansionTerms: readonly string[];
  /** The expansion terms that do not come from the student's library, so they may be sent to a web search. */
  outsideExpansionTerms: readonly string[];
  /** Saves the state and shows it to the student. Call it before a slow step. */
  saveProgress: () => Promise<void>;
  signal: AbortSignal;
}

/** Adds passages to the pool, which contains each passage once, with its best score. */
export function addToPool(draft: ResearchDraft, found: readonly PooledPassage[]): void {
  const pool = new Map(draft.state.pool.map((passage) => [`${passage.source} ${passage.passageId}`, passage]));
  for (const passage of found) {
    const key = `${passage.source} ${passage.passageId}`;
    if ((pool.get(key)?.score ?? -1) < passage.score) pool.set(key, passage);
  }
  draft.state.pool = [...pool.values()];
}
