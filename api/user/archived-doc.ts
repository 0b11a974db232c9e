import { Failure } from "#shared/contract/failure.ts";
import { isInProgress } from "#shared/podcasts/rules.ts";
import type { Podcast } from "#shared/podcasts/schema.ts";
import type { ResearchRunState } from "#shared/research/schema.ts";
import type { AnyDoc, ExportedCollection } from "./exported-collections.ts";

type Fields = Record<string, unknown>;

function endedRun(run: ResearchRunState | undefined): Fields {
  if (run?.status !== "running") return {};
  return { run: { ...run, status: "stopped", endedAt: run.endedAt ?? run.startedAt, currentTask: null } };
}

function endedPodcast(podcast: Pick<Podcast, "status">): Fields {
  if (!isInProgress(podcast)) return { chargedUsage: null };
  const failure = new Failure("cancelled", "podcast_stopped");
  const error = { message: failure.message, ...failure.ref() };
  return { status: "failed", error, progress: null, duration_ms: 0, chargedUsage: null };
}

const CHANGED: Partial<Record<ExportedCollection, (doc: AnyDoc) => Fields>> = {
  messages: ({ status }) => (status === "writing" ? { status: "stopped" } : {}),
  research_sessions: ({ run }) => endedRun(run as ResearchRunState | undefined),
  podcasts: (doc) => endedPodcast(doc as unknown as Podcast),
  website_texts: ({ text }) => ({ sizeBytes: Buffer.byteLength(String(text)) }),
};

/**
 * The archived form of a document. Running work is marked as ended, because its job is not in the archive, and the
 * importing account has counted no usage that could be refunded. The size of a text is computed from the text, not
 * copied.
 */
export const toArchivedDoc = (name: ExportedCollection, doc: AnyDoc): AnyDoc => ({
  ...doc,
  ...CHANGED[name]?.(doc),
});
