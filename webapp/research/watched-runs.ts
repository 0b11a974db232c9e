import { logWarning } from "#webapp/app/log.ts";

// Of this tab alone: each tab announces the runs whose screens were left in it.
const keyOf = (accountId: string) => `lamplight-watched-research-${accountId}`;

/** The sessions whose running question this tab watches, also after a reload. */
export function listWatchedRuns(accountId: string): string[] {
  try {
    return sessionStorage.getItem(keyOf(accountId))?.split(" ") ?? [];
  } catch {
    return [];
  }
}

function storeWatchedRuns(accountId: string, ids: readonly string[]): void {
  try {
    if (ids.length === 0) sessionStorage.removeItem(keyOf(accountId));
    else sessionStorage.setItem(keyOf(accountId), ids.join(" "));
  } catch (error) {
    logWarning("Could not store which runs are watched", error);
  }
}

export const addWatchedRun = (accountId: string, id: string): void =>
  storeWatchedRuns(accountId, [...new Set([...listWatchedRuns(accountId), id])]);

export const removeWatchedRun = (accountId: string, id: string): void =>
  storeWatchedRuns(
    accountId,
    listWatchedRuns(accountId).filter((other) => other !== id),
  );
