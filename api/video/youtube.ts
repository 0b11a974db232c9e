import { YoutubeTranscript } from "youtube-transcript";
import { parseYoutubeCaptions } from "#shared/video/youtube-captions.ts";
import type { NoTranscriptReason, OfferedTrack, TranscriptSegment } from "#shared/video/schema.ts";
import { chooseTrack, parsePlayerFacts, type PlayerFacts, findRefusalReason, type Track } from "./youtube-player.ts";

/** Access to YouTube, replaced in tests. */
export interface YoutubePort {
  fetch: typeof fetch;
  /** Replaces https://www.youtube.com. */
  baseUrl: string;
  signal?: AbortSignal;
}

export interface YoutubeTranscriptRead {
  facts: PlayerFacts;
  language: string;
  name: string;
  isGenerated: boolean;
  segments: TranscriptSegment[];
}

/** YouTube returned no transcript; `facts` contains the metadata that it did return. */
export class NoYoutubeTranscriptError extends Error {
  readonly reason: NoTranscriptReason;
  readonly facts: PlayerFacts | undefined;
  constructor(reason: NoTranscriptReason, facts: PlayerFacts | undefined) {
    super(reason);
    this.reason = reason;
    this.facts = facts;
  }
}

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 12 * 1024 * 1024;

/** Reasons by informativeness; the first that applies is reported. */
const REASON_PRIORITY: readonly NoTranscriptReason[] = [
  "private",
  "age_restricted",
  "wrong_language",
  "live",
  "unavailable",
  "no_captions",
  "too_many_requests",
  "bot_check",
  "consent",
  "sign_in",
  "empty_answer",
  "unreachable",
];

/**
 * Reads the captions of a YouTube video with `youtube-transcript`. The library hides the reason of a failure and mixes
 * up seconds and milliseconds, so its requests are intercepted: failures are recorded and captions are parsed here.
 * Throws `NoYoutubeTranscriptError` with the reason; never returns an empty transcript.
 */
export async function readYoutube(
  port: YoutubePort,
  videoId: string,
  language: string | undefined,
): Promise<YoutubeTranscriptRead> {
  const reasons: NoTranscriptReason[] = [];
  let facts: PlayerFacts | undefined;
  // Try the player API first, then the watch page.
  for (const route of ["player", "page"] as const) {
    const attempt = new TranscriptAttempt(port, route, language);
    const read = await attempt.read(videoId);
    facts = attempt.facts ?? facts;
    if (read) return read;
    reasons.push(...attempt.reasons);
    if (attempt.hasSeenPage) break;
  }
  throw new NoYoutubeTranscriptError(
    REASON_PRIORITY.find((reason) => reasons.includes(reason)) ?? "unreachable",
    facts,
  );
}

/** One run of the library, over one of the two routes. */
class TranscriptAttempt {
  readonly reasons: NoTranscriptReason[] = [];
  facts: PlayerFacts | undefined;
  hasSeenPage = false;
  readonly #port: YoutubePort;
  readonly #route: "player" | "page";
  readonly #language: string | undefined;
  #track: Track | undefined;
  #segments: TranscriptSegment[] = [];

  constructor(port: YoutubePort, route: "player" | "page", language: string | undefined) {
    this.#port = port;
    this.#route = route;
    this.#language = language;
  }

