import { findFile, isBlobReferenced, removeFile } from "#api/blobs/file-records.ts";
import type { Deps, UserCtx } from "#api/http/handler.ts";
import type { Own } from "#api/store/owned-store.ts";
import { runRepeatedly } from "#api/jobs/repeated-task.ts";
import { runAllSteps, runForAll } from "#api/jobs/run-all.ts";
import { eraseSourceTexts, removeDeckExtras } from "#api/flashcards/store.ts";
import {
  eraseComponent,
  eraseEmptyPages,
  type ComponentToErase,
  isFileReferenced,
  isStillDeleted,
  DELETED_RETENTION_MS,
  listDeletedFiles,
  listComponentsToErase,
} from "#api/pages/erase-components.ts";
import { removeThumbnail } from "#api/uploads/thumbnails.ts";
import { removeExtractedContent } from "#api/pdf/store.ts";
import { eraseAnnotations, removeAnnotations } from "#api/pdf/annotations.ts";
import { removeTranscripts } from "#api/video/store.ts";
import { eraseFolders } from "./store.ts";

type ErasingDeps = Pick<Deps, "store" | "index" | "clock">;

const INTERVAL_MS = 6 * 60 * 60 * 1000;

/**
 * Permanently erases components whose retention is over, with all derived data: extracted text, OCR, transcripts,
 * annotations, highlights, coverage and index entries. File contents are erased once nothing refers to them. Every step
 * can be repeated, because the component itself is erased last. Also erases deleted annotations and folders, and texts of
 * generations that never ended. Returns how many components were erased; what fails does not stop the others, and
 * is thrown at the end.
 */
export async function eraseDeleted({ store, index, clock }: ErasingDeps): Promise<number> {
  const before = clock.now() - DELETED_RETENTION_MS;
  let erased = 0;
  const eraseComponents = async () =>
    runForAll(await listComponentsToErase(store, before), async (component) => {
      if (await eraseIfDeleted(index, component)) erased += 1;
    });
  await runAllSteps([
    eraseComponents,
    () => eraseEmptyPages(store, before),
    () => eraseAnnotations(store, before),
    () => eraseFolders(store, before),
    () => eraseSourceTexts(store, clock.now()),
  ]);
  return erased;
}

/** Erases the account's deleted files at once, so that their space is free. Returns how many. */
export async function eraseDeletedFiles({ own, index }: Pick<UserCtx, "own" | "index">): Promise<number> {
  let erased = 0;
  for (const component of await listDeletedFiles(own)) if (await eraseIfDeleted(index, component)) erased += 1;
  return erased;
}

/** Bytes that `eraseDeletedFiles` would free. */
export async function sumDeletedFiles(own: Own): Promise<number> {
  let bytes = 0;
  for (const { fileId } of await listDeletedFiles(own))
    bytes += (fileId === null ? undefined : await findFile(own, fileId))?.sizeBytes ?? 0;
  return bytes;
}

/** Erases a component unless the student has restored it; returns whether it was erased. */
async function eraseIfDeleted(index: Deps["index"], component: ComponentToErase): Promise<boolean> {
  if (!(await isStillDeleted(component))) return false;
  const { own, id } = component;
  await index.remove(own.ownerId, [`file:${id}`, `video:${id}`, `deck:${id}`]);
  await Promise.all([removeAnnotations(own, id), removeTranscripts(own, id), removeDeckExtras(own, id)]);
  await eraseFile(component);
  await eraseComponent(component);
  return true;
}

/** Erases the file of a component unless another component has it. The record comes last, because it names the blob. */
async function eraseFile({ own, id, fileId }: ComponentToErase): Promise<void> {
  if (fileId === null || (await isFileReferenced(own, { fileId, exceptBy: id }))) return;
  const file = await findFile(own, fileId);
  // Keep what was extracted if another file of the account has the same content.
  if (file && !(await isBlobReferenced(own, { blobKey: file.blobKey, exceptBy: fileId })))
    await removeExtractedContent(own, file.blobKey);
  await removeThumbnail(own, fileId);
  await removeFile(own, fileId);
}

/** Erases at intervals; returns a function that stops it. */
export const startErasing = (deps: Deps): (() => void) =>
  runRepeatedly({
    intervalMs: INTERVAL_MS,
    log: deps.log,
    failureMessage: "could not erase deleted components",
    work: () => eraseDeleted(deps),
  });
