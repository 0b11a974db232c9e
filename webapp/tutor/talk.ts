import type { Ground, Message, Selection, Thread, TutorMode } from "#shared/tutor/schema.ts";

export interface Talk {
  /** Null until the first question of a new conversation. */
  threadId: string | null;
  state: "loading" | "ready" | "missing" | "failed";
  messages: readonly Message[];
  head: string | null;
  /** The answer that is being written, and what is told of it. */
  answering: { answerId: string; stage: "reading" | "writing" | "cut" } | null;
  /** Why the last question was not taken: it is back in its field, with the words that were marked for it. */
  refusal: { message: string; text: string; isLimit: boolean; selection?: Selection | null } | null;
  /** How and on what it was asked last, where it was opened; null in a new one. */
  standing: Pick<Thread, "mode" | "ground"> | null;
}

export interface Question {
  text: string;
  mode: TutorMode;
  ground: Ground;
  selection: Selection | null;
}

export const fresh: Talk = {
  threadId: null,
  state: "ready",
  messages: [],
  head: null,
  answering: null,
  refusal: null,
  standing: null,
};
/** What a question goes by: the same again is the same question. */
export interface Ids {
  threadId: string;
  messageId: string;
  answerId: string;
}