  async read(videoId: string): Promise<YoutubeTranscriptRead | undefined> {
    try {
      await YoutubeTranscript.fetchTranscript(videoId, { fetch: (input, init) => this.#intercept(input, init) });
    } catch {
      // The recorded reasons are more precise than the library's error.
    }
    if (this.#segments.length === 0 || !this.#track || !this.facts) {
      if (this.reasons.length === 0) this.reasons.push("unreachable");
      return undefined;
    }
    const { language, name, isGenerated } = this.#track;
    return { facts: this.facts, language, name, isGenerated, segments: this.#segments };
  }

  async #intercept(input: string | URL | Request, init: RequestInit | undefined): Promise<Response> {
    const url = new URL(input instanceof Request ? input.url : input);
    if (url.hostname !== "www.youtube.com" && !url.hostname.endsWith(".youtube.com"))
      return this.#recordFailure("unavailable");
    if (url.pathname.startsWith("/youtubei/"))
      return this.#route === "page" ? new Response(null, { status: 503 }) : this.#fetchPlayer(url, init);
    return url.pathname === "/watch" ? this.#fetchPage(url, init) : this.#fetchCaptions(url, init);
  }

  #recordFailure(reason: NoTranscriptReason): Response {
    this.reasons.push(reason);
    return new Response(null, { status: 503 });
  }

  /** The text of the response, or a response for the library that stands for a failure. */
  async #fetchText(url: URL, init: RequestInit | undefined): Promise<string | Response> {
    try {
      const requestUrl = new URL(url.pathname + url.search, this.#port.baseUrl);
      const timeout = AbortSignal.timeout(TIMEOUT_MS);
      const signal = this.#port.signal ? AbortSignal.any([timeout, this.#port.signal]) : timeout;
      const response = await this.#port.fetch(requestUrl, { ...init, redirect: "manual", signal });
      const target = response.headers.get("location") ?? "";
      if (response.status >= 300 && response.status < 400)
        return this.#recordFailure(target.includes("consent.youtube.com") ? "consent" : "unreachable");
      if (response.status === 429) return this.#recordFailure("too_many_requests");
      const text = await readCapped(response);
      if (text.includes('class="g-recaptcha"')) return this.#recordFailure("bot_check");
      if (!response.ok) return this.#recordFailure(response.status === 404 ? "unavailable" : "unreachable");
      return text;
    } catch {
      return this.#recordFailure("unreachable");
    }
  }

  async #fetchPlayer(url: URL, init: RequestInit | undefined): Promise<Response> {
    const text = await this.#fetchText(url, init);
    if (typeof text !== "string") return text;
    const reducedResponse = this.#chooseTrackFrom(parseJson(text));
    return new Response(JSON.stringify(reducedResponse), { headers: { "content-type": "application/json" } });
  }

  async #fetchPage(url: URL, init: RequestInit | undefined): Promise<Response> {
    this.hasSeenPage = true;
    const text = await this.#fetchText(url, init);
    if (typeof text !== "string") return text;
    if (/action="https:\/\/consent\.youtube\.com\//.test(text)) return this.#recordFailure("consent");
    const response = findInlineResponse(text);
    if (response === undefined) return this.#recordFailure("unreachable");
    // The library counts braces even inside strings, so the strings passed to it have none.
    return new Response(
      `"playabilityStatus":var ytInitialPlayerResponse = ${JSON.stringify(this.#chooseTrackFrom(response))};`,
    );
  }

  /** Records the metadata and returns only the chosen track. */
  #chooseTrackFrom(response: unknown): unknown {
    const facts = parsePlayerFacts(response);
    // A refused player call has no title, but the page may have one.
    this.facts = facts.title === "" && this.facts ? { ...facts, title: this.facts.title } : facts;
    const track = chooseTrack(facts.tracks, this.#language);
    const refusal = findRefusalReason(response, facts);
    if (!track) {
      this.reasons.push(facts.tracks.length > 0 ? "wrong_language" : (refusal ?? "no_captions"));
      return { captions: null };
    }
    this.#track = track;
    const captionTracks = [{ baseUrl: withoutBraces(track.url), languageCode: track.language }];
    return { captions: { playerCaptionsTracklistRenderer: { captionTracks } } };
  }

  async #fetchCaptions(url: URL, init: RequestInit | undefined): Promise<Response> {
    const text = await this.#fetchText(url, init);
    if (typeof text !== "string") return text;
    this.#segments = parseYoutubeCaptions(text);
    if (this.#segments.length === 0) this.reasons.push("empty_answer");
    return new Response(text);
  }
}

const withoutBraces = (url: string) => url.replaceAll("{", "%7B").replaceAll("}", "%7D");

async function readCapped(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let sizeBytes = 0;
  for await (const piece of response.body ?? []) {
    sizeBytes += piece.length;
    if (sizeBytes > MAX_BYTES) throw new Error("YouTube's answer is too large");
    text += decoder.decode(piece, { stream: true });
  }
  return text + decoder.decode();
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** The player response embedded in a watch page; undefined if there is none. */
function findInlineResponse(html: string): unknown {
  const match = /ytInitialPlayerResponse\s*=\s*\{/.exec(html);
  if (!match) return undefined;
  const from = match.index + match[0].length - 1;
  let [depth, isInString] = [0, false];
  for (let index = from; index < html.length; index += 1) {
    const character = html[index];
    if (isInString) {
      if (character === "\\") index += 1;
      else if (character === '"') isInString = false;
    } else if (character === '"') isInString = true;
    else if (character === "{") depth += 1;
    else if (character === "}") {
      depth -= 1;
      if (depth === 0) return parseJson(html.slice(from, index + 1));
    }
  }
  return undefined;
}

/** Available caption tracks. */
export const toOfferedTracks = (tracks: readonly Track[]): OfferedTrack[] =>
  tracks.slice(0, 200).map(({ language, name, isGenerated }) => ({ language, name, isGenerated }));
