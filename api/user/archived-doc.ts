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
  if (!isInProgress(podcast)) return { counted: null };
  const failure = new Failure("cancelled", "podcast_stopped");
  const error = { message: failure.message, ...failure.ref() };
  return { status: "failed", error, progress: null, duration_ms: 0, counted: null };
}

const CHANGED: Partial<Record<ExportedCollection, (doc: AnyDoc) => Fields>> = {
  messages: ({ status }) => (status === "writing" ? { status: "stopped" } : {}),
  research_sessions: ({ run }) => endedRun(run as ResearchRunState | undefined),
  podcasts: (doc) => endedPodcast(doc as unknown as Podcast),
  website_texts: ({ text }) => ({ sizeBytes: Buffer.byteLength(String(text)) }),
};

/**
 * A document as an archive holds it. Work that was running has ended, because its job is not in the archive and an account
 * that imports it has counted no use that could be given back. The size of a text is its own, whatever was stored.
 */
export const toArchivedDoc = (name: ExportedCollection, doc: AnyDoc): AnyDoc => ({
  ...doc,
  ...CHANGED[name]?.(doc),
});
