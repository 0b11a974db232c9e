import { createHash } from "node:crypto";
import { Failure } from "#shared/contract/failure.ts";
import { sumStoredBytes } from "#api/blobs/file-records.ts";
import { releaseStorage, reserveStorage } from "#api/blobs/storage-quota.ts";
import { users } from "#api/http/authenticate.ts";
import type { Deps } from "#api/http/handler.ts";
import type { Own } from "#api/store/owned-store.ts";
import { type FileEntry, findTexts, listTextSizes, removeText, saveText } from "./store.ts";

/** Dependencies for storing the texts of a project. */
export interface TextsContext extends Pick<Deps, "clock" | "settings" | "store"> {
  own: Own;
}

const hashOf = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 40);

/** Stores the texts that are new and counts them against the account's quota. */
export async function storeTexts(
  ctx: TextsContext,
  projectId: string,
  files: ReadonlyMap<string, string>,
): Promise<FileEntry[]> {
  const { own, store } = ctx;
  const entries = [...files].map(([path, text]) => ({ path, hash: hashOf(text), sizeBytes: Buffer.byteLength(text) }));
  const texts = new Map(entries.map((entry) => [entry.hash, { ...entry, text: files.get(entry.path) ?? "" }]));
  for (const { hash } of await findTexts(own, projectId, [...texts.keys()])) texts.delete(hash);
  if (texts.size === 0) return entries;
  const account = await store.collection(users).get(own.ownerId);
  if (!account) throw new Failure("not_found", "no_website");
  let unstored = [...texts.values()].reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  await reserveStorage({ ...ctx, caller: account }, unstored, sumStoredBytes);
  try {
    for (const { hash, text, sizeBytes } of texts.values())
      if ((await saveText(own, { projectId, hash, text, sizeBytes })) === "inserted") unstored -= sizeBytes;
  } finally {
    // Another request stored the same text, or the store failed.
    if (unstored > 0) await releaseStorage(own, unstored);
  }
  return entries;
}

/** Removes texts that checkpoints no longer use, and releases their storage. */
export async function eraseTexts(own: Own, projectId: string, files: Iterable<FileEntry>): Promise<void> {
  let erased = 0;
  for (const { hash, sizeBytes } of files) if ((await removeText(own, projectId, hash)) > 0) erased += sizeBytes;
  if (erased > 0) await releaseStorage(own, erased);
}

/** The bytes of storage that deleting a project releases. */
export const sumProjectBytes = async (own: Own, projectId: string): Promise<number> =>
  (await listTextSizes(own, projectId)).reduce((sum, { sizeBytes = 0 }) => sum + sizeBytes, 0);
