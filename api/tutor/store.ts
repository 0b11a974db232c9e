import type { AnswerCitation, Message, Thread } from "#shared/tutor/schema.ts";
import type { Own } from "#api/store/owned-store.ts";
import type { CollectionSpec, OwnedDoc } from "#api/store/port.ts";

/** Ids are chosen by clients, so `_id` includes the owner. */
export interface ThreadDoc extends OwnedDoc, Omit<Thread, "_id"> {
  threadId: string;
  /** True once the student or the tutor has set a title; before that, the title is the beginning of the question. */
  isNamed: boolean;
}

/** A question asked by the tutor, with the expected answer. */
export interface PendingQuestion {
  question: string;
  answer: string;
  citation: Omit<AnswerCitation, "n"> | null;
  /** The topic that the student asked to be quizzed on. */
  topic: string;
  /** Questions already asked in this conversation. */
  previousQuestions: string[];
}

export interface MessageDoc extends OwnedDoc, Omit<Message, "_id"> {
  messageId: string;
  pending: PendingQuestion | null;
}

const threads: CollectionSpec<ThreadDoc> = {
  name: "threads",
  shardKey: "ownerId",
  indexes: [{ fields: ["ownerId", "updatedAt"] }],
};
export const messages: CollectionSpec<MessageDoc> = {
  name: "messages",
  shardKey: "ownerId",
  indexes: [{ fields: ["ownerId", "threadId", "createdAt"] }],
};

const tutorKey = (own: Own, id: string) => `${own.ownerId}:${id}`;

export const findThread = (own: Own, threadId: string) => own.in(threads).get(tutorKey(own, threadId));

export const listThreads = (own: Own, archived: boolean) =>
  own.in(threads).find({ archived }, { order: [["updatedAt", "desc"]] });

export const insertThread = (own: Own, thread: Omit<ThreadDoc, "_id" | "ownerId">) =>
  own.in(threads).insert({ ...thread, _id: tutorKey(own, thread.threadId) });

export const patchThread = (own: Own, threadId: string, set: Partial<ThreadDoc>) =>
  own.in(threads).patch({ _id: tutorKey(own, threadId) }, { set });

/** Sets a title unless the thread already has one. */
export const nameThread = (own: Own, threadId: string, title: string) =>
  own.in(threads).patch({ _id: tutorKey(own, threadId), isNamed: false }, { set: { title, isNamed: true } });

export async function removeThread(own: Own, threadId: string): Promise<void> {
  await own.in(messages).remove({ threadId });
  await own.in(threads).remove({ _id: tutorKey(own, threadId) });
}

export const findMessage = (own: Own, messageId: string) => own.in(messages).get(tutorKey(own, messageId));

export const listMessages = (own: Own, threadId: string) =>
  own.in(messages).find({ threadId }, { order: [["createdAt", "asc"]] });

export const insertMessage = (own: Own, message: Omit<MessageDoc, "_id" | "ownerId">) =>
  own.in(messages).insert({ ...message, _id: tutorKey(own, message.messageId) });

/** Updates a message that is still being written; undefined if it has ended. */
export const patchWritingMessage = (own: Own, messageId: string, set: Partial<MessageDoc>) =>
  own.in(messages).patch({ _id: tutorKey(own, messageId), status: "writing" }, { set });

export function presentThread(doc: ThreadDoc): Thread {
  const { ownerId: _owner, threadId, isNamed: _isNamed, ...thread } = doc;
  return { ...thread, _id: threadId };
}

export function presentMessage(doc: MessageDoc): Message {
  const { ownerId: _owner, messageId, pending: _pending, ...message } = doc;
  return { ...message, _id: messageId };
}
