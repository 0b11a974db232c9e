import type { SearchSource, SearchSourceState } from "#shared/research/schema.ts";

/** The sources that can be switched on here. */
export function readSourceStates(): SearchSourceState[] {
  return [{ name: "library", state: "ready", problem: null, retryAt: null }];
}

export const listAvailableSources = (): SearchSource[] => readSourceStates().map(({ name }) => name);
