// Injected into the isolated world of a YouTube page. No single way to get captions always works, so several are tried
// in order; an empty response counts as a failure, never as a transcript.
import type { NoCaptions, PlayerFacts, ReadCaptions, Track } from "./video-shapes.ts";

type CaptionAttempt = Partial<ReadCaptions> & { reason: NoCaptions | null };

const REQUEST_TIMEOUT_MS = 6_000;
const PANEL_POLL_ATTEMPTS = 20;
const PANEL_POLL_INTERVAL_MS = 250;

const currentVideoId = () => new URL(location.href).searchParams.get("v") ?? location.pathname.split("/").at(-1) ?? "";

const isGated = ({ url }: Track) => /[?&]exp=xpe(?:&|$)/.test(url) && !/[?&]pot=/.test(url);

/** Why a video has no captions, judged by its status; the status text is in the student's language. */
function findRefusal({ status, statusReason, isLive }: PlayerFacts): NoCaptions {
  if (isLive || status === "LIVE_STREAM_OFFLINE") return "live";
  if (status === "LOGIN_REQUIRED") {
    if (/bot/i.test(statusReason)) return "bot_check";
    return /inappropriate|age/i.test(statusReason) ? "age_restricted" : "sign_in";
  }
  return status === "" || status === "OK" ? "no_captions" : "unavailable";
}

function readBody(body: string): CaptionAttempt {
  const head = body.slice(0, 4000).trimStart();
  if (/consent\.youtube\.com/.test(head)) return { reason: "consent" };
  if (head === "" || /^<!doctype|^<html/i.test(head)) return { reason: "empty_answer" };
  return { body, reason: null };
}

/** Fetches captions with the page's session; the URL must belong to this site. */
async function fetchTrack(track: Track): Promise<CaptionAttempt> {
  if (isGated(track)) return { reason: "empty_answer" };
  const url = new URL(track.url, location.origin);
  if (!/(?:^|\.)youtube(?:-nocookie)?\.com$/.test(url.hostname) || url.pathname !== "/api/timedtext")
    return { reason: "empty_answer" };
  url.searchParams.set("fmt", "json3");
  try {
    const answer = await fetch(`${location.origin}${url.pathname}${url.search}`, {
      credentials: "include",
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
    if (answer.status === 429) return { reason: "too_many_requests" };
    if (!answer.ok) return { reason: "unreachable" };
    return readBody(await answer.text());
  } catch {
    return { reason: "unreachable" };
  }
}

const TIME = /^(?:(\d+):)?(\d{1,3}):(\d{2})$/;

/** A row of the transcript panel. Class names change often, so it is recognised by a time next to text. */
function parseRow(row: Element): { startMs: number; text: string } | undefined {
  const walker = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
  let startMs: number | undefined;
  let content = "";
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const words = node.textContent?.trim() ?? "";
    const time = TIME.exec(words);
    if (time && startMs === undefined)
      startMs = ((Number(time[1] ?? 0) * 60 + Number(time[2])) * 60 + Number(time[3])) * 1000;
    else if (!/timestamp/i.test(node.parentElement?.className ?? "")) content += ` ${words}`;
  }
  const text = content.replaceAll(/\s+/g, " ").trim();
  return startMs === undefined || text === "" ? undefined : { startMs, text: text.slice(0, 4000) };
}

const readRows = () =>
  [...document.querySelectorAll("ytd-transcript-segment-renderer, transcript-segment-view-model")].flatMap(
    (row) => parseRow(row) ?? [],
  );

/** Reads the transcript panel of the page, opening it if necessary. */
async function readPanel(): Promise<CaptionAttempt> {
  let rows = readRows();
  const opener = document.querySelector<HTMLElement>("ytd-video-description-transcript-section-renderer button");
  if (rows.length === 0 && !opener) return { reason: "no_captions" };
  if (rows.length === 0) opener?.click();
  for (let attempt = 0; attempt < PANEL_POLL_ATTEMPTS && rows.length === 0; attempt += 1) {
    await new Promise((resolve) => setTimeout(resolve, PANEL_POLL_INTERVAL_MS));
    rows = readRows();
  }
  if (rows.length === 0) return { reason: "empty_answer" };
  const lines = rows.map(({ startMs, text }, index) => ({ startMs, endMs: rows[index + 1]?.startMs ?? startMs, text }));
  return { lines, language: "und", name: "", reason: null };
}

interface ApiPlayer {
  captions?: { playerCaptionsTracklistRenderer?: { captionTracks?: { baseUrl?: string; languageCode?: string }[] } };
}

const toTracks = (content: ApiPlayer | undefined): Track[] =>
  (content?.captions?.playerCaptionsTracklistRenderer?.captionTracks ?? []).flatMap(
    ({ baseUrl: url, languageCode: language = "und" }) =>
      url === undefined ? [] : [{ url, language, name: language, isGenerated: false }],
  );

const fetchPlayer = (videoId: string) =>
  fetch(`${location.origin}/youtubei/v1/player?prettyPrint=false`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ context: { client: { clientName: "ANDROID", clientVersion: "20.10.38" } }, videoId }),
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
  });

/** Captions offered to YouTube's own app, whose URLs are rarely gated. */
async function readFromApi(videoId: string, requested: Track | undefined): Promise<CaptionAttempt> {
  const answer = await fetchPlayer(videoId).catch(() => undefined);
  if (answer?.status === 429) return { reason: "too_many_requests" };
  if (!answer?.ok) return { reason: "unreachable" };
  const offered = toTracks(await answer.json().catch(() => undefined));
  const found = offered.find(({ language }) => language === requested?.language) ?? offered[0];
  if (!found) return { reason: "no_captions" };
  return { language: found.language, ...(await fetchTrack({ ...found, name: requested?.name ?? found.language })) };
}

/** Tries the ways in order; reports the reason of the first, which is the most accurate. */
async function tryInOrder(player: PlayerFacts, chosen: Track | undefined): Promise<CaptionAttempt> {
  const first: CaptionAttempt = chosen ? await fetchTrack(chosen) : { reason: findRefusal(player) };
  const isFinal = !chosen && first.reason !== "no_captions" && first.reason !== "bot_check";
  if (first.reason === null || isFinal) return first;
  const panel = await readPanel();
  if (panel.reason === null) return { ...panel, ...(chosen ? { language: chosen.language, name: chosen.name } : {}) };
  const api = await readFromApi(player.videoId, chosen);
  return api.reason === null ? api : first;
}

/** Reads the captions of the current video; the id is compared before and after, because the page may move on. */
export async function readYoutube(player: PlayerFacts, chosen: Track | undefined): Promise<Partial<ReadCaptions>> {
  if (player.videoId !== currentVideoId()) return { reason: "moved" };
  const answer = await tryInOrder(player, chosen);
  if (player.videoId !== currentVideoId()) return { reason: "moved" };
  const { language, name, isGenerated } = chosen ?? { language: "und", name: "", isGenerated: false };
  const offered = player.tracks.map((track) => ({
    language: track.language,
    name: track.name,
    isGenerated: track.isGenerated,
  }));
  return { language, name, isGenerated, offered, chapters: player.chapters, ...answer };
}
