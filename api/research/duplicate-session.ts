import { ulid } from "ulid";
import { Failure } from "#shared/contract/failure.ts";
import type { Own } from "#api/store/owned-store.ts";
import {
  findResearchContent,
  findResearchSession,
  insertResearchSession,
  listSnapshots,
  presentToOthers,
  saveSnapshot,
} from "./store.ts";

/** Copies a session of `from` into the account of `own`, with canvas, ledger and snapshots; returns the copy's id. */
export async function duplicateResearch(
  own: Own,
  from: Own,
  { sessionId, title, now }: { sessionId: string; title: string; now: number },
): Promise<string> {
  const [session, stored] = await Promise.all([
    findResearchSession(from, sessionId),
    findResearchContent(from, sessionId),
  ]);
  if (!session || !stored) throw new Failure("not_found", "no_research");
  const isOwn = own.ownerId === from.ownerId;
  const content = isOwn ? stored : presentToOthers(stored);
  const { _id, ownerId: _owner, sessionId: _session, ...copied } = content;
  const copyId = ulid();
  for (const { n, key, passages } of await listSnapshots(from, sessionId))
    if (isOwn || !key.startsWith("library:")) await saveSnapshot(own, { sessionId: copyId, n, key, passages });
  // The copy has no run of its own, so a running session is copied as stopped.
  const status = session.run.status === "running" ? "stopped" : session.run.status;
  const run = { ...session.run, status, currentTask: null };
  await insertResearchSession(own, { sessionId: copyId, title, now, run }, copied);
  return copyId;
}
