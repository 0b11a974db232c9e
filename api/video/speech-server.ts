import type { ReasonKey } from "#shared/messages/reasons.ts";
import { openAsBlob } from "node:fs";
import { z } from "zod";
import type { Settings } from "#api/settings.ts";
import { Failure } from "#shared/contract/failure.ts";
import type { GivenSegment } from "#shared/video/schema.ts";
import type { Piece } from "./audio.ts";

const TIMEOUT_MS = 15 * 60_000;

/** https://platform.openai.com/docs/api-reference/audio/verbose-json-object; times are in seconds. */
const Heard = z.object({
  language: z.string().optional(),
  segments: z.array(z.object({ start: z.number(), end: z.number(), text: z.string() })).optional(),
});

export interface HeardPiece {
  language: string | undefined;
  segments: GivenSegment[];
}

type SpeechReason = Extract<ReasonKey, `speech_${string}`>;

const unavailable = (reason: SpeechReason) => new Failure("model_unavailable", reason);

const COMMON =
  "en es fr de it pt nl pl sv da nb no fi cs ro hu el tr ru uk he ar fa hi bn ta id vi th zh ja ko ca".split(" ");
const names = new Intl.DisplayNames(["en"], { type: "language" });
const byName = new Map(COMMON.map((tag) => [names.of(tag)?.toLowerCase(), tag]));

/** Servers return the language by English name or by tag. */
function tagOf(language: string | undefined): string | undefined {
  const told = language?.trim().toLowerCase() ?? "";
  return byName.get(told) ?? (/^[a-z]{2,3}$/.test(told) ? told : undefined);
}

/** Transcribes an audio chunk with an OpenAI-compatible server; times are relative to the start of the video. */
export async function hearPiece(
  settings: Settings,
  piece: Piece,
  { language, signal }: { language: string | undefined; signal: AbortSignal },
): Promise<HeardPiece> {
  const form = new FormData();
  form.append("file", await openAsBlob(piece.path), piece.name);
  form.append("model", settings.STT_MODEL);
  form.append("response_format", "verbose_json");
  form.append("timestamp_granularities[]", "segment");
  const spoken = language?.split("-")[0];
  if (spoken !== undefined && spoken !== "und") form.append("language", spoken);
  const heard = Heard.safeParse(await send(settings, form, signal));
  if (!heard.success || heard.data.segments === undefined) throw unavailable("speech_without_times");
  const segments = heard.data.segments.map(({ start, end, text }) => ({
    startMs: piece.startMs + start * 1000,
    endMs: piece.startMs + end * 1000,
    text: text.slice(0, 4000),
  }));
  return { language: tagOf(heard.data.language), segments };
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
    throw unavailable("speech_unreachable");
  }
  if (response.status === 401 || response.status === 403) throw unavailable("speech_key_refused");
  if (response.status === 413) throw unavailable("speech_too_large");
  if (response.status === 429) throw unavailable("speech_busy");
  if (!response.ok) throw unavailable("speech_failed");
  return response.json().catch(() => undefined);
}
