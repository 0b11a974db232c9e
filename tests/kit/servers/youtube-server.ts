import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What the server answers for one video; omitted fields are those of an ordinary video. */
export interface MadeVideo {
  title?: string;
  lengthSeconds?: number;
  description?: string;
  isLive?: boolean;
  /** `playabilityStatus` of the player call, and of the page if that differs. */
  status?: { status: string; reason?: string };
  pageStatus?: { status: string; reason?: string };
  tracks?: { language: string; name?: string; isGenerated?: boolean }[];
  /** The answer has no `captions` key, as with captions turned off. */
  hasNoCaptionsKey?: boolean;
  /** The answer to each caption call, by language. */
  captions?: Record<string, string>;
  captionAnswer?: "good" | "empty" | "html" | "rate_limited" | "broken" | "silent";
  playerAnswer?: "good" | "forbidden" | "rate_limited" | "broken_json" | "cut";
  pageAnswer?: "good" | "consent_redirect" | "consent_form" | "captcha" | "rate_limited" | "gone";
  /** The page's caption addresses are gated: they answer with nothing. */
  isPageGated?: boolean;
}

export interface YoutubeServer {
  /** For YOUTUBE_BASE_URL. */
  baseUrl: string;
  videos: Map<string, MadeVideo>;
  /** Paths of all requests in order. */
  requests: string[];
  close(): Promise<void>;
}

export const captionsSrv3 = (lines: readonly [number, number, string][]) =>
  `<?xml version="1.0" encoding="utf-8" ?><timedtext format="3"><head><wp id="0"/></head><body>${lines
    .map(([t, d, text]) => `<p t="${t}" d="${d}">${text}</p>`)
    .join("\n")}</body></timedtext>`;

export const captionsXml = (lines: readonly [number, number, string][]) =>
  `<?xml version="1.0" encoding="utf-8" ?><transcript>${lines
    .map(([start, dur, text]) => `<text start="${start}" dur="${dur}">${text}</text>`)
    .join("")}</transcript>`;

const usual = captionsSrv3([
  [0, 3000, "Photosynthesis is the process by which plants"],
  [3000, 3500, "convert light energy into sugar."],
  [7000, 4000, "Chlorophyll is the green pigment that absorbs light in the leaves."],
]);

function detailsOf(videoId: string, { title, lengthSeconds = 30, description = "", isLive = false }: MadeVideo) {
  // A brace in a string breaks parsers that only count braces.
  const named = title ?? "Plants {part 1";
  return { videoId, title: named, lengthSeconds: String(lengthSeconds), shortDescription: description, isLive };
}

function playerOf(videoId: string, video: MadeVideo, from: "player" | "page") {
  const tracks = (video.tracks ?? [{ language: "en", name: "English" }]).map((track) => ({
    baseUrl: `https://www.youtube.com/api/timedtext?v=${videoId}&lang=${track.language}${from === "page" ? "&from=page" : ""}`,
    languageCode: track.language,
    name: { simpleText: track.name ?? track.language },
    ...(track.isGenerated ? { kind: "asr" } : {}),
  }));
  const status = (from === "page" ? video.pageStatus : undefined) ?? video.status ?? { status: "OK" };
  const isRefused = status.status !== "OK";
  return {
    playabilityStatus: status,
    ...(status.status === "ERROR" ? {} : { videoDetails: detailsOf(videoId, video) }),
    ...(isRefused || video.hasNoCaptionsKey || video.isLive
      ? {}
      : { captions: { playerCaptionsTracklistRenderer: { captionTracks: tracks } } }),
  };
}

type Reply = { status: number; type?: string; body?: string; headers?: Record<string, string> } | "cut";

function answerPlayer(videoId: string, video: MadeVideo): Reply {
  const json = JSON.stringify(playerOf(videoId, video, "player"));
  switch (video.playerAnswer) {
    case "forbidden":
      return { status: 403, type: "application/json", body: "{}" };
    case "rate_limited":
      return { status: 429, body: '<div class="g-recaptcha"></div>' };
    case "broken_json":
      return { status: 200, type: "application/json", body: json.slice(0, 40) };
    case "cut":
      return "cut";
    case undefined:
    case "good":
      return { status: 200, type: "application/json", body: json };
    default:
      return video.playerAnswer satisfies never;
  }
}

function answerPage(videoId: string, video: MadeVideo): Reply {
  const form = '<form action="https://consent.youtube.com/s" method="POST"><input name="v" value="cb"></form>';
  const json = JSON.stringify(playerOf(videoId, video, "page"));
  switch (video.pageAnswer) {
    case "consent_redirect":
      return { status: 302, headers: { location: `https://consent.youtube.com/m?continue=${videoId}` } };
    case "consent_form":
      return { status: 200, body: `<html><body>${form}</body></html>` };
    case "captcha":
      return { status: 200, body: '<html><form><div class="g-recaptcha" data-sitekey="x"></div></form></html>' };
    case "rate_limited":
      return { status: 429 };
    case "gone":
      return { status: 404 };
    case undefined:
    case "good":
      return { status: 200, body: `<html><script>var ytInitialPlayerResponse = ${json};var meta=1;</script></html>` };
    default:
      return video.pageAnswer satisfies never;
  }
}

const captionAnswers: Record<Exclude<MadeVideo["captionAnswer"], "good" | undefined>, Reply> = {
  empty: { status: 200, body: "" },
  html: { status: 200, body: "<!DOCTYPE html><html><body>Sorry</body></html>" },
  rate_limited: { status: 429 },
  silent: { status: 200, type: "text/xml", body: captionsSrv3([]) },
  broken: { status: 500 },
};

function answerCaptions(url: URL, { captionAnswer = "good", captions = {}, isPageGated = false }: MadeVideo): Reply {
  if (isPageGated && url.searchParams.get("from") === "page") return captionAnswers.empty;
  if (captionAnswer !== "good") return captionAnswers[captionAnswer];
  return { status: 200, type: "text/xml", body: captions[url.searchParams.get("lang") ?? ""] ?? usual };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = "";
  for await (const piece of request) body += String(piece);
  return body;
}

async function replyTo(request: IncomingMessage, url: URL, videos: Map<string, MadeVideo>): Promise<Reply> {
  const sent = await bodyOf(request);
  if (url.pathname === "/youtubei/v1/player") {
    const { videoId } = JSON.parse(sent) as { videoId: string };
    return answerPlayer(videoId, videos.get(videoId) ?? {});
  }
  const videoId = url.searchParams.get("v") ?? "";
  const video = videos.get(videoId) ?? {};
  if (url.pathname === "/watch") return answerPage(videoId, video);
  if (url.pathname === "/api/timedtext") return answerCaptions(url, video);
  return { status: 404 };
}

function send(response: ServerResponse, reply: Reply): void {
  if (reply === "cut") {
    response.destroy();
    return;
  }
  response.writeHead(reply.status, { "content-type": reply.type ?? "text/html", ...reply.headers });
  response.end(reply.body ?? "");
}

/** YouTube's watch page, player call and caption calls for a transcript reader, including refusals. */
export async function startYoutubeServer(videos: Record<string, MadeVideo> = {}): Promise<YoutubeServer> {
  const made = new Map(Object.entries(videos));
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://here");
    requests.push(url.pathname);
    void replyTo(request, url, made).then((reply) => send(response, reply));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    videos: made,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
