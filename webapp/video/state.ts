import { atom } from "jotai/vanilla";
import { NoAnswer } from "#shared/client/client.ts";
import { friendlyFailure } from "#shared/client/failures.ts";
import type { Output } from "#shared/contract/endpoint.ts";
import { Failure } from "#shared/contract/failure.ts";
import { t } from "#shared/messages/translate.ts";
import { toWebVtt } from "#shared/video/captions.ts";
import { spokenChapters } from "#shared/video/chapters.ts";
import type { video } from "#shared/video/contract.ts";
import { passagesOfSegments } from "#shared/video/passages.ts";
import { segmentAt } from "#shared/video/rules.ts";
import { NoTranscriptReason, type Chapter, type Transcript, type TranscriptSource } from "#shared/video/schema.ts";
import { findQuote, searchableText, searchTranscript, type SearchableText } from "#shared/video/search.ts";
import { accountIdAtom } from "#webapp/app/session/account-atom.ts";
import { notify } from "#webapp/app/alerts.ts";
import { client } from "#webapp/app/client.ts";
import { findKeptVideo, keepVideo, type KeptVideo } from "#webapp/offline/kept-videos.ts";
import { logTrouble } from "#webapp/app/log.ts";
import { noteOpened } from "#webapp/library/note-opened.ts";
import { store } from "#webapp/app/store.ts";
import { nowMsAtom, resetPlayback, seekTo } from "./playback.ts";

export type VideoInfo = Output<typeof video.getVideo>;

export type Said =
  | { state: "loading" }
  | { state: "none"; reason: NoTranscriptReason | null; message: string }
  | { state: "ready"; transcript: Transcript; searchable: SearchableText; chapters: Chapter[]; captionsUrl: string };

export type VideoView =
  | { state: "loading" }
  | { state: "failed"; reason: "missing" | "offline" | "trouble" }
  | { state: "ready"; info: VideoInfo };

/** A highlight: segments `from` to `to`, and the character range in the first and last of them. */
export interface Lit {
  from: number;
  to: number;
  range: readonly [number, number];
}

const viewState = atom<VideoView>({ state: "loading" });
export const videoAtom = atom((get) => get(viewState));
const saidState = atom<Said>({ state: "loading" });
export const saidAtom = atom((get) => get(saidState));
const citedState = atom<{ lit: Lit | null; isMissing: boolean }>({ lit: null, isMissing: false });
/** The highlight of the citation that opened this screen. */
export const citedAtom = atom((get) => get(citedState));
export const queryAtom = atom("");
const busyState = atom<"captions" | "refresh" | null>(null);
export const busyAtom = atom((get) => get(busyState));

/** The line being spoken; -1 before the first. Changes per line, not on every tick. */
export const currentLineAtom = atom((get) => {
  const said = get(saidState);
  return said.state === "ready" ? segmentAt(said.transcript.segments, get(nowMsAtom)) : -1;
});

/** Search hits in the transcript. */
export const hitsAtom = atom((get) => {
  const said = get(saidState);
  const query = get(queryAtom);
  return said.state === "ready" && query.trim().length > 1 ? searchTranscript(said.searchable, query) : [];
});

/** The target of a citation; kept until a transcript is loaded. */
interface Wanted {
  atMs: number | null;
  quote: string | null;
}

let opened = "";
let wanted: Wanted = { atMs: null, quote: null };

export async function openVideo(id: string): Promise<void> {
  opened = id;
  wanted = { atMs: null, quote: null };
  forgetSaid();
  resetPlayback();
  store.set(viewState, { state: "loading" });
  store.set(queryAtom, "");
  await loadInfo(id);
  if (opened === id && store.get(viewState).state === "ready") await loadTranscript(id);
}

export function closeVideo(): void {
  opened = "";
  forgetSaid();
  store.set(viewState, { state: "loading" });
}

function forgetSaid(): void {
  const said = store.get(saidState);
  if (said.state === "ready") URL.revokeObjectURL(said.captionsUrl);
  store.set(saidState, { state: "loading" });
  store.set(citedState, { lit: null, isMissing: false });
}

export const reloadInfo = (id: string) => loadInfo(id);

async function loadInfo(id: string): Promise<void> {
  try {
    const info = await client.video.getVideo({ id });
    if (opened !== id) return;
    if (store.get(viewState).state === "loading") noteOpened(id);
    store.set(viewState, { state: "ready", info });
  } catch (error) {
    const kept = await keptOf(id, error);
    if (opened !== id) return;
    if (kept) store.set(viewState, { state: "ready", info: kept.info });
    else store.set(viewState, { state: "failed", reason: whyNot(error) });
  }
}

/** The cached video, if the server is unreachable. */
async function keptOf(id: string, error: unknown): Promise<KeptVideo | undefined> {
  const accountId = store.get(accountIdAtom);
  return error instanceof NoAnswer && accountId !== undefined ? findKeptVideo(accountId, id) : undefined;
}

