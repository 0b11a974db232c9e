import { ulid } from "ulid";
import { Failure } from "#shared/contract/failure.ts";
import { isSitePath, SITE_LIMITS } from "#shared/website/rules.ts";
import { SiteDocument, type CheckpointReason } from "#shared/website/schema.ts";
import type { Own } from "#api/store/owned-store.ts";
import {
  advanceProject,
  type CheckpointDoc,
  type FileEntry,
  findCheckpoint,
  findProject,
  findTexts,
  insertCheckpoint,
  listCheckpoints,
  type ProjectDoc,
  removeCheckpoint,
} from "./store.ts";
import { eraseTexts, storeTexts, type TextsContext } from "./site-texts.ts";

/** Paths and texts of a project. */
export type SiteFiles = ReadonlyMap<string, string>;

export interface CheckpointOrigin {
  reason: CheckpointReason;
  detail: string;
  messageId?: string;
}

export const DOCUMENT_PATH = "/site.json";

export async function requireProject(own: Own, projectId: string): Promise<ProjectDoc> {
  const project = await findProject(own, projectId);
  if (!project) throw new Failure("not_found", "no_website");
  return project;
}

export async function requireCheckpoint(own: Own, projectId: string, checkpointId: string): Promise<CheckpointDoc> {
  const checkpoint = await findCheckpoint(own, checkpointId);
  if (checkpoint?.projectId !== projectId) throw new Failure("not_found", "no_checkpoint");
  return checkpoint;
}

export async function readFiles(
  own: Own,
  { projectId, files }: Pick<CheckpointDoc, "projectId" | "files">,
): Promise<Map<string, string>> {
  const stored = await findTexts(own, projectId, [...new Set(files.map(({ hash }) => hash))]);
  const texts = new Map(stored.map(({ hash, text }) => [hash, text]));
  return new Map(files.map(({ path, hash }) => [path, texts.get(hash) ?? ""]));
}

/** The current files of a project. */
export async function readProjectFiles(own: Own, project: ProjectDoc): Promise<Map<string, string>> {
  const checkpoint = await findCheckpoint(own, project.checkpointId);
  return checkpoint ? readFiles(own, checkpoint) : new Map();
}

/** Refuses files that a build would refuse; the failure names the limit. */
export function checkFiles(files: SiteFiles): void {
  let total = 0;
  for (const [path, text] of files) {
    if (!isSitePath(path)) throw new Failure("bad_input", "site_path_invalid", { path });
    const sizeBytes = Buffer.byteLength(text);
    if (sizeBytes > SITE_LIMITS.fileBytes) throw new Failure("too_large", "site_file_too_large", { path });
    total += sizeBytes;
  }
  if (files.size > SITE_LIMITS.files || total > SITE_LIMITS.totalBytes)
    throw new Failure("too_large", "site_too_large");
}

/** Stores the files as a new checkpoint and makes it the current one. Fails if another change came first. */
export async function saveCheckpoint(
  ctx: TextsContext,
  project: ProjectDoc,
  files: SiteFiles,
  origin: CheckpointOrigin,
): Promise<ProjectDoc> {
  checkFiles(files);
  const entries = await storeTexts(ctx, project.projectId, files);
  return commitCheckpoint(
    ctx,
    project,
    entries.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
    origin,
  );
}

/** Makes a new checkpoint of files that are already stored, and makes it the current one. */
export async function commitCheckpoint(
  { own, clock }: Pick<TextsContext, "own" | "clock">,
  project: ProjectDoc,
  files: FileEntry[],
  { reason, detail, messageId }: CheckpointOrigin,
): Promise<ProjectDoc> {
  const { projectId } = project;
  const previous = await findCheckpoint(own, project.checkpointId);
  // Strictly later than the previous checkpoint, so that their order is certain.
  const createdAt = Math.max(clock.now(), (previous?.createdAt ?? 0) + 1);
  const checkpointId = ulid();
  await insertCheckpoint(own, {
    projectId,
    checkpointId,
    reason,
    detail: detail.slice(0, 120),
    messageId: messageId ?? null,
    isGood: null,
    createdAt,
    files,
  });
  const advanced = await advanceProject(own, project, { checkpointId, updatedAt: createdAt });
  if (!advanced) {
    await removeCheckpoint(own, checkpointId);
    throw new Failure("version_conflict", "site_changed_elsewhere");
  }
  await thinCheckpoints(own, advanced);
  return advanced;
}

/** Removes the oldest checkpoints beyond the limit, and the texts that only they used; a published checkpoint stays. */
async function thinCheckpoints(own: Own, { projectId, published }: ProjectDoc): Promise<void> {
  const all = await listCheckpoints(own, projectId);
  const surplus = all
    .slice(SITE_LIMITS.checkpoints)
    .filter(({ checkpointId }) => checkpointId !== published?.checkpointId);
  if (surplus.length === 0) return;
  const retained = all.filter((checkpoint) => !surplus.includes(checkpoint));
  const used = new Set(retained.flatMap(({ files }) => files.map(({ hash }) => hash)));
  for (const { checkpointId, files } of surplus) {
    await removeCheckpoint(own, checkpointId);
    const unused = files.filter(({ hash }) => !used.has(hash));
    await eraseTexts(own, projectId, unused);
  }
}

/** The document of a site; undefined if its file is missing or no longer contains a valid document. */
export function readSiteDocument(files: SiteFiles): SiteDocument | undefined {
  const text = files.get(DOCUMENT_PATH);
  if (text === undefined) return undefined;
  try {
    return SiteDocument.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
