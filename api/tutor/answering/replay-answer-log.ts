import { applyTextEvent } from "#shared/tutor/message-parts.ts";
import type { AnswerCitation, AnswerEvent, MessagePart } from "#shared/tutor/schema.ts";
import type { Job, Jobs } from "#api/jobs/jobs-port.ts";
import { isRestart } from "../live-answers.ts";

export interface PartialAnswer {
  text: string;
  parts: MessagePart[];
  citations: AnswerCitation[];
}

/** Replays the log of an answer, up to what its worker stored before it stopped. */
export async function replayAnswerLog(jobs: Jobs, job: Job, signal: AbortSignal): Promise<PartialAnswer> {
  const partial: PartialAnswer = { text: "", parts: [], citations: [] };
  if (job.lastSeq === 0) return partial;
  for await (const logged of jobs.follow(job.ownerId, job._id, 0, signal)) {
    const event = logged.event as AnswerEvent;
    if (event.type === "text") Object.assign(partial, applyTextEvent(partial, event));
    if (event.type === "text" && isRestart(event)) partial.citations = [];
    if (event.type === "citation") partial.citations.push(event.citation);
    if (logged.seq >= job.lastSeq) break;
  }
  return partial;
}
