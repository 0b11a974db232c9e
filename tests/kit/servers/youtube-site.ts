import type { Reply, Site } from "./named-sites.ts";

type Answer = "good" | "empty" | "html" | "consent" | "rate_limited" | "forbidden";

/** A video as YouTube's page shows it; omitted fields are those of an ordinary video. */
export interface WatchedVideo {
  title?: string;
  author?: string;
  description?: string;
  /** The playback position in seconds. */
  at?: number;
  status?: { status: string; reason?: string };
  isLive?: boolean;
  tracks?: { language: string; name: string; isGenerated?: boolean }[];
  /** The page's caption addresses answer only if the player has added its proof. */
  isGated?: boolean;
  /** Whether the player ever provides addresses with its proof. */
  hasProof?: boolean;
  captions?: Answer;
  /** The answer to the API of YouTube's own app. */
  api?: Answer | "bot_check";
  /** The transcript below the video, in the old or the new form. */
  panel?: "classic" | "modern";
  chapters?: { title: string; startMs: number }[];
  /** The first video of a page that then moved on to this one. */
  openedWith?: string;
}

const LINES: readonly [number, number, string][] = [
  [0, 4000, "Today we look at how plants make their sugar."],
  [20_000, 5000, "Photosynthesis is the process by which plants"],
  [25_000, 5000, "convert light energy into chemical energy."],
  [66_000, 6000, "Chlorophyll is the green pigment that absorbs light in the leaves."],
  [74_000, 6000, "It's found in the thylakoid &amp; nowhere else."],
  [95_000, 5000, "The Calvin cycle builds sugar from carbon dioxide."],
];

const plain = (text: string) => text.replace("&amp;", "&");

function json3(language: string): string {
  const events = LINES.map(([tStartMs, dDurationMs, text]) => {
    const [first = "", ...rest] = `${language === "de" ? "(de) " : ""}${plain(text)}`.split(" ");
    return { tStartMs, dDurationMs, segs: [{ utf8: first }, { utf8: ` ${rest.join(" ")}`, tOffsetMs: 100 }] };
  });
  // Rows that only scroll the text, as in every automatic track.
  const scrolls = LINES.map(([start, , text]) => ({
    tStartMs: start + 50,
    aAppend: 1,
    segs: [{ utf8: text && "\n" }],
  }));
  return JSON.stringify({
    wireMagic: "pb3",
    events: [{ tStartMs: 0, dDurationMs: 100_000, id: 1 }, ...events, ...scrolls],
  });
}

const clock = (ms: number) => `${Math.floor(ms / 60_000)}:${String(Math.floor(ms / 1000) % 60).padStart(2, "0")}`;

const rows = {
  classic: ([start, , text]: (typeof LINES)[number]) =>
    `<ytd-transcript-segment-renderer><div class="segment-timestamp">${clock(start)}</div><yt-formatted-string class="segment-text">${text}</yt-formatted-string></ytd-transcript-segment-renderer>`,
  modern: ([start, , text]: (typeof LINES)[number]) =>
    `<transcript-segment-view-model><div class="ytwTranscriptSegmentViewModelTimestamp">${clock(start)}</div><div class="ytwTranscriptSegmentViewModelTimestampA11yLabel">${start / 1000} seconds</div><span class="ytAttributedStringHost">${text}</span></transcript-segment-view-model>`,
};

const DEFAULT_TRACKS = [{ language: "en", name: "English (auto-generated)", isGenerated: true }];

function trackOf(id: string, { language, name, isGenerated }: (typeof DEFAULT_TRACKS)[number], tail: string) {
  const kind = isGenerated ? { kind: "asr" } : {};
  const address = `https://www.youtube.com/api/timedtext?v=${id}&lang=${language}${isGenerated ? "&kind=asr" : ""}${tail}`;
  return { address, languageCode: language, name, ...kind };
}

const tracksOf = ({ tracks, isLive, status }: WatchedVideo) =>
  isLive || (status && status.status !== "OK")
    ? []
    : (tracks ?? DEFAULT_TRACKS).map((t) => ({ isGenerated: false, ...t }));

function responseOf(id: string, video: WatchedVideo, tail: string) {
  const tracks = tracksOf(video).map((track) => {
    const { address, name, ...rest } = trackOf(id, track, tail);
    return { ...rest, baseUrl: address, name: { simpleText: name } };
  });
  const { title = `Lecture ${id}`, author = "A. Teacher", description = "", isLive = false } = video;
  return {
    playabilityStatus: video.status ?? { status: "OK" },
    videoDetails: { videoId: id, title, author, shortDescription: description, isLive },
    ...(tracks.length > 0 ? { captions: { playerCaptionsTracklistRenderer: { captionTracks: tracks } } } : {}),
  };
}

