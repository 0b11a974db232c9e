import { ulid } from "ulid";
import { findFile, type FileRecord } from "#api/blobs/file-records.ts";
import type { Deps, Handlers, UserCtx } from "#api/http/handler.ts";
import { isActive, type Job, type JobRun } from "#api/jobs/jobs-port.ts";
import { findFfmpeg } from "#api/documents/ffmpeg.ts";
import { ownedBy } from "#api/store/owned-store.ts";
import { Failure } from "#shared/contract/failure.ts";
import type { video } from "#shared/video/contract.ts";
import { cleanSegments } from "#shared/video/rules.ts";
import type { ReceivedSegment, SpeechEvent } from "#shared/video/schema.ts";
import { readAudio, findTranscriptionProblem } from "./audio.ts";
import { transcribeChunk } from "./speech-server.ts";
import { saveUploadedTranscript, requireVideo } from "./transcripts.ts";

const SPEECH_JOB = "video_speech";
const LIST_WINDOW_MS = 7 * 86_400_000;

interface SpeechInput {
  componentId: string;
  fileId: string;
  language: string | null;
}

type WithoutSeq<E> = E extends unknown ? Omit<E, "seq"> : never;
type UnnumberedEvent = WithoutSeq<SpeechEvent>;

/** Whether speech recognition is available for a file, and if not, why; `problem` is null if it is. */
export async function checkSpeechSupport({ settings, own }: Pick<UserCtx, "settings" | "own">, fileId: string) {
  const file = await findFile(own, fileId);
  if (!file) return { isConfigured: settings.STT_BASE_URL !== undefined, problem: null, hasFile: false };
  if (settings.STT_BASE_URL === undefined)
    return { isConfigured: false, problem: "speech_not_set_up" as const, hasFile: true };
  return {
    isConfigured: true,
    problem: findTranscriptionProblem(audioFileOf(file), (await findFfmpeg()) !== undefined),
    hasFile: true,
  };
}

/** The id ends in the extension of the detected type, unlike the file's name. */
const audioFileOf = ({ _id: name, sizeBytes }: FileRecord) => ({ name, sizeBytes });

async function findLatest({ jobs, caller, clock }: UserCtx, componentId: string): Promise<Job | undefined> {
  const all = await jobs.list(caller.userId, SPEECH_JOB, clock.now() - LIST_WINDOW_MS);
  return all.findLast((job) => (job.input as SpeechInput).componentId === componentId);
}

/** Videos with a transcription in progress. */
export async function listVideosInTranscription({ jobs, caller, clock }: Pick<UserCtx, "jobs" | "caller" | "clock">) {
  const all = await jobs.list(caller.userId, SPEECH_JOB, clock.now() - LIST_WINDOW_MS);
  return new Set(all.filter(isActive).map(({ input }) => (input as SpeechInput).componentId));
}

export const speechHandlers: Pick<
  Handlers<typeof video>,
  "startTranscription" | "followTranscription" | "cancelTranscription"
