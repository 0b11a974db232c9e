import type { WebsitePart } from "#shared/website/message-parts.ts";
import type { Checkpoint, WebsiteMessage } from "#shared/website/schema.ts";
import type { Own } from "#api/store/owned-store.ts";
import type { CollectionSpec, OwnedDoc } from "#api/store/port.ts";

/** A published state of a project, with its title at that time. */
export interface PublishedSite {
  checkpointId: string;
  title: string;
  publishedAt: number;
}

export interface ProjectDoc extends OwnedDoc {
  projectId: string;
  name: string;
  /** False until the student or a message named it. */
  isNamed: boolean;
  /** The checkpoint whose files are the project's files. */
  checkpointId: string;
  /** The checkpoint that the link of the project shows; null once the link was withdrawn. */
  published?: PublishedSite | null;
  /** The job of the latest message; messages are processed one at a time. */
  messageJob?: string;
  /** When that message claimed the project; its job is created soon after. */
  messageClaimedAt?: number;
  createdAt: number;
  updatedAt: number;
}

export interface WebsiteThreadDoc extends OwnedDoc {
  projectId: string;
  threadId: string;
  title: string | null;
  createdAt: number;
  updatedAt: number;
}

export interface WebsiteMessageDoc extends OwnedDoc {
  projectId: string;
  threadId: string;
  messageId: string;
  role: WebsiteMessage["role"];
  model: string | null;
  parts: WebsitePart[];
  createdAt: number;
  updatedAt: number;
}

/** A file of a checkpoint; its text is stored once per project under its hash. */
export interface FileEntry {
  path: string;
  hash: string;
  sizeBytes: number;
}

export interface CheckpointDoc extends OwnedDoc, Omit<Checkpoint, "_id"> {
  projectId: string;
  checkpointId: string;
  files: FileEntry[];
}

interface TextDoc extends OwnedDoc {
  projectId: string;
  hash: string;
  text: string;
  /** Missing in texts from before they counted against the quota. */
  sizeBytes?: number;
}

const projects: CollectionSpec<ProjectDoc> = {
  name: "website_projects",
  shardKey: "ownerId",
  indexes: [{ fields: ["ownerId", "updatedAt"] }],
};
const threads: CollectionSpec<WebsiteThreadDoc> = {
  name: "website_threads",
  shardKey: "ownerId",
  indexes: [{ fields: ["ownerId", "projectId", "updatedAt"] }],
};
const messages: CollectionSpec<WebsiteMessageDoc> = {
  name: "website_messages",
  shardKey: "ownerId",
  indexes: [{ fields: ["ownerId", "projectId", "createdAt"] }],
};
const checkpoints: CollectionSpec<CheckpointDoc> = {
  name: "website_checkpoints",
  shardKey: "ownerId",
  indexes: [{ fields: ["ownerId", "projectId", "createdAt"] }],
};
const texts: CollectionSpec<TextDoc> = {
  name: "website_texts",
  shardKey: "ownerId",
  indexes: [{ fields: ["ownerId", "projectId"] }],
};

/** Clients choose ids of messages, and exports are imported into other accounts, so every `_id` includes the owner. */
const ownKey = (own: Own, id: string) => `${own.ownerId}:${id}`;

export const findProject = (own: Own, projectId: string) => own.in(projects).get(ownKey(own, projectId));
export const listProjects = (own: Own) => own.in(projects).find({}, { order: [["updatedAt", "desc"]] });
export const countProjects = (own: Own) => own.in(projects).count({});
export const insertProject = (own: Own, project: Omit<ProjectDoc, "_id" | "ownerId">) =>
  own.in(projects).insert({ ...project, _id: ownKey(own, project.projectId) });
export const patchProject = (own: Own, projectId: string, set: Partial<ProjectDoc>) =>
  own.in(projects).patch({ _id: ownKey(own, projectId) }, { set });
/** Makes a message the latest of a project; undefined if another message came first. */
export const claimProject = (own: Own, { _id, messageJob }: ProjectDoc, set: Partial<ProjectDoc>) =>
  own.in(projects).patch({ _id, messageJob: messageJob ?? null }, { set });
/** Undoes the claim of a message that could not be started. */
export const releaseProject = (own: Own, { _id, messageJob, messageClaimedAt }: ProjectDoc, claimed: string) =>
  own
    .in(projects)
    .patch(
      { _id, messageJob: claimed },
      { set: { messageJob: messageJob ?? "", messageClaimedAt: messageClaimedAt ?? 0 } },
    );
