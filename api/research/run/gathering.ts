import type { ResearchTask } from "#shared/research/plan/decompose.ts";
import type { Deps } from "#api/http/handler.ts";
import type { Own } from "#api/store/owned-store.ts";
import type { GatheredSources } from "./gathered-sources.ts";
import type { ResearchJobInput } from "./run-input.ts";
import type { PooledPassage, ResearchDraft } from "./run-state.ts";

export interface Gathering {
  deps: Deps;
  own: Own;
  draft: ResearchDraft;
  gathered: GatheredSources;
  input: ResearchJobInput;
  task: ResearchTask;
  /** Query expansion: terms found in the first round, added to the query of the second. */
  expansionTerms: readonly string[];
  /** Those of them that do not come from the student's library, so they may be sent to a web search. */
  outsideExpansionTerms: readonly string[];
  /** Saves the state and shows it. Call it before a slow step. */
  saveProgress: () => Promise<void>;
  signal: AbortSignal;
}

/** Adds passages to the pool, which holds each passage once, with its best score. */
export function addToPool(draft: ResearchDraft, found: readonly PooledPassage[]): void {
  const pool = new Map(draft.state.pool.map((one) => [`${one.source} ${one.passageId}`, one]));
  for (const one of found) {
    const key = `${one.source} ${one.passageId}`;
    if ((pool.get(key)?.score ?? -1) < one.score) pool.set(key, one);
  }
  draft.state.pool = [...pool.values()];
}
