import { z } from "zod";
import { ReasonRef, reasonFields } from "#shared/messages/schema.ts";

export const TutorMode = z.enum(["explain", "socratic", "quiz", "plan"]);
export type TutorMode = z.infer<typeof TutorMode>;

const id = z.string().min(1).max(64);

/** The answer scope: everything the student has, or the named sources. A page includes everything on it. */
export const AnswerScope = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("everything") }),
  z.object({
    kind: z.literal("chosen"),
    pageIds: z.array(id).max(50).default([]),
    componentIds: z.array(id).max(50).default([]),
  }),
]);
export type AnswerScope = z.infer<typeof AnswerScope>;

/** Text that the student selected, and where. */
export const Selection = z.object({
  text: z.string().min(1).max(8000),
  /** The page of a document, if any. */
  page: z.int().min(1).optional(),
});
export type Selection = z.infer<typeof Selection>;

/** A passage that supports an answer. `n` is the number of its marker in the text, `[^n]`. */
export const AnswerCitation = z.object({
  n: z.int().min(1),
  citation: z.string(),
  /** The quoted words, exactly as in the source. */
  quote: z.string(),
  /** More of the passage, for the tooltip. */
  passage: z.string(),
  title: z.string(),
  /** Location in the source: "p. 4", "13:58"; empty if the source has none. */
  place: z.string(),
});
export type AnswerCitation = z.infer<typeof AnswerCitation>;

/**
 * A value of a phrase: words of the student or a source, a number, a calendar day as `2026-09-01`, or several words.
 */
export const PhraseValue = z.union([
  z.string(),
  z.number(),
  z.object({ date: z.string() }),
  z.object({ list: z.array(z.string()) }),
]);
export type PhraseValue = z.infer<typeof PhraseValue>;

/** A phrase of the tutor itself, as a key of the table of phrases; `text` is the phrase in English. */
const PhrasePart = z.object({
  type: z.literal("phrase"),
  key: z.string(),
  params: z.record(z.string(), PhraseValue),
  text: z.string(),
});
export type PhrasePart = z.infer<typeof PhrasePart>;

/** A part of an answer: a phrase, words of the student, a source or a model, or a citation by its number. */
export const MessagePart = z.discriminatedUnion("type", [
  PhrasePart,
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({ type: z.literal("citation"), n: z.int().min(1) }),
]);
export type MessagePart = z.infer<typeof MessagePart>;

/** A card that an answer proposes; it is in no deck yet. */
export const SuggestedCard = z.object({ question: z.string(), answer: z.string(), citation: z.string() });
export type SuggestedCard = z.infer<typeof SuggestedCard>;

export const MessageStatus = z.enum(["writing", "done", "stopped", "failed"]);

export const Message = z.object({
  _id: id,
  threadId: id,
  /** The previous message; null for the first. Messages with the same previous message are branches. */
  parent: id.nullable(),
  role: z.enum(["user", "assistant"]),
  /** Plain Markdown, with the tutor's own phrases in English. */
  text: z.string(),
  /** `text` as parts that screens translate; omitted in questions and in old answers. */
  parts: z.array(MessagePart).optional(),
  citations: z.array(AnswerCitation),
  followUps: z.array(z.string()),
  /** `followUps` as parts that screens translate. */
  followUpParts: z.array(MessagePart).optional(),
  status: MessageStatus,
  /** Cards that the student asked for. */
  cards: z.array(SuggestedCard).optional(),
  /** Why the answer failed, as a message for the user. */
  error: z.string().nullable(),
  /** `error` as a reason that screens translate; omitted in old messages. */
  errorReason: ReasonRef.optional(),
  mode: TutorMode,
  ground: AnswerScope,
  selection: Selection.nullable(),
  /** The model that answered; in a question, the requested model. */
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
  ground: AnswerScope,
});
export type Thread = z.infer<typeof Thread>;

/** `seq` numbers the stored events. A reconnecting client requests the events after the last one that it received. */
export const AnswerEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("started"), seq: z.int(), answerId: z.string() }),
  z.object({ type: z.literal("reading"), seq: z.int(), sources: z.int() }),
  /** `text` replaces the text from position `at` (UTF-16 units) to the end. Without `parts` it is a single part. */
  z.object({
    type: z.literal("text"),
    seq: z.int(),
    at: z.int(),
    text: z.string(),
    parts: z.array(MessagePart).optional(),
  }),
  z.object({ type: z.literal("citation"), seq: z.int(), citation: AnswerCitation }),
  z.object({ type: z.literal("done"), seq: z.int(), message: Message, title: z.string() }),
  z.object({ type: z.literal("error"), seq: z.int(), code: z.string(), message: z.string(), ...reasonFields }),
]);
export type AnswerEvent = z.infer<typeof AnswerEvent>;
