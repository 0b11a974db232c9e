import { retentionMs } from "#shared/retention.ts";
import type { Change } from "#shared/sync/schema.ts";
import { ulid } from "ulid";
import type { Deps } from "#api/http/handler.ts";
import { removeFromLists } from "#api/library/remove-from-lists.ts";
import { publishChanges } from "#api/store/account-changes.ts";
import { ownedBy, type Own } from "#api/store/owned-store.ts";
import { canvasIndexOf } from "#api/store/search/canvas-index.ts";
import { listArchivedResearch, removeResearchSession } from "./store.ts";

/** Archived sessions can be restored for as long as anything else that was deleted. */
const RETENTION_MS = retentionMs("deletedItems");

/** Lets every open browser of the account reload its lists of sessions, and the session if it is shown. */
export const publishResearch = (
  own: Own,
  sessionId: string,
  details: Readonly<Pick<Change, "requestId" | "isTextOnly">> = {},
) => publishChanges(own, [{ kind: "research", ids: [sessionId], ...details }]);

interface ErasingDeps extends Pick<Deps, "index" | "clock"> {
  own: Own;
}

/** Deletes a session permanently, with its snapshots, its index entry and its position in folders. */
export async function eraseResearch({ own, index, clock }: ErasingDeps, sessionId: string): Promise<void> {
  await index.remove(canvasIndexOf(own.ownerId), [sessionId]);
  await removeResearchSession(own, sessionId);
  await removeFromLists(own, sessionId, `research:${ulid(clock.now())}`);
  await publishResearch(own, sessionId);
}

/** Erases archived sessions whose retention is over; returns how many. */
export async function eraseArchivedResearch(deps: Pick<Deps, "store" | "index" | "clock">): Promise<number> {
  const due = await listArchivedResearch(deps.store, deps.clock.now() - RETENTION_MS);
  for (const { ownerId, sessionId } of due)
    await eraseResearch({ ...deps, own: ownedBy(deps.store, ownerId) }, sessionId);
  return due.length;
}
