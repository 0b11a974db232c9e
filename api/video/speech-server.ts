import type { ReasonKey } from "#shared/messages/reasons.ts";
import { openAsBlob } from "node:fs";
import { z } from "zod";
import type { Settings } from "#api/settings.ts";
import { Failure } from "#shared/contract/failure.ts";
import type { ReceivedSegment } from "#shared/video/schema.ts";
import type { AudioChunk } from "./audio.ts";

const TIMEOUT_MS = 15 * 60_000;

/** https://platform.openai.com/docs/api-reference/audio/verbose-json-object; times are in seconds. */
const VerboseTranscription = z.object({
  language: z.string().optional(),
  segments: z.array(z.object({ start: z.number(), end: z.number(), text: z.string() })).optional(),
});

export interface TranscribedChunk {
  language: string | undefined;
  segments: ReceivedSegment[];
}

type SpeechReason = Extract<ReasonKey, `speech_${string}`>;

const speechUnavailable = (reason: SpeechReason) => new Failure("model_unavailable", reason);

const COMMON_LANGUAGES =
  "en es fr de it pt nl pl sv da nb no fi cs ro hu el tr ru uk he ar fa hi bn ta id vi th zh ja ko ca".split(" ");
const names = new Intl.DisplayNames(["en"], { type: "language" });
const byName = new Map(COMMON_LANGUAGES.map((tag) => [names.of(tag)?.toLowerCase(), tag]));

/** Servers return the language by English name or by tag. */
function toLanguageTag(language: string | undefined): string | undefined {
  const name = language?.trim().toLowerCase() ?? "";
  return byName.get(name) ?? (/^[a-z]{2,3}$/.test(name) ? name : undefined);
}

/** Transcribes an audio chunk with an OpenAI-compatible server; times are relative to the start of the video. */
export async function transcribeChunk(
  settings: Settings,
  chunk: AudioChunk,
  { language, signal }: { language: string | undefined; signal: AbortSignal },
): Promise<TranscribedChunk> {
  const form = new FormData();
  form.append("file", await openAsBlob(chunk.path), chunk.name);
  form.append("model", settings.STT_MODEL);
  form.append("response_format", "verbose_json");
  form.append("timestamp_granularities[]", "segment");
  const languageCode = language?.split("-")[0];
  if (languageCode !== undefined && languageCode !== "und") form.append("language", languageCode);
  const parsed = VerboseTranscription.safeParse(await send(settings, form, signal));
  if (!parsed.success || parsed.data.segments === undefined) throw speechUnavailable("speech_without_times");
  const segments = parsed.data.segments.map(({ start, end, text }) => ({
    startMs: chunk.startMs + start * 1000,
    endMs: chunk.startMs + end * 1000,
    text: text.slice(0, 4000),
  }));
  return { language: toLanguageTag(parsed.data.language), segments };
}

async function send({ STT_BASE_URL, STT_API_KEY }: Settings, form: FormData, signal: AbortSignal): Promise<unknown> {
  const base = STT_BASE_URL?.replace(/\/+$/, "") ?? "";
  // Encode the form before sending: if a streamed form is aborted, Node throws an error that cannot be caught.
  const encoded = new Response(form);
  const headers = {
    "content-type": encoded.headers.get("content-type") ?? "",
    ...(STT_API_KEY === undefined ? {} : { authorization: `Bearer ${STT_API_KEY}` }),
  };
  const body = await encoded.arrayBuffer();
  let response: Response;
  try {
    response = await fetch(`${base}/audio/transcriptions`, {
      method: "POST",
      headers,
      body,
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
  } catch {
    signal.throwIfAborted();
    throw speechUnavailable("speech_unreachable");
  }
  if (response.status === 401 || response.status === 403) throw speechUnavailable("speech_key_refused");
  if (response.status === 413) throw speechUnavailable("speech_too_large");
  if (response.status === 429) throw speechUnavailable("speech_busy");
  if (!response.ok) throw speechUnavailable("speech_failed");
  return response.json().catch(() => undefined);
}
