import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import type { Handlers } from "#api/http/handler.ts";
import { tooManyRequests } from "#api/http/rate-limits.ts";
import { Failure } from "#shared/contract/failure.ts";
import { parseVideoAddress } from "#shared/video/addresses.ts";
import type { video } from "#shared/video/contract.ts";
import { fetchFromYoutube, noTranscriptFailure } from "./transcripts.ts";
import { NoYoutubeTranscriptError } from "./youtube.ts";

const DAY_SECONDS = 86_400;
/**
 * For all visitors of this process together, because a video site blocks a server that sends too many requests, which
 * would affect its students too.
 */
const MAX_A_DAY = 200;
const TIMEOUT_MS = 20_000;
const visitorLimiter = new RateLimiterMemory({ points: MAX_A_DAY, duration: DAY_SECONDS });

/** Captions for visitors without an account: requested once, and not stored. */
export const publicTranscriptHandlers: Pick<Handlers<typeof video>, "readPublicTranscript"> = {
  async readPublicTranscript({ settings }, { url }) {
    const address = parseVideoAddress(url);
    if (address.kind === "refused") throw new Failure("bad_input", address.reason);
    if (address.kind !== "youtube") throw new Failure("bad_input", "video_address_no_video");
    await visitorLimiter.consume("everyone").catch((refusal: unknown) => {
      throw refusal instanceof RateLimiterRes ? tooManyRequests(refusal.msBeforeNext) : refusal;
    });
    const request = { videoId: address.videoId, requestedLanguage: "" };
    const outcome = await fetchFromYoutube({ settings }, request, AbortSignal.timeout(TIMEOUT_MS));
    if (outcome instanceof NoYoutubeTranscriptError) throw noTranscriptFailure(outcome.reason);
    const segments = outcome.segments.map(({ startMs, text }) => ({ startMs, text }));
    return { title: outcome.facts.title, segments };
  },
};
