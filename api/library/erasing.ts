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
 * Takes away for good what was deleted long ago, with all that was made from it: readings, recognised pages,
 * transcripts, marks, highlights, coverage and what is searched. The bytes go when nothing names them any more.
 * Each step can be repeated; the component itself goes last. Answers how many went.
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
  // The same bytes under another file of the account keep what was read of them.
  if (file && !(await isBlobNamed(own, file.blobKey))) await forgetContent(own, file.blobKey);
}

/** Erases now and then until it is stopped; answers how to stop. */
export const keepErasing = (deps: Deps): (() => void) =>
  repeat({
    everyMs: EVERY_MS,
    log: deps.log,
    failed: "could not erase what was deleted",
    work: () => eraseDeleted(deps),
  });
