import type { Counted } from "#api/user/service.ts";

/** What an answer was asked for, as its job keeps it. */
export interface AnswerInput {
  threadId: string;
  /** The student's message. */
  messageId: string;
  answerId: string;
  model: string | null;
  counted: Counted;
}