> = {
  async startTranscription(ctx, { id, language }) {
    const component = await requireVideo(ctx.own, id);
    const fileId = component.content.file.id;
    const { problem, hasFile } = await checkSpeechSupport(ctx, fileId);
    if (!hasFile) throw new Failure("bad_input", "speech_uploaded_only");
    if (problem !== null) throw new Failure("model_unavailable", problem);
    const latest = await findLatest(ctx, id);
    // A second request returns the running job.
    if (latest && isActive(latest)) return { jobId: latest._id };
    const input: SpeechInput = { componentId: id, fileId, language: language ?? null };
    const _id = `${ctx.caller.userId}:speech:${ulid(ctx.clock.now())}`;
    await ctx.jobs.enqueue({ _id, ownerId: ctx.caller.userId, kind: SPEECH_JOB, input });
    return { jobId: _id };
  },

  async *followTranscription(ctx, { id, after }) {
    await requireVideo(ctx.own, id);
    const job = await findLatest(ctx, id);
    if (!job) throw new Failure("not_found", "speech_not_running");
    if (after === 0) yield { type: "started", seq: 0, jobId: job._id };
    let seq = after;
    let hasEnded = false;
    for await (const logged of ctx.jobs.follow(ctx.caller.userId, job._id, after, ctx.signal)) {
      ({ seq } = logged);
      const event = { ...logged.event, seq } as SpeechEvent;
      hasEnded = event.type === "result" || event.type === "error";
      yield event;
    }
    const endedJob = ctx.signal.aborted || hasEnded ? undefined : await ctx.jobs.get(ctx.caller.userId, job._id);
    if (endedJob?.status === "cancelled")
      yield { type: "error", seq: seq + 1, ...new Failure("cancelled", "stopped").toEventFields() };
    else if (endedJob?.status === "failed")
      yield {
        type: "error",
        seq: seq + 1,
        ...new Failure("broken", "server_broken").toEventFields(),
      };
  },

  async cancelTranscription(ctx, { id }) {
    await requireVideo(ctx.own, id);
    const job = await findLatest(ctx, id);
    if (!job) throw new Failure("not_found", "speech_not_running");
    await ctx.jobs.cancel(ctx.caller.userId, job._id);
    return { success: true };
  },
};

/** Chunks transcribed so far, with the detected language. */
interface SpeechCheckpoint {
  done: number;
  language: string | null;
  segments: ReceivedSegment[];
}

async function transcribe(deps: Deps, run: JobRun): Promise<void> {
  const { componentId, fileId, language } = run.job.input as SpeechInput;
  const own = ownedBy(deps.store, run.job.ownerId);
  const emit = (event: UnnumberedEvent, checkpoint?: SpeechCheckpoint) => run.emit([event], checkpoint);
  const file = await findFile(own, fileId);
  if (!file) throw new Failure("not_found", "no_file");
  const progress: SpeechCheckpoint = (run.job.checkpoint as SpeechCheckpoint | null) ?? {
    done: 0,
    language,
    segments: [],
  };
  await emit({ type: "progress", stage: "reading", done: progress.done, total: 0 });
  const local = await deps.blobs.localPath(file.blobKey);
  const audio = await readAudio(local.path, audioFileOf(file).name, run.signal);
  try {
    const total = audio.chunks.length;
    if (total === 0) throw new Failure("bad_input", "speech_no_sound");
    for (const chunk of audio.chunks.slice(progress.done)) {
      await emit({ type: "progress", stage: "sending", done: progress.done, total });
      const transcribed = await transcribeChunk(deps.settings, chunk, {
        language: language ?? undefined,
        signal: run.signal,
      });
      progress.segments.push(...transcribed.segments);
      progress.language ??= transcribed.language ?? null;
      progress.done += 1;
      await emit({ type: "progress", stage: "sending", done: progress.done, total }, progress);
    }
  } finally {
    await audio.release();
    await local.release();
  }
  const segments = cleanSegments(progress.segments);
  if (segments.length === 0) throw new Failure("bad_input", "speech_not_found");
  const transcript = { source: "speech" as const, language: progress.language ?? "und", name: deps.settings.STT_MODEL };
  run.signal.throwIfAborted();
  await saveUploadedTranscript({ ...deps, own }, componentId, { ...transcript, isGenerated: true }, segments);
  await emit({ type: "result", segmentCount: segments.length, language: transcript.language });
}

/** Lets this process run transcriptions. */
export function registerSpeech(deps: Deps): void {
  deps.jobs.register(SPEECH_JOB, async (run) => {
    try {
      await transcribe(deps, run);
    } catch (error) {
      if (run.signal.aborted || !(error instanceof Failure)) throw error;
      await run.emit([{ type: "error", ...error.toEventFields() }]);
    }
  });
}
