import type { Language } from "#shared/messages/language.ts";
import type { Counted } from "#api/user/service.ts";

export const RESEARCH_JOB = "research";

/** The input of a research job. */
export interface ResearchJobInput {
  sessionId: string;
  /** The id of the history entry with the question. */
  runId: string;
  question: string;
  language: Language;
  mayQuoteLibrary: boolean;
  isStrict: boolean;
  model: string | null;
  /** Refunded if the run verifies no sentence. */
  chargedUsage: Counted;
}

/** Ids of sessions and messages are scoped to the account. */
export const researchJobKey = (ownerId: string, runId: string) => `${ownerId}:research:${runId}`;
