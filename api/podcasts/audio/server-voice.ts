import { setTimeout as wait } from "node:timers/promises";
import { Failure } from "#shared/contract/failure.ts";
import type { PlainReasonKey } from "#shared/messages/reasons.ts";
import { voices } from "#shared/podcasts/voices.ts";
import { parseRetryAfterMs } from "#shared/retry-after.ts";
import type { Settings } from "#api/settings.ts";
import { readPcm, readWav, type Sound } from "./wav.ts";

type SpeechSettings = Pick<Settings, "TTS_BASE_URL" | "TTS_API_KEY" | "TTS_MODEL" | "TTS_VOICES">;

interface Policy {
  attempts: number;
  baseDelayMs: number;
  /** The longest `retry-after` that is waited for. */
  maxDelayMs: number;
  timeoutMs: number;
}

const DEFAULT_POLICY: Policy = { attempts: 3, baseDelayMs: 1000, maxDelayMs: 30_000, timeoutMs: 120_000 };
/** Far more than any line needs. */
const MAX_BYTES = 32 * 1024 * 1024;
/** Servers send raw samples at this rate, unless the content type names another: https://platform.openai.com/docs/guides/text-to-speech */
const PCM_RATE = 24_000;
/** Speech outside these limits has the wrong sample rate, is cut off or does not stop. */
const MIN_MS_PER_CHAR = 36;
const MAX_MS_PER_CHAR = 180;
/** In shorter lines, the pauses make the duration unreliable. */
const MEASURABLE_CHARS = 30;
const AUDIBLE_LEVEL = 0.01;
const UNKNOWN_LENGTH = 0x7f_ff_ff_00;

/** Voices by gender, in the order of the guests. */
const KOKORO = { female: ["af_heart", "bf_emma", "af_bella"], male: ["am_adam", "bm_george", "am_michael"] };
const OPENAI = { female: ["nova", "shimmer", "coral"], male: ["onyx", "echo", "ash"] };

/**
 * The voice of the server for a guest: the configured one, otherwise one of the same gender that such servers usually
 * have.
 */
export function serverVoiceOf({ TTS_VOICES, TTS_MODEL }: SpeechSettings, voiceId: string): string {
  const pairs = TTS_VOICES.split(",").map((pair) => pair.trim().split("="));
  const chosen = pairs.find(([id]) => id === voiceId)?.[1];
  if (chosen !== undefined) return chosen;
  const guest = voices.find(({ id }) => id === voiceId);
  const gender = guest?.gender ?? "female";
  const position = voices.filter((voice) => voice.gender === gender).findIndex(({ id }) => id === voiceId);
  const names = /kokoro/iu.test(TTS_MODEL) ? KOKORO[gender] : OPENAI[gender];
  return names[Math.max(0, position) % names.length] ?? "";
}

/** A failed attempt; transient ones are retried. */
class VoiceRefusedError extends Error {
  readonly reason: PlainReasonKey;
  readonly isTransient: boolean;
  readonly retryAfterMs: number | undefined;
  constructor(
    reason: PlainReasonKey,
    { isTransient = true, retryAfterMs }: { isTransient?: boolean; retryAfterMs?: number | undefined } = {},
  ) {
    super(reason);
    this.reason = reason;
    this.isTransient = isTransient;
    this.retryAfterMs = retryAfterMs;
  }
}

const unusable = () => new VoiceRefusedError("podcast_speech_unusable");

async function readBody(response: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MAX_BYTES) throw unusable();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function refusalOf(response: Response): VoiceRefusedError {
  const { status } = response;
  if (status === 401 || status === 403) return new VoiceRefusedError("podcast_speech_key", { isTransient: false });
  if (status === 429) {
    const retryAfterMs = parseRetryAfterMs(response.headers.get("retry-after"), Date.now());
    return new VoiceRefusedError("podcast_speech_busy", { retryAfterMs });
  }
  if (status >= 400 && status < 500) return new VoiceRefusedError("podcast_speech_refused", { isTransient: false });
  return new VoiceRefusedError("podcast_speech_unreachable");
}

