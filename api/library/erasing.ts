import { findFile, isBlobNamed, removeFile } from "#api/blobs/file-records.ts";
import type { Deps } from "#api/http/handler.ts";
import { repeat } from "#api/jobs/repeating.ts";
import { forgetDeck } from "#api/flashcards/service.ts";
import {
  eraseComponent,
  eraseEmptyPages,
  type GoneComponent,
  isFileShown,
  KEPT_DELETED_MS,
  listGone,
  removeThumbnail,
} from "#api/pages/service.ts";
import { forgetContent, forgetMarks } from "#api/pdf/service.ts";
import { forgetTranscripts } from "#api/video/service.ts";

type Parts = Pick<Deps, "store" | "index" | "clock">;

const EVERY_MS = 6 * 60 * 60 * 1000;

/**
 * Permanently erases components whose retention is over, with all derived data: extracted text, OCR, transcripts,
 * annotations, highlights, coverage and index entries. File contents go when nothing refers to them any more. Every
 * step can be repeated; the component itself goes last. Returns how many were erased.
 */
export async function eraseDeleted({ store, index, clock }: Parts): Promise<number> {
  const before = clock.now() - KEPT_DELETED_MS;
  const gone = await listGone(store, before);
  for (const component of gone) {
    const { own, id } = component;
    await index.remove(own.ownerId, [`file:${id}`, `video:${id}`, `deck:${id}`]);
    await Promise.all([forgetMarks(own, id), forgetTranscripts(own, id), forgetDeck(own, id)]);
    await eraseComponent(component);
    await forgetFile(component);
  }
  await eraseEmptyPages(store, before);
  return gone.length;
}

async function forgetFile({ own, fileId }: GoneComponent): Promise<void> {
  if (fileId === null || (await isFileShown(own, fileId))) return;
  const file = await findFile(own, fileId);
  await removeThumbnail(own, fileId);
  await removeFile(own, fileId);
  // Keep what was extracted if another file of the account has the same content.
  if (file && !(await isBlobNamed(own, file.blobKey))) await forgetContent(own, file.blobKey);
}

/** Erases at intervals; returns a function that stops it. */
export const keepErasing = (deps: Deps): (() => void) =>
  repeat({
    everyMs: EVERY_MS,
    log: deps.log,
    failed: "could not erase deleted components",
    work: () => eraseDeleted(deps),
  });