function dataOf(id: string, chapters: WatchedVideo["chapters"] = []) {
  const marks = chapters.map(({ title, startMs }) => ({
    chapterRenderer: { title: { simpleText: title }, timeRangeStartMillis: startMs },
  }));
  const playerBar = { multiMarkersPlayerBarRenderer: { markersMap: [{ value: { chapters: marks } }] } };
  return {
    currentVideoEndpoint: { watchEndpoint: { videoId: id } },
    playerOverlays: {
      playerOverlayRenderer: { decoratedPlayerBarRenderer: { decoratedPlayerBarRenderer: { playerBar } } },
    },
  };
}

/** Runs in the page: the player starts shortly after the page has loaded. */
function bringToLife(facts: {
  id: string;
  title: string;
  author: string;
  at: number;
  isLive: boolean;
  tracks: object[];
  rows: string;
}): void {
  const player = document.querySelector("#movie_player") as HTMLElement & Record<string, unknown>;
  const video = document.querySelector("video");
  if (video) video.currentTime = facts.at;
  player["getVideoData"] = () => ({
    video_id: facts.id,
    title: facts.title,
    author: facts.author,
    isLive: facts.isLive,
  });
  setTimeout(() => (player["getAudioTrack"] = () => ({ captionTracks: facts.tracks })), 200);
  document.querySelector("#opener")?.addEventListener("click", () => {
    const panel = document.querySelector("#panel");
    if (panel) setTimeout(() => (panel.innerHTML = facts.rows), 100);
  });
}

function watchPage(id: string, video: WatchedVideo): string {
  const {
    title = `Lecture ${id}`,
    author = "A. Teacher",
    at = 0,
    isLive = false,
    isGated = true,
    hasProof = true,
  } = video;
  const first = video.openedWith ?? id;
  const own = tracksOf(video).map((track) => {
    const { address, name, ...rest } = trackOf(id, track, hasProof ? "&exp=xpe&pot=PROOF" : "&exp=xpe");
    return { ...rest, url: address, languageName: name };
  });
  const panel = video.panel ? LINES.map(rows[video.panel]).join("") : "";
  const facts = { id, title, author, at, isLive, tracks: own, rows: panel };
  const opener = video.panel
    ? "<ytd-video-description-transcript-section-renderer><button id=opener>Show transcript</button></ytd-video-description-transcript-section-renderer>"
    : "";
  const initial = responseOf(first, first === id ? video : {}, isGated ? "&exp=xpe" : "");
  return `<!doctype html><html lang="en"><head><title>(2) ${title} - YouTube</title></head><body>
<div id="movie_player"><video style="width:640px;height:360px"></video></div>${opener}<div id="panel"></div>
<script>var ytInitialPlayerResponse = ${JSON.stringify(initial)}; var ytInitialData = ${JSON.stringify(dataOf(first, video.chapters))};</script>
<script>(${bringToLife.toString()})(${JSON.stringify(facts)})</script></body></html>`;
}

const CONSENT = '<html><body><form action="https://consent.youtube.com/s" method="POST"></form></body></html>';

function answered(answer: Answer, good: () => Reply): Reply {
  switch (answer) {
    case "empty":
      return { body: "" };
    case "html":
      return { body: "<!DOCTYPE html><html><body>Sorry</body></html>" };
    case "consent":
      return { body: CONSENT };
    case "rate_limited":
      return { status: 429, body: '<div class="g-recaptcha"></div>' };
    case "forbidden":
      return { status: 403, body: "{}" };
    case "good":
      return good();
    default:
      return answer satisfies never;
  }
}

function captionsFor(url: URL, video: WatchedVideo): Reply {
  const isGated = url.searchParams.get("exp") === "xpe" && url.searchParams.get("pot") !== "PROOF";
  if (isGated) return { body: "" };
  const body = json3(url.searchParams.get("lang") ?? "");
  return answered(video.captions ?? "good", () => ({ type: "application/json", body }));
}

function playerFor(id: string, video: WatchedVideo): Reply {
  const refused = { status: "LOGIN_REQUIRED", reason: "Sign in to confirm you\u2019re not a bot" };
  const asked = video.api === "bot_check" ? { ...video, status: refused } : video;
  const answer = video.api === undefined || video.api === "bot_check" ? "good" : video.api;
  return answered(answer, () => ({ type: "application/json", body: JSON.stringify(responseOf(id, asked, "")) }));
}

/** YouTube as a tab sees it: watch pages with a player, caption calls and its app's API. */
export function youtubeSite(videos: Readonly<Record<string, WatchedVideo>>): Site {
  return ({ url, body }) => {
    const sent = url.pathname === "/youtubei/v1/player" ? (JSON.parse(body) as { videoId: string }).videoId : undefined;
    const id = sent ?? url.searchParams.get("v") ?? "";
    const video = videos[id];
    if (!video) return undefined;
    if (url.pathname === "/watch") return { body: watchPage(id, video) };
    if (url.pathname === "/api/timedtext") return captionsFor(url, video);
    return sent === undefined ? undefined : playerFor(id, video);
  };
}