/** Whether a WAV states more bytes than were received; streamed ones state no length. */
function isCutOff(bytes: Uint8Array): boolean {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const dataOffset = data.indexOf("data", 12, "latin1");
  if (dataOffset === -1 || dataOffset + 8 > data.length) return true;
  const stated = data.readUInt32LE(dataOffset + 4);
  return stated > 0 && stated < UNKNOWN_LENGTH && dataOffset + 8 + stated > data.length + 1;
}

function isPlausible({ samples, sampleRate }: Sound, text: string): boolean {
  const ms = (samples.length / sampleRate) * 1000;
  if (text.length >= MEASURABLE_CHARS && (ms < text.length * MIN_MS_PER_CHAR || ms > text.length * MAX_MS_PER_CHAR))
    return false;
  return ms > 100 && samples.some((sample) => Math.abs(sample) > AUDIBLE_LEVEL);
}

interface Line {
  voice: string;
  text: string;
}

interface Received {
  type: string;
  bytes: Uint8Array;
}

async function fetchSound(
  settings: SpeechSettings,
  line: Line,
  format: "wav" | "pcm",
  signal: AbortSignal,
): Promise<Received> {
  const { TTS_BASE_URL = "", TTS_API_KEY, TTS_MODEL } = settings;
  try {
    const response = await fetch(`${TTS_BASE_URL.replace(/\/+$/, "")}/audio/speech`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(TTS_API_KEY === undefined ? {} : { authorization: `Bearer ${TTS_API_KEY}` }),
      },
      // `stream` is a field of Kokoro-FastAPI, which streams by default.
      body: JSON.stringify({
        model: TTS_MODEL,
        input: line.text,
        voice: line.voice,
        response_format: format,
        speed: 1,
        stream: false,
      }),
      signal,
    });
    if (!response.ok) throw refusalOf(response);
    return { type: response.headers.get("content-type") ?? "", bytes: await readBody(response) };
  } catch (error) {
    if (error instanceof VoiceRefusedError) throw error;
    throw new VoiceRefusedError("podcast_speech_unreachable");
  }
}

/** The rate in a content type such as "audio/L16; rate=16000". */
const rateOf = (type: string) => Number(/;\s*rate="?(\d+)/iu.exec(type)?.[1] ?? PCM_RATE);

/** The sound of an answer; undefined unless it is the whole line and audible. */
function toSound({ type, bytes }: Received, text: string, format: "wav" | "pcm"): Sound | undefined {
  if (/json|text|html/iu.test(type) || bytes.length === 0) return undefined;
  const isWav = Buffer.from(bytes.subarray(0, 4)).toString("latin1") === "RIFF";
  if (!isWav && (format === "wav" || /mpeg|mp3|ogg|opus|flac|aac/iu.test(type))) return undefined;
  if (isWav && isCutOff(bytes)) return undefined;
  const sound = isWav ? readWav(bytes) : readPcm(bytes, rateOf(type));
  return sound && isPlausible(sound, text) ? sound : undefined;
}

/**
 * Speaks a line on a speech server and retries transient failures. Throws `model_unavailable`; never returns silence.
 */
export async function speakOnServer(
  settings: SpeechSettings,
  line: Line,
  signal: AbortSignal,
  policy: Policy = DEFAULT_POLICY,
): Promise<Sound> {
  for (let attempt = 1; ; attempt += 1) {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(policy.timeoutMs)]);
    try {
      // The second attempt requests the other format, in case the first format was unusable.
      const format = attempt === 2 ? "pcm" : "wav";
      const sound = toSound(await fetchSound(settings, line, format, limited), line.text, format);
      if (!sound) throw unusable();
      return sound;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof VoiceRefusedError)) throw error;
      const waitMs = error.retryAfterMs ?? policy.baseDelayMs * 2 ** (attempt - 1);
      if (attempt >= policy.attempts || !error.isTransient || waitMs > policy.maxDelayMs)
        throw new Failure("model_unavailable", error.reason);
      await wait(waitMs, undefined, { signal });
    }
  }
}
