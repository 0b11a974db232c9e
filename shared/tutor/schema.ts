import { z } from "zod";
import { ReasonRef, reasonFields } from "#shared/messages/schema.ts";

/** How the tutor goes about it. */
export const TutorMode = z.enum(["explain", "socratic", "quiz", "plan"]);
export type TutorMode = z.infer<typeof TutorMode>;

const id = z.string().min(1).max(64);

/** What an answer may stand on: everything the student has, or what is named here. A page stands for all that is on it. */
export const Ground = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("everything") }),
  z.object({
    kind: z.literal("chosen"),
    pageIds: z.array(id).max(50).default([]),
    componentIds: z.array(id).max(50).default([]),
  }),
]);
export type Ground = z.infer<typeof Ground>;

/** Words that the student marked, and where. */
export const Selection = z.object({
  text: z.string().min(1).max(8000),
  /** The page of a document, where there is one. */
  page: z.int().min(1).optional(),
});
export type Selection = z.infer<typeof Selection>;

/** A passage that an answer stands on. `n` is the number of its mark in the text, `[^n]`. */
export const AnswerCitation = z.object({
  n: z.int().min(1),
  citation: z.string(),
  /** The words quoted, as they stand in the source. */
  quote: z.string(),
  /** More of the passage, for the tooltip. */
  passage: z.string(),
  title: z.string(),
  /** Where in the source: "p. 4", "13:58"; empty where the source has no places. */
  place: z.string(),
});
export type AnswerCitation = z.infer<typeof AnswerCitation>;

export const MessageStatus = z.enum(["writing", "done", "stopped", "failed"]);

export const Message = z.object({
  _id: id,
  threadId: id,
  /** The message before it; null for the first. Messages with the same one are branches. */
  parent: id.nullable(),
  role: z.enum(["user", "assistant"]),
  text: z.string(),
  citations: z.array(AnswerCitation),
  followUps: z.array(z.string()),
  status: MessageStatus,
  /** Why it failed, in words for people. */
  error: z.string().nullable(),
  /** The same as a reason that screens translate; left out of messages from before there were any. */
  errorReason: ReasonRef.optional(),
  mode: TutorMode,
  ground: Ground,
  selection: Selection.nullable(),
  /** Who answered; the model that was asked for, in a question. */
  model: z.string().nullable(),
  createdAt: z.number(),
});
export type Message = z.infer<typeof Message>;

export const Thread = z.object({
  _id: id,
  title: z.string(),
  createdAt: z.number(),
  updatedAt: z.number(),
  archived: z.boolean(),
  archivedAt: z.number().nullable(),
  /** The last message of the branch that is shown. */
  head: id.nullable(),
  mode: TutorMode,
  ground: Ground,
});
export type Thread = z.infer<typeof Thread>;

/** `seq` counts what is kept of the answer: a client that comes back asks for what follows the last it saw. */
export const AnswerEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("started"), seq: z.int(), answerId: z.string() }),
  z.object({ type: z.literal("reading"), seq: z.int(), sources: z.int() }),
  /** The text from `at` (UTF-16 units) on; what stood there before is replaced. */
  z.object({ type: z.literal("text"), seq: z.int(), at: z.int(), text: z.string() }),
  z.object({ type: z.literal("citation"), seq: z.int(), citation: AnswerCitation }),
  z.object({ type: z.literal("done"), seq: z.int(), message: Message, title: z.string() }),
  z.object({ type: z.literal("error"), seq: z.int(), code: z.string(), message: z.string(), ...reasonFields }),
]);
export type AnswerEvent = z.infer<typeof AnswerEvent>;
