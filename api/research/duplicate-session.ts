import { ulid } from "ulid";
import { Failure } from "#shared/contract/failure.ts";
import type { Own } from "#api/store/owned-store.ts";
import { findResearchContent, insertResearchSession, listSnapshots, saveSnapshot } from "./store.ts";

/** Copies a session of `from` into the account of `own`, with canvas, ledger and snapshots; returns the copy's id. */
export async function duplicateResearch(
  own: Own,
  from: Own,
  { sessionId, title, now }: { sessionId: string; title: string; now: number },
): Promise<string> {
  const content = await findResearchContent(from, sessionId);
  if (!content) throw new Failure("not_found", "no_research");
  const { _id, ownerId: _owner, sessionId: _session, notes, ...copied } = content;
  const copyId = ulid();
  for (const { n, key, passages } of await listSnapshots(from, sessionId))
    await saveSnapshot(own, { sessionId: copyId, n, key, passages });
  const isOwn = own.ownerId === from.ownerId;
  await insertResearchSession(own, { sessionId: copyId, title, now }, { ...copied, notes: isOwn ? notes : "" });
  return copyId;
}
