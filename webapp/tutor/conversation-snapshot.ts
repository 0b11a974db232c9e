import type { AnswerScope, Message, Selection, Thread, TutorMode } from "#shared/tutor/schema.ts";

export interface ConversationSnapshot {
  /** Null until the first question of a new conversation. */
  threadId: string | null;
  state: "loading" | "ready" | "missing" | "failed";
  messages: readonly Message[];
  head: string | null;
  /** The answer being written, and the stage that the screen shows. */
  answering: { answerId: string; stage: "reading" | "writing" | "cut" } | null;
  /** The reason why the last question was refused, with its text and selection for the composer. */
  refusal: { message: string; text: string; isLimit: boolean; selection?: Selection | null } | null;
  /** The mode and answer scope of the last question in an opened thread; null in a new thread. */
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
/** The ids that the client created for a question. Sending the same ids again does not repeat the question. */
export interface QuestionIds {
  threadId: string;
  messageId: string;
  answerId: string;
}
