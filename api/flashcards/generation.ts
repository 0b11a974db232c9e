import type { FileProcessed, GenerationOptions } from "#shared/flashcards/schema.ts";
import type { Job } from "#api/jobs/jobs-port.ts";

export const GENERATION = "flashcards";

interface Place {
  pageId: string;
  componentId: string;
}

/** One source that was found readable when the generation was asked for. */
export type Source =
  | { kind: "pdf"; name: string; componentId: string; fileId: string; from: number; to: number }
  | { kind: "video"; name: string; componentId: string }
  /** `place` is where the text stands, where it stands anywhere. */
  | { kind: "text"; name: string; textId: string; place: Place | null };

/** What a generation was asked for, as its job keeps it. */
export interface GenerationInput {
  options: GenerationOptions;
  sources: Source[];
  /** Sources that could not be read, with the reason. */
  refused: FileProcessed[];
}

/** Where a generation stands: written before cards go to the deck, and again with the events that tell of them. */
export interface GenerationCheckpoint {
  /** The last progress that was told; an engine that is not deterministic goes on there. */
  done: number;
  cardCount: number;
  /** Cards on their way to the deck when this was written. */
  pending: PendingCard[];
}

export interface PendingCard {
  id: string;
  question: string;
  answer: string;
  citation: string | null;
  /** Which source it comes from. */
  source: number;
  /** Where in it; cards that an older version logged do not say. */
  passageId?: string | undefined;
  /** The card that asks the same the other way round. */
  pair?: { groupId: string; isReversed: boolean } | undefined;
}

/** Client ids live within their account, so that another account's id is as unknown as one that never was. */
export const jobKey = (ownerId: string, jobId: string) => `${ownerId}:${jobId}`;
export const jobIdOf = (job: Job) => job._id.slice(job.ownerId.length + 1);