/** Names a project unless it has a name. */
export const nameProject = (own: Own, projectId: string, name: string) =>
  own.in(projects).patch({ _id: ownKey(own, projectId), isNamed: false }, { set: { name, isNamed: true } });
/** Makes a checkpoint the current one; undefined if another checkpoint became current in the meantime. */
export const advanceProject = (own: Own, project: ProjectDoc, set: Partial<ProjectDoc>) =>
  own.in(projects).patch({ _id: project._id, checkpointId: project.checkpointId }, { set });

export async function removeProject(own: Own, projectId: string): Promise<void> {
  await own.in(messages).remove({ projectId });
  await own.in(threads).remove({ projectId });
  await own.in(checkpoints).remove({ projectId });
  await own.in(texts).remove({ projectId });
  await own.in(projects).remove({ _id: ownKey(own, projectId) });
}

export const findWebsiteThread = (own: Own, threadId: string) => own.in(threads).get(ownKey(own, threadId));
export const listProjectThreads = (own: Own, projectId: string) =>
  own.in(threads).find({ projectId }, { order: [["updatedAt", "desc"]] });
export const countThreads = (own: Own, projectId: string) => own.in(threads).count({ projectId });
export const insertWebsiteThread = (own: Own, thread: Omit<WebsiteThreadDoc, "_id" | "ownerId">) =>
  own.in(threads).insert({ ...thread, _id: ownKey(own, thread.threadId) });
export const removeWebsiteThread = (own: Own, threadId: string) =>
  own.in(threads).remove({ _id: ownKey(own, threadId) });
export const patchWebsiteThread = (own: Own, threadId: string, set: Partial<WebsiteThreadDoc>) =>
  own.in(threads).patch({ _id: ownKey(own, threadId) }, { set });

export const findWebsiteMessage = (own: Own, messageId: string) => own.in(messages).get(ownKey(own, messageId));
export const listProjectMessages = (own: Own, projectId: string) =>
  own.in(messages).find({ projectId }, { order: [["createdAt", "asc"]] });
export const listThreadMessages = (own: Own, threadId: string) =>
  own.in(messages).find({ threadId }, { order: [["createdAt", "asc"]] });
export const insertWebsiteMessage = (own: Own, message: Omit<WebsiteMessageDoc, "_id" | "ownerId">) =>
  own.in(messages).insert({ ...message, _id: ownKey(own, message.messageId) });
export const patchWebsiteMessage = (own: Own, messageId: string, set: Partial<WebsiteMessageDoc>) =>
  own.in(messages).patch({ _id: ownKey(own, messageId) }, { set });

export const findCheckpoint = (own: Own, checkpointId: string) => own.in(checkpoints).get(ownKey(own, checkpointId));
export const listCheckpoints = (own: Own, projectId: string) =>
  own.in(checkpoints).find({ projectId }, { order: [["createdAt", "desc"]] });
export const insertCheckpoint = (own: Own, checkpoint: Omit<CheckpointDoc, "_id" | "ownerId">) =>
  own.in(checkpoints).insert({ ...checkpoint, _id: ownKey(own, checkpoint.checkpointId) });
export const patchCheckpoint = (own: Own, checkpointId: string, set: Partial<CheckpointDoc>) =>
  own.in(checkpoints).patch({ _id: ownKey(own, checkpointId) }, { set });
export const removeCheckpoint = (own: Own, checkpointId: string) =>
  own.in(checkpoints).remove({ _id: ownKey(own, checkpointId) });

const textKey = (own: Own, projectId: string, hash: string) => ownKey(own, `${projectId}:${hash}`);

/** Stores a text; a text that is already stored is left unchanged. */
export const saveText = (own: Own, { projectId, hash, text, sizeBytes = 0 }: Omit<TextDoc, "_id" | "ownerId">) =>
  own.in(texts).insert({ _id: textKey(own, projectId, hash), projectId, hash, text, sizeBytes });
export const findText = async (own: Own, projectId: string, hash: string) =>
  (await own.in(texts).get(textKey(own, projectId, hash)))?.text;
export const removeText = (own: Own, projectId: string, hash: string) =>
  own.in(texts).remove({ _id: textKey(own, projectId, hash) });
export const listTextSizes = (own: Own, projectId: string) =>
  own.in(texts).find({ projectId }, { fields: ["sizeBytes"] });
export const findTexts = (own: Own, projectId: string, hashes: readonly string[]) =>
  own.in(texts).find({ _id: { in: hashes.map((hash) => textKey(own, projectId, hash)) } });
