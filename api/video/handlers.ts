import { englishReason } from "#shared/messages/translate.ts";
import { ulid } from "ulid";
import type { Handlers, ReceivedFile, UserCtx } from "#api/http/handler.ts";
import { findUploaded, placeComponent, requirePage, savePageFor } from "#api/pages/service.ts";
import { Failure } from "#shared/contract/failure.ts";
import type { Component, FileContent } from "#shared/pages/schema.ts";
import { readVideoAddress, youtubeFileId, type VideoAddress } from "#shared/video/addresses.ts";
import { MAX_CAPTION_BYTES, readCaptions } from "#shared/video/captions.ts";
import type { video } from "#shared/video/contract.ts";
import { cleanSegments } from "#shared/video/rules.ts";
import { searchableText, searchTranscript } from "#shared/video/search.ts";
import { listTranscripts, readSegments, removeTranscript, type TranscriptDoc } from "./store.ts";
import { speechHandlers, whyNoSpeech } from "./speech.ts";
import { streamHandlers } from "./stream.ts";
import {
  askYoutube,
  findTranscript,
  keepGiven,
  keepOutcome,
  listKept,
  refreshTranscript,
  requireVideo,
  summaryOf,
  type YoutubeOutcome,
} from "./transcripts.ts";

/** How long to wait for the video's title; captions are fetched later. */
const PATIENCE_MS = 5_000;
const MAX_NAME = 200;

export const handlers: Handlers<typeof video> = {
  async createVideoComponent(ctx, { url, pageId, componentId = ulid() }) {
    const already = await findUploaded(ctx.own, componentId);
    if (already) return { component: already };
    if (pageId !== undefined) await requirePage(ctx.own, pageId);
    const address = readVideoAddress(url);
    if (address.kind === "refused") throw new Failure("bad_input", address.reason);
    const outcome = address.kind === "youtube" ? await glance(ctx, address.videoId) : undefined;
    const component = await place(ctx, contentOf(address, outcome), { pageId, componentId });
    if (outcome) await keepOutcome(ctx, component._id, "", outcome);
    return { component };
  },

  async getVideo(ctx, { id }) {
    const component = await requireVideo(ctx.own, id);
    const kept = await listKept(ctx, id);
    const known = await listTranscripts(ctx.own, id);
    const told = known.find(({ source }) => source === "youtube");
    const offered = (told?.offered ?? []).filter((track) => !kept.some((doc) => doc.language === track.language));
    const { problem: reason, ...rest } = await whyNoSpeech(ctx, component.content.file.id);
    const speech = reason === null ? { ...rest, problem: null } : { ...rest, problem: englishReason(reason), reason };
    return { component, transcripts: kept.map(summaryOf), offered, chapters: chaptersOf(told, kept), speech };
  },

  ...streamHandlers,
  ...speechHandlers,

  async getTranscript(ctx, { id, ...wish }) {
    const doc = await findTranscript(ctx, await requireVideo(ctx.own, id), wish);
    return { transcript: { ...summaryOf(doc), componentId: id, segments: await readSegments(ctx.own, doc) } };
  },

  async putTranscript(ctx, { id, segments, ...given }) {
    await requireVideo(ctx.own, id);
    const cleaned = cleanSegments(segments);
    if (cleaned.length === 0) throw new Failure("bad_input", "lines_without_times");
    return { transcript: summaryOf(await keepGiven(ctx, id, { ...given, source: "client" }, cleaned)) };
  },

  async uploadCaptions(ctx, { id, language }, files) {
    await requireVideo(ctx.own, id);
    const file = files.find(({ field }) => field === "file");
    if (!file) throw new Failure("bad_input", "choose_captions");
    const read = await readCaptions(await bytesOf(file));
    if (!read.ok) throw new Failure("invalid_file", read.reason);
    const name = file.name.replace(/^.*[/\\]/u, "").slice(-MAX_NAME);
    const given = { source: "sidecar" as const, language, name, isGenerated: false };
    return { transcript: summaryOf(await keepGiven(ctx, id, given, read.segments)) };
  },

  async removeTranscript(ctx, { id, source, language }) {
    await requireVideo(ctx.own, id);
    const all = await listTranscripts(ctx.own, id);
    const wanted = all.filter((doc) => doc.source === source && doc.language.toLowerCase() === language.toLowerCase());
    if (wanted.length === 0) throw new Failure("not_found", "no_transcript_here");
    for (const doc of wanted) await removeTranscript(ctx.own, doc);
    return { success: true };
  },

  async refreshTranscript(ctx, { id, language }) {
    return { transcript: summaryOf(await refreshTranscript(ctx, await requireVideo(ctx.own, id), language)) };
  },

  async searchTranscript(ctx, { id, q, ...wish }) {
    const doc = await findTranscript(ctx, await requireVideo(ctx.own, id), wish);
    return { hits: searchTranscript(searchableText(await readSegments(ctx.own, doc)), q) };
  },
};

/** Chapters from YouTube, else those read by a client. */
function chaptersOf(told: TranscriptDoc | undefined, kept: readonly TranscriptDoc[]) {
  const given = kept.find(({ source, chapters }) => source === "client" && chapters.length > 0)?.chapters ?? [];
  return told && told.chapters.length > 0 ? told.chapters : given;
}

/** Video metadata from YouTube; undefined if there is no answer in time. */
async function glance(ctx: UserCtx, videoId: string): Promise<YoutubeOutcome | undefined> {
  const patience = AbortSignal.timeout(PATIENCE_MS);
  const outcome = await askYoutube(ctx, { videoId, asked: "" }, patience);
  return patience.aborted ? undefined : outcome;
}

function contentOf(
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
  const known = durationMs ? { durationMs } : {};
  return { ...base, file: { id: youtubeFileId(videoId), name: title }, url, videoType: "youtube", title, ...known };
}

async function place(
  { own, clock }: UserCtx,
  content: FileContent,
  wish: { pageId: string | undefined; componentId: string },
): Promise<Component> {
  const now = clock.now();
  const pageId = wish.pageId ?? (await savePageFor(own, content.title, now));
  return placeComponent(own, {
    _id: wish.componentId,
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

async function bytesOf(file: ReceivedFile): Promise<Uint8Array> {
  if (file.sizeBytes > MAX_CAPTION_BYTES) throw new Failure("too_large", "captions_too_large");
  const pieces: Uint8Array[] = [];
  for await (const piece of file.open()) pieces.push(piece as Uint8Array);
  return Buffer.concat(pieces);
}
