import { englishReason } from "#shared/messages/translate.ts";
import { ulid } from "ulid";
import type { Handlers, ReceivedFile, UserCtx } from "#api/http/handler.ts";
import {
  findFileComponent,
  storeFileComponent,
  requirePage,
  createPageForFile,
} from "#api/pages/uploaded-components.ts";
import { Failure } from "#shared/contract/failure.ts";
import type { Component, FileContent } from "#shared/pages/schema.ts";
import { parseVideoAddress, youtubeFileId, type VideoAddress } from "#shared/video/addresses.ts";
import { MAX_CAPTION_BYTES, parseCaptions } from "#shared/video/captions.ts";
import type { video } from "#shared/video/contract.ts";
import { cleanSegments } from "#shared/video/rules.ts";
import { buildSearchableText, searchTranscript } from "#shared/video/transcript-search.ts";
import { listTranscripts, readSegments, removeTranscript, type TranscriptDoc } from "./store.ts";
import { speechHandlers, checkSpeechSupport } from "./speech-job.ts";
import { publicTranscriptHandlers } from "./public-transcript.ts";
import { streamHandlers } from "./stream.ts";
import {
  fetchFromYoutube,
  findTranscript,
  saveUploadedTranscript,
  saveOutcome,
  listStored,
  refreshTranscript,
  requireVideo,
  toSummary,
  type YoutubeOutcome,
} from "./transcripts.ts";

/** How long to wait for the video's title; captions are fetched later. */
const METADATA_TIMEOUT_MS = 5_000;
const MAX_NAME_LENGTH = 200;

export const handlers: Handlers<typeof video> = {
  async createVideoComponent(ctx, { url, pageId, componentId = ulid() }) {
    const existing = await findFileComponent(ctx.own, componentId);
    if (existing) return { component: existing };
    if (pageId !== undefined) await requirePage(ctx.own, pageId);
    const address = parseVideoAddress(url);
    if (address.kind === "refused") throw new Failure("bad_input", address.reason);
    const outcome = address.kind === "youtube" ? await fetchMetadata(ctx, address.videoId) : undefined;
    // The student cancelled while the title was fetched, so no video is stored.
    if (ctx.signal.aborted) throw new Failure("cancelled", "upload_cancelled");
    const component = await saveVideo(ctx, toFileContent(address, outcome), { pageId, componentId });
    if (outcome) await saveOutcome(ctx, component._id, "", outcome);
    return { component };
  },

  async getVideo(ctx, { id }) {
    const component = await requireVideo(ctx.own, id);
    const stored = await listStored(ctx, id);
    const all = await listTranscripts(ctx.own, id);
    const fromYoutube = all.find(({ source }) => source === "youtube");
    const offered = (fromYoutube?.offered ?? []).filter(
      (track) => !stored.some((doc) => doc.language === track.language),
    );
    const { problem: reason, ...rest } = await checkSpeechSupport(ctx, component.content.file.id);
    const speech = reason === null ? { ...rest, problem: null } : { ...rest, problem: englishReason(reason), reason };
    return {
      component,
      transcripts: stored.map(toSummary),
      offered,
      chapters: chooseChapters(fromYoutube, stored),
      speech,
    };
  },

  ...publicTranscriptHandlers,
  ...streamHandlers,
  ...speechHandlers,

  async getTranscript(ctx, { id, ...query }) {
    const doc = await findTranscript(ctx, await requireVideo(ctx.own, id), query);
    return { transcript: { ...toSummary(doc), componentId: id, segments: await readSegments(ctx.own, doc) } };
  },

  async putTranscript(ctx, { id, segments, ...given }) {
    await requireVideo(ctx.own, id);
    const cleaned = cleanSegments(segments);
    if (cleaned.length === 0) throw new Failure("bad_input", "lines_without_times");
    return { transcript: toSummary(await saveUploadedTranscript(ctx, id, { ...given, source: "client" }, cleaned)) };
  },

  async uploadCaptions(ctx, { id, language }, files) {
    await requireVideo(ctx.own, id);
    const file = files.find(({ field }) => field === "file");
    if (!file) throw new Failure("bad_input", "choose_captions");
    const read = await parseCaptions(await readCaptionFile(file));
    if (!read.ok) throw new Failure("invalid_file", read.reason);
    const name = file.name.replace(/^.*[/\\]/u, "").slice(-MAX_NAME_LENGTH);
    const given = { source: "sidecar" as const, language, name, isGenerated: false };
    return { transcript: toSummary(await saveUploadedTranscript(ctx, id, given, read.segments)) };
  },

  async removeTranscript(ctx, { id, source, language }) {
    await requireVideo(ctx.own, id);
    const all = await listTranscripts(ctx.own, id);
    const matching = all.filter(
      (doc) => doc.source === source && doc.language.toLowerCase() === language.toLowerCase(),
    );
    if (matching.length === 0) throw new Failure("not_found", "no_transcript_here");
    for (const doc of matching) await removeTranscript(ctx.own, doc);
    return { success: true };
  },

  async refreshTranscript(ctx, { id, language }) {
    return { transcript: toSummary(await refreshTranscript(ctx, await requireVideo(ctx.own, id), language)) };
  },

  async searchTranscript(ctx, { id, q, ...query }) {
    const doc = await findTranscript(ctx, await requireVideo(ctx.own, id), query);
    return { hits: searchTranscript(buildSearchableText(await readSegments(ctx.own, doc)), q) };
  },
};

