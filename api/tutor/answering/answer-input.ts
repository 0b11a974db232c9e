import type { Counted } from "#api/user/service.ts";

/** The input stored with an answer job. */
export interface AnswerInput {
  threadId: string;
  messageId: string;
  answerId: string;
  model: string | null;
  chargedUsage: Counted;
}
