import { atom } from "jotai/vanilla";
import { NoResponseError } from "#shared/client/client.ts";
import { toFailureMessage } from "#shared/client/failure-messages.ts";
import type { Output } from "#shared/contract/endpoint.ts";
import { Failure } from "#shared/contract/failure.ts";
import { t } from "#shared/messages/translate.ts";
import { toWebVtt } from "#shared/video/captions.ts";
import { detectChapters } from "#shared/video/chapters.ts";
import type { video } from "#shared/video/contract.ts";
import { passagesOfSegments } from "#shared/video/passages.ts";
import { segmentAt } from "#shared/video/rules.ts";
import { NoTranscriptReason, type Chapter, type Transcript, type TranscriptSource } from "#shared/video/schema.ts";
import {
  findTranscriptQuote,
  buildSearchableText,
  searchTranscript,
  type SearchableText,
} from "#shared/video/transcript-search.ts";
import { accountIdAtom } from "#webapp/app/session/account-atom.ts";
import { notify } from "#webapp/app/alerts.ts";
import { client } from "#webapp/app/client.ts";
import { findCachedVideo, cacheVideo, type CachedVideo } from "#webapp/offline/video-cache.ts";
import { type ItemLoadFailure, toLoadFailure } from "#webapp/app/load-failure.ts";
import { logWarning } from "#webapp/app/log.ts";
import { recordOpened } from "#webapp/library/record-opened.ts";
import { store } from "#webapp/app/store.ts";
import { nowMsAtom, resetPlayback, seekTo } from "./playback.ts";

export type VideoInfo = Output<typeof video.getVideo>;

export type TranscriptState =
  | { state: "loading" }
  | { state: "none"; reason: NoTranscriptReason | null; message: string }
  | { state: "ready"; transcript: Transcript; searchable: SearchableText; chapters: Chapter[]; captionsUrl: string };

export type VideoView =
  | { state: "loading" }
  | { state: "failed"; reason: ItemLoadFailure }
  | { state: "ready"; info: VideoInfo };

/** A highlight of segments `from` to `to`. `range` is the start in the first segment and the end in the last. */
export interface Highlight {
  from: number;
  to: number;
  range: readonly [number, number];
}

const viewState = atom<VideoView>({ state: "loading" });
export const videoAtom = atom((get) => get(viewState));
const transcriptStateAtom = atom<TranscriptState>({ state: "loading" });
export const transcriptAtom = atom((get) => get(transcriptStateAtom));
const citedState = atom<{ highlight: Highlight | null; isMissing: boolean }>({ highlight: null, isMissing: false });
/** The highlight of the citation that opened this screen. */
export const citedAtom = atom((get) => get(citedState));
export const queryAtom = atom("");
const busyState = atom<"captions" | "refresh" | null>(null);
export const busyAtom = atom((get) => get(busyState));

/** The line being spoken; -1 before the first. Changes per line, not on every tick. */
export const currentLineAtom = atom((get) => {
  const transcriptState = get(transcriptStateAtom);
  return transcriptState.state === "ready" ? segmentAt(transcriptState.transcript.segments, get(nowMsAtom)) : -1;
});

/** Search hits in the transcript. */
export const hitsAtom = atom((get) => {
  const transcriptState = get(transcriptStateAtom);
  const query = get(queryAtom);
  return transcriptState.state === "ready" && query.trim().length > 1
    ? searchTranscript(transcriptState.searchable, query)
    : [];
});

/**
 * The target of a citation. Its quote is highlighted in every transcript that is shown until the student dismisses it.
 */
interface CitationTarget {
  atMs: number | null;
  quote: string | null;
}

let openedId = "";
let citationTarget: CitationTarget = { atMs: null, quote: null };

export async function openVideo(id: string): Promise<void> {
  openedId = id;
  citationTarget = { atMs: null, quote: null };
  resetTranscript();
  resetPlayback();
  store.set(viewState, { state: "loading" });
  store.set(queryAtom, "");
  await loadInfo(id);
  if (openedId === id && store.get(viewState).state === "ready") await loadTranscript(id);
}

export function closeVideo(): void {
  openedId = "";
  resetTranscript();
  store.set(viewState, { state: "loading" });
}

function resetTranscript(): void {
  const transcriptState = store.get(transcriptStateAtom);
  if (transcriptState.state === "ready") URL.revokeObjectURL(transcriptState.captionsUrl);
  store.set(transcriptStateAtom, { state: "loading" });
  store.set(citedState, { highlight: null, isMissing: false });
}

export async function loadInfo(id: string): Promise<void> {
  try {
    const info = await client.video.getVideo({ id });
    if (openedId !== id) return;
    if (store.get(viewState).state === "loading") recordOpened(id);
    store.set(viewState, { state: "ready", info });
  } catch (error) {
    const cached = await findCachedIfOffline(id, error);
    // A video that is being watched stays on the screen, although it could not be loaded again.
    if (openedId !== id || store.get(viewState).state === "ready") return;
    if (cached) store.set(viewState, { state: "ready", info: cached.info });
    else store.set(viewState, { state: "failed", reason: toLoadFailure(error, "Failed to load a video") });
  }
}

/** The cached video, if the server is unreachable. */
async function findCachedIfOffline(id: string, error: unknown): Promise<CachedVideo | undefined> {
  const accountId = store.get(accountIdAtom);
  return error instanceof NoResponseError && accountId !== undefined ? findCachedVideo(accountId, id) : undefined;
}

