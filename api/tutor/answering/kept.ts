import type { AnswerCitation, AnswerEvent } from "#shared/tutor/schema.ts";
import type { Job, Jobs } from "#api/jobs/jobs-port.ts";
import { isNewBeginning } from "../live.ts";

export interface Kept {
  text: string;
  citations: AnswerCitation[];
}

/** Replays the log of an answer, up to what its worker stored before it stopped. */
export async function keptAnswer(jobs: Jobs, job: Job, signal: AbortSignal): Promise<Kept> {
  const kept: Kept = { text: "", citations: [] };
  if (job.lastSeq === 0) return kept;
  for await (const logged of jobs.follow(job.ownerId, job._id, 0, signal)) {
    const event = logged.event as AnswerEvent;
    if (event.type === "text") kept.text = kept.text.slice(0, event.at) + event.text;
    if (event.type === "text" && isNewBeginning(event)) kept.citations = [];
    if (event.type === "citation") kept.citations.push(event.citation);
    if (logged.seq >= job.lastSeq) break;
  }
  return kept;
}
