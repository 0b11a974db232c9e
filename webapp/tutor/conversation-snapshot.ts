import type { AnswerScope, Message, Selection, Thread, TutorMode } from "#shared/tutor/schema.ts";

export interface ConversationSnapshot {
  /** Null until the first question of a new conversation. */
  threadId: string | null;
  state: "loading" | "ready" | "missing" | "failed";
  messages: readonly Message[];
  head: string | null;
  /** The answer being written, and the stage that the screen shows. */
  answering: { answerId: string; stage: "reading" | "writing" | "cut" } | null;
  /** Why the last question was refused. Its text and selection are restored in the composer. */
  refusal: { message: string; text: string; isLimit: boolean; selection?: Selection | null } | null;
  /** Mode and scope of the last question in an opened thread; null in a new one. */
  lastSettings: Pick<Thread, "mode" | "ground"> | null;
}

export interface Question {
  text: string;
  mode: TutorMode;
  ground: AnswerScope;
  selection: Selection | null;
}

export const emptyConversation: ConversationSnapshot = {
  threadId: null,
  state: "ready",
  messages: [],
  head: null,
  answering: null,
  refusal: null,
  lastSettings: null,
};
/** Client-made ids of a question; sending the same ids again is idempotent. */
export interface QuestionIds {
  threadId: string;
  messageId: string;
  answerId: string;
}