/** Caches the shown video and its transcript for offline use. */
async function cacheShownVideo(id: string, transcript: Transcript): Promise<void> {
  const accountId = store.get(accountIdAtom);
  const view = store.get(viewState);
  if (accountId === undefined || view.state !== "ready") return;
  await cacheVideo(accountId, { id, openedAt: Date.now(), info: view.info, transcript });
}

interface TranscriptRequest {
  language?: string;
  source?: TranscriptSource;
}

let transcriptRequests = 0;

/** Shows the requested or default transcript, unless another transcript is requested in the meantime. */
export async function loadTranscript(id: string, request: TranscriptRequest = {}): Promise<void> {
  transcriptRequests += 1;
  const ownCount = transcriptRequests;
  const isCurrent = () => openedId === id && ownCount === transcriptRequests;
  try {
    const { transcript } = await client.video.getTranscript({ id, ...request });
    if (!isCurrent()) return;
    showTranscript(transcript);
    await cacheShownVideo(id, transcript);
  } catch (error) {
    const cached = request.language === undefined ? await findCachedIfOffline(id, error) : undefined;
    if (!isCurrent()) return;
    if (cached) return showTranscript(cached.transcript);
    resetTranscript();
    store.set(transcriptStateAtom, { state: "none", ...toMissingReason(error) });
    applyCitationTarget();
  }
}

function showTranscript(transcript: Transcript): void {
  resetTranscript();
  const searchable = buildSearchableText(transcript.segments);
  const captionsUrl = URL.createObjectURL(new Blob([toWebVtt(transcript.segments)], { type: "text/vtt" }));
  const chapters = computeChapters(transcript);
  store.set(transcriptStateAtom, { state: "ready", transcript, searchable, chapters, captionsUrl });
  applyCitationTarget();
}

function computeChapters({ segments }: Transcript): Chapter[] {
  const view = store.get(viewState);
  const describedChapters = view.state === "ready" ? view.info.chapters : [];
  return describedChapters.length > 0 ? describedChapters : detectChapters(passagesOfSegments(segments));
}

function toMissingReason(error: unknown): { reason: NoTranscriptReason | null; message: string } {
  if (error instanceof Failure && error.code === "no_transcript") {
    const reason = NoTranscriptReason.safeParse(error.data?.["reason"]);
    return { reason: reason.success ? reason.data : null, message: error.message };
  }
  if (!(error instanceof NoResponseError)) logWarning("Failed to load a transcript", error);
  return {
    reason: null,
    message: t(error instanceof NoResponseError ? "video.transcript_offline" : "video.transcript_failed"),
  };
}

/** `?t=` in seconds and `?quote=`, as written by citations. */
function parseCitationTarget(search: string): CitationTarget {
  const query = new URLSearchParams(search);
  const seconds = Number(query.get("t") ?? Number.NaN);
  const quote = query.get("quote");
  return { atMs: Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : null, quote: quote === "" ? null : quote };
}

/** The query string of the address, and the arrival, which changes when the same citation is opened again. */
export interface CitedAddress {
  search: string;
  arrival: number | undefined;
}

/** Seeks to the cited time and highlights the quote if found. */
export function showCitation({ search }: CitedAddress): void {
  citationTarget = parseCitationTarget(search);
  if (citationTarget.atMs !== null) seekTo(citationTarget.atMs);
  store.set(citedState, { highlight: null, isMissing: false });
  if (store.get(transcriptStateAtom).state !== "loading") applyCitationTarget();
}

function applyCitationTarget(): void {
  const { atMs, quote } = citationTarget;
  if (quote === null) return;
  const transcriptState = store.get(transcriptStateAtom);
  const hit =
    transcriptState.state === "ready"
      ? findTranscriptQuote(transcriptState.searchable, { quote, ...(atMs === null ? {} : { nearMs: atMs }) })
      : undefined;
  store.set(citedState, { highlight: hit ?? null, isMissing: hit === undefined });
  if (!hit || atMs !== null) return;
  // Stores the time, so that showing another transcript later does not move the video.
  citationTarget = { atMs: hit.startMs, quote };
  seekTo(hit.startMs);
}

export const dismissCitation = () => {
  citationTarget = { atMs: null, quote: null };
  store.set(citedState, { highlight: null, isMissing: false });
};

async function runTask(task: "captions" | "refresh", run: (id: string) => Promise<unknown>): Promise<void> {
  const id = openedId;
  store.set(busyState, task);
  try {
    await run(id);
    await loadInfo(id);
    await loadTranscript(id);
  } catch (error) {
    const isRefusal = error instanceof Failure && error.code === "no_transcript";
    const message = isRefusal
      ? error.message
      : (toFailureMessage(error, "upload")?.message ?? t("video.transcript_failed"));
    notify({ message, type: "error" });
  } finally {
    store.set(busyState, null);
  }
}

export const uploadCaptions = (file: File, language: string) =>
  runTask("captions", (id) =>
    client.video.uploadCaptions({ id, language }, [{ field: "file", file, name: file.name }]),
  );

export const refreshTranscript = () => runTask("refresh", (id) => client.video.refreshTranscript({ id }));

export const removeTranscript = ({ source, language }: Pick<Transcript, "source" | "language">) =>
  runTask("captions", (id) => client.video.removeTranscript({ id, source, language }));

/** A signed address at which the player streams an uploaded video. */
export async function getStreamUrl(id: string): Promise<string | undefined> {
  try {
    return (await client.video.signStream({ id })).url;
  } catch (error) {
    if (!(error instanceof NoResponseError)) logWarning("Failed to get the address of a video", error);
    return undefined;
  }
}
