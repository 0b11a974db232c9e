import { createHash } from "node:crypto";
import { listRecognisedFiles } from "#api/blobs/file-records.ts";
import { readChanges } from "#api/store/changes.ts";
import type { DocumentStore } from "#api/store/port.ts";
import type { Own } from "#api/store/owned.ts";
import { transcriptRevisions } from "#api/video/service.ts";
import type { Source } from "./sources.ts";

interface Known {
  mark: string;
  sources: ReadonlyMap<string, Source>;
  at: number;
}

/** Sources cached in this process, over all accounts. */
const MAX_SOURCES = 400_000;
/** Changes alter the fingerprint; one that was not recorded, as with a full disk, is noticed after this time. */
const FRESH_MS = 30 * 60_000;

/** Sources of each account when its index was last complete; the most recently used account is last. */
const remembered = new WeakMap<DocumentStore, Map<string, Known>>();

/** Fingerprint of everything indexable; changes whenever any source might have changed. */
export async function markOf(own: Own): Promise<string> {
  const [{ seq }, recognised, said] = await Promise.all([
    readChanges(own, undefined),
    listRecognisedFiles(own),
    transcriptRevisions(own),
  ]);
  const files = recognised.map(({ _id, textAt }) => `${_id}.${textAt}`).join();
  return createHash("sha256")
    .update(`${seq} ${files} ${JSON.stringify([...said])}`)
    .digest("base64url");
}

/** The cached sources for this fingerprint: the index is complete and current for them. */
export function recallSources(own: Own, mark: string): ReadonlyMap<string, Source> | undefined {
  const held = remembered.get(own.store);
  const known = held?.get(own.ownerId);
  if (!held || !known) return undefined;
  held.delete(own.ownerId);
  if (known.mark !== mark || performance.now() - known.at > FRESH_MS) return undefined;
  held.set(own.ownerId, known);
  return known.sources;
}

export function rememberSources(own: Own, mark: string, sources: ReadonlyMap<string, Source>): void {
  const held = remembered.get(own.store) ?? new Map<string, Known>();
  remembered.set(own.store, held);
  held.set(own.ownerId, { mark, sources, at: performance.now() });
  let count = [...held.values()].reduce((sum, known) => sum + known.sources.size, 0);
  for (const [ownerId, known] of held) {
    if (count <= MAX_SOURCES || held.size === 1) break;
    held.delete(ownerId);
    count -= known.sources.size;
  }
}
