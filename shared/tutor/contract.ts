import { z } from "zod";
import { json, stream } from "#shared/contract/endpoint.ts";
import { AnswerEvent, Ground, Message, Selection, Thread, TutorMode } from "./schema.ts";

const threadId = z.string().min(1).max(64);
const clientId = z.string().min(10).max(64);

export const tutor = {
  listModels: json({
    method: "GET",
    path: "/v1/conversation/models",
    access: "user",
    summary: "The models that can be chosen, the built-in engine among them",
    input: z.object({}),
    output: z.object({
      models: z.array(z.object({ id: z.string(), name: z.string(), description: z.string() })),
      defaultModel: z.string(),
    }),
    fails: [],
  }),
  listThreads: json({
    method: "GET",
    path: "/v1/conversation/threads",
    access: "user",
    summary: "The caller's conversations, the latest first",
    input: z.object({ archived: z.enum(["true", "false"]).default("false") }),
    output: z.object({ threads: z.array(Thread) }),
    fails: [],
  }),
  getThread: json({
    method: "GET",
    path: "/v1/conversation/threads/:threadId",
    access: "user",
    summary: "A conversation with all its messages, those of other branches too",
    input: z.object({ threadId }),
    output: z.object({ thread: Thread, messages: z.array(Message) }),
    fails: ["not_found"],
  }),
  changeThread: json({
    method: "PATCH",
    path: "/v1/conversation/threads/:threadId",
    access: "user",
    summary: "Rename a conversation, archive or restore it, or show another branch",
    input: z.object({
      threadId,
      title: z.string().trim().min(1).max(200).optional(),
      archived: z.boolean().optional(),
      head: z.string().min(1).max(64).optional(),
    }),
    output: Thread,
    fails: ["not_found"],
  }),
  deleteThread: json({
    method: "DELETE",
    path: "/v1/conversation/threads/:threadId",
    access: "user",
    summary: "Delete a conversation for good",
    input: z.object({ threadId }),
    output: z.object({ success: z.boolean() }),
    fails: ["not_found"],
  }),
  nameThread: json({
    method: "POST",
    path: "/v1/conversation/threads/:threadId/generate_title",
    access: "user",
    rate: "generation",
    summary: "Give a conversation of two messages or more a title, unless it has one",
    input: z.object({ threadId }),
    output: z.object({ title: z.string() }),
    fails: ["not_found"],
  }),
  ask: stream({
    method: "POST",
    path: "/v1/conversation/threads/:threadId/ask",
    access: "user",
    rate: "generation",
    summary: "Ask the tutor, or ask again; the thread is made where there is none, and the answer is followed",
    input: z.object({
      threadId: clientId,
      /** Made by the client: the same id twice is one answer, followed twice. */
      answerId: clientId,
      /** Left out to have the message `messageId` answered once more. */
      text: z.string().trim().min(1).max(16_000).optional(),
      messageId: clientId,
      /** The message that this one follows; null for the first. */
      parent: clientId.nullable().default(null),
      mode: TutorMode.default("explain"),
      ground: Ground.default({ kind: "everything" }),
      selection: Selection.nullable().default(null),
      model: z.string().max(120).optional(),
    }),
    event: AnswerEvent,
    fails: ["bad_input", "not_found", "limit_reached", "already_exists", "too_many_requests"],
  }),
  followAnswer: stream({
    method: "GET",
    path: "/v1/conversation/answers/:answerId/events",
    access: "user",
    summary: "The events of an answer after a given one, then those to come until it ends",
    input: z.object({ answerId: clientId, after: z.coerce.number().int().min(0).default(0) }),
    event: AnswerEvent,
    fails: ["not_found"],
  }),
  stopAnswer: json({
    method: "POST",
    path: "/v1/conversation/answers/:answerId/cancel",
    access: "user",
    summary: "Stop an answer; what was written so far stays",
    input: z.object({ answerId: clientId }),
    output: Message,
    fails: ["not_found"],
  }),
};