/** Chapters from YouTube, otherwise those that a client sent. */
function chooseChapters(fromYoutube: TranscriptDoc | undefined, stored: readonly TranscriptDoc[]) {
  const given = stored.find(({ source, chapters }) => source === "client" && chapters.length > 0)?.chapters ?? [];
  return fromYoutube && fromYoutube.chapters.length > 0 ? fromYoutube.chapters : given;
}

/** Video metadata from YouTube; undefined if there is no answer in time. */
async function fetchMetadata(ctx: UserCtx, videoId: string): Promise<YoutubeOutcome | undefined> {
  const timeout = AbortSignal.timeout(METADATA_TIMEOUT_MS);
  const outcome = await fetchFromYoutube(ctx, { videoId, requestedLanguage: "" }, timeout);
  return timeout.aborted ? undefined : outcome;
}

function toFileContent(
  address: Exclude<VideoAddress, { kind: "refused" }>,
  outcome: YoutubeOutcome | undefined,
): FileContent {
  const base = { isArchived: false, archivedAt: null, thumbnail: null };
  if (address.kind === "url")
    return {
      ...base,
      file: { id: `link-${ulid()}`, name: address.name },
      url: address.url,
      videoType: "url",
      title: address.name,
    };
  const { videoId, url } = address;
  const title = outcome?.facts?.title || `YouTube video ${videoId}`;
  const durationMs = outcome?.facts?.durationMs;
  const durationField = durationMs ? { durationMs } : {};
  return {
    ...base,
    file: { id: youtubeFileId(videoId), name: title },
    url,
    videoType: "youtube",
    title,
    ...durationField,
  };
}

async function saveVideo(
  { own, clock }: UserCtx,
  content: FileContent,
  target: { pageId: string | undefined; componentId: string },
): Promise<Component> {
  const now = clock.now();
  const { componentId } = target;
  const pageId = target.pageId ?? (await createPageForFile(own, { componentId, title: content.title, now }));
  return storeFileComponent(own, {
    _id: componentId,
    pageId,
    type: "video",
    content,
    createdAt: now,
    modifiedAt: now,
    createdBy: own.ownerId,
    lastOpenedAt: null,
    version: 1,
  });
}

async function readCaptionFile(file: ReceivedFile): Promise<Uint8Array> {
  if (file.sizeBytes > MAX_CAPTION_BYTES) throw new Failure("too_large", "captions_too_large");
  const pieces: Uint8Array[] = [];
  for await (const piece of file.open()) pieces.push(piece as Uint8Array);
  return Buffer.concat(pieces);
}
