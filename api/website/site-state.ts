import type { Checkpoint, Publication, WebsiteProject, WebsiteState, WebsiteThread } from "#shared/website/schema.ts";
import type { UserCtx } from "#api/http/handler.ts";
import { readSiteDocument, readFiles } from "./project-files.ts";
import {
  type CheckpointDoc,
  findCheckpoint,
  listCheckpoints,
  patchCheckpoint,
  type ProjectDoc,
  type WebsiteMessageDoc,
  type WebsiteThreadDoc,
} from "./store.ts";

/** Dependencies for showing a project. */
export type SiteContext = Pick<UserCtx, "own" | "previews" | "clock">;

/** The key of a project among the previews of all accounts. */
export const previewKey = ({ ownerId, projectId }: Pick<ProjectDoc, "ownerId" | "projectId">) =>
  `${ownerId}:${projectId}`;

export const presentProject = ({ previews }: Pick<UserCtx, "previews">, project: ProjectDoc): WebsiteProject => ({
  _id: project.projectId,
  name: project.name,
  dev_url: previews.read(previewKey(project)).dev_url,
  createdAt: project.createdAt,
  updatedAt: project.updatedAt,
});

const presentCheckpoint = ({
  checkpointId,
  reason,
  detail,
  messageId,
  isGood,
  createdAt,
}: CheckpointDoc): Checkpoint => ({
  _id: checkpointId,
  reason,
  detail,
  messageId,
  isGood,
  createdAt,
});

const presentPublication = ({ published }: ProjectDoc): Publication | null =>
  published ? { checkpointId: published.checkpointId, publishedAt: published.publishedAt } : null;

export const presentWebsiteMessage = ({ messageId, role, model, parts, createdAt, updatedAt }: WebsiteMessageDoc) => ({
  _id: messageId,
  role,
  model,
  parts,
  createdAt,
  updatedAt,
});

export const presentWebsiteThread = (
  thread: WebsiteThreadDoc,
  messages: readonly WebsiteMessageDoc[],
): WebsiteThread => ({
  _id: thread.threadId,
  messages: messages.filter(({ threadId }) => threadId === thread.threadId).map(presentWebsiteMessage),
  thread_title: thread.title,
  updated_at: thread.updatedAt,
});

/** Everything that a screen shows about a project. */
export async function presentState(ctx: SiteContext, project: ProjectDoc): Promise<WebsiteState> {
  const [current, checkpoints] = await Promise.all([
    findCheckpoint(ctx.own, project.checkpointId),
    listCheckpoints(ctx.own, project.projectId),
  ]);
  const files = current ? await readFiles(ctx.own, current) : new Map<string, string>();
  return {
    project: presentProject(ctx, project),
    document: readSiteDocument(files) ?? null,
    files: (current?.files ?? []).map(({ path, sizeBytes }) => ({ path, sizeBytes })),
    checkpoints: checkpoints.map(presentCheckpoint),
    devServer: ctx.previews.read(previewKey(project)),
    published: presentPublication(project),
  };
}

/** Builds the project's current state and shows it; records whether the checkpoint builds. */
export async function showProject(ctx: SiteContext, project: ProjectDoc): Promise<void> {
  const checkpoint = await findCheckpoint(ctx.own, project.checkpointId);
  if (!checkpoint) return;
  const files = await readFiles(ctx.own, checkpoint);
  const title = readSiteDocument(files)?.title ?? project.name;
  const { faults } = await ctx.previews.show(previewKey(project), { title, files });
  await patchCheckpoint(ctx.own, checkpoint.checkpointId, { isGood: faults.length === 0 });
}

/** The state after a change. If a preview is open, it shows the change at once. */
export async function presentChanged(ctx: SiteContext, project: ProjectDoc): Promise<WebsiteState> {
  if (ctx.previews.isRunning(previewKey(project))) await showProject(ctx, project);
  return presentState(ctx, project);
}