/** Caches what was shown for offline use. */
async function keepShown(id: string, transcript: Transcript): Promise<void> {
  const accountId = store.get(accountIdAtom);
  const view = store.get(viewState);
  if (accountId === undefined || view.state !== "ready") return;
  await keepVideo(accountId, { id, keptAt: Date.now(), info: view.info, transcript });
}

function whyNot(error: unknown): "missing" | "offline" | "trouble" {
  if (error instanceof Failure && (error.code === "not_found" || error.code === "bad_input")) return "missing";
  if (error instanceof NoAnswer) return "offline";
  logTrouble("Failed to load a video", error);
  return "trouble";
}

interface TranscriptWish {
  language?: string;
  source?: TranscriptSource;
}

/** Shows the requested transcript, or the default one. */
export async function loadTranscript(id: string, wish: TranscriptWish = {}): Promise<void> {
  try {
    const { transcript } = await client.video.getTranscript({ id, ...wish });
    if (opened !== id) return;
    showTranscript(transcript);
    await keepShown(id, transcript);
  } catch (error) {
    const kept = wish.language === undefined ? await keptOf(id, error) : undefined;
    if (opened !== id) return;
    if (kept) return showTranscript(kept.transcript);
    forgetSaid();
    store.set(saidState, { state: "none", ...whyNone(error) });
    showWanted();
  }
}

function showTranscript(transcript: Transcript): void {
  forgetSaid();
  const searchable = searchableText(transcript.segments);
  const captionsUrl = URL.createObjectURL(new Blob([toWebVtt(transcript.segments)], { type: "text/vtt" }));
  const chapters = chaptersOf(transcript);
  store.set(saidState, { state: "ready", transcript, searchable, chapters, captionsUrl });
  showWanted();
}

function chaptersOf({ segments }: Transcript): Chapter[] {
  const view = store.get(viewState);
  const described = view.state === "ready" ? view.info.chapters : [];
  return described.length > 0 ? described : spokenChapters(passagesOfSegments(segments));
}

function whyNone(error: unknown): { reason: NoTranscriptReason | null; message: string } {
  if (error instanceof Failure && error.code === "no_transcript") {
    const reason = NoTranscriptReason.safeParse(error.data?.["reason"]);
    return { reason: reason.success ? reason.data : null, message: error.message };
  }
  if (!(error instanceof NoAnswer)) logTrouble("Failed to load a transcript", error);
  return {
    reason: null,
    message: t(error instanceof NoAnswer ? "video.transcript_offline" : "video.transcript_failed"),
  };
}

/** `?t=` in seconds and `?quote=`, as written by citations. */
function readWanted(search: string): Wanted {
  const query = new URLSearchParams(search);
  const seconds = Number(query.get("t") ?? Number.NaN);
  const quote = query.get("quote");
  return { atMs: Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : null, quote: quote === "" ? null : quote };
}

/** Seeks to the cited time and highlights the quote if found. */
export function showCitation(search: string): void {
  wanted = readWanted(search);
  if (wanted.atMs !== null) seekTo(wanted.atMs);
  store.set(citedState, { lit: null, isMissing: false });
  if (store.get(saidState).state !== "loading") showWanted();
}

function showWanted(): void {
  const { atMs, quote } = wanted;
  if (quote === null) return;
  const said = store.get(saidState);
  const hit =
    said.state === "ready"
      ? findQuote(said.searchable, { quote, ...(atMs === null ? {} : { nearMs: atMs }) })
      : undefined;
  store.set(citedState, { lit: hit ?? null, isMissing: hit === undefined });
  if (hit && atMs === null) seekTo(hit.startMs);
}

export const dismissCitation = () => {
  wanted = { atMs: null, quote: null };
  store.set(citedState, { lit: null, isMissing: false });
};

async function change(work: "captions" | "refresh", run: (id: string) => Promise<unknown>): Promise<void> {
  const id = opened;
  store.set(busyState, work);
  try {
    await run(id);
    await loadInfo(id);
    await loadTranscript(id);
  } catch (error) {
    const isRefusal = error instanceof Failure && error.code === "no_transcript";
    const message = isRefusal
      ? error.message
      : (friendlyFailure(error, "upload")?.message ?? t("video.transcript_failed"));
    notify({ message, type: "error" });
  } finally {
    store.set(busyState, null);
  }
}

export const uploadCaptions = (file: File, language: string) =>
  change("captions", (id) => client.video.uploadCaptions({ id, language }, [{ field: "file", file, name: file.name }]));

export const askAgain = () => change("refresh", (id) => client.video.refreshTranscript({ id }));

export const removeTranscript = ({ source, language }: Pick<Transcript, "source" | "language">) =>
  change("captions", (id) => client.video.removeTranscript({ id, source, language }));

/** A signed address at which the player streams an uploaded video. */
export async function streamOf(id: string): Promise<string | undefined> {
  try {
    return (await client.video.signStream({ id })).url;
  } catch (error) {
    if (!(error instanceof NoAnswer)) logTrouble("Failed to get the address of a video", error);
    return undefined;
  }
}
