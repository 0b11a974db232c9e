import type { FormPreference } from "#shared/cards/schema.ts";
import type { FileProcessed, GenerationOptions } from "#shared/flashcards/schema.ts";
import type { Job } from "#api/jobs/jobs-port.ts";

export const GENERATION_JOB = "flashcards";

interface ComponentLocation {
  pageId: string;
  componentId: string;
}

/** A source that was readable when the generation was requested. */
export type Source =
  | { kind: "pdf"; name: string; componentId: string; fileId: string; from: number; to: number }
  | { kind: "video"; name: string; componentId: string }
  /** `place` is the component that contains the text, or null. */
  | { kind: "text"; name: string; textId: string; place: ComponentLocation | null };

/** The input stored with a generation job. */
export interface GenerationInput {
  options: GenerationOptions;
  sources: Source[];
  /** Unreadable sources, with the reason. */
  refused: FileProcessed[];
}

/**
 * Progress of a generation: written before cards are added to the deck, and again together with the events that report
 * them.
 */
export interface GenerationCheckpoint {
  /** Last reported progress; a non-deterministic engine resumes from here. */
  done: number;
  cardCount: number;
  /** The preference that the first run used, so that a resumed run makes the same cards; missing on old checkpoints. */
  formPreference?: FormPreference;
  /** The name of `formPreference` in checkpoints of earlier versions. */
  taste?: FormPreference;
  /** Cards about to be added to the deck when this was written. */
  pending: PendingCard[];
}

export interface PendingCard {
  id: string;
  question: string;
  answer: string;
  citation: string | null;
  /** Index of its source. */
  source: number;
  /** Passage within the source; missing on cards stored by older versions. */
  passageId?: string | undefined;
  /** The heading above that passage. */
  section?: string | undefined;
  /** Links a card to the one that asks in the opposite direction. */
  pair?: { groupId: string; isReversed: boolean } | undefined;
}

/** Job ids are chosen by clients, so they are scoped to the account, and another account's id is not found. */
export const jobKey = (ownerId: string, jobId: string) => `${ownerId}:${jobId}`;
export const jobIdOf = (job: Job) => job._id.slice(job.ownerId.length + 1);
