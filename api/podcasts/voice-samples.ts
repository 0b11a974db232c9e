import { Readable } from "node:stream";
import { Failure } from "#shared/contract/failure.ts";
import { toSpeech } from "#shared/podcasts/speech/to-speech.ts";
import { findVoice, SAMPLE_TEXT } from "#shared/podcasts/voices.ts";
import type { FileAnswer } from "#api/http/handler.ts";
import type { Settings } from "#api/settings.ts";
import { Mixer } from "./audio/mixer.ts";
import { describeVoice, engineOf, speakLine } from "./audio/speak.ts";

const SAMPLE_RATE = 24_000;
const TIMEOUT_MS = 60_000;

/** A few small files, the same for every account; made once in a process. */
const samples = new Map<string, Promise<Buffer>>();

async function speakSample(settings: Settings, voice: string): Promise<Buffer> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const spoken = toSpeech(SAMPLE_TEXT) ?? SAMPLE_TEXT;
  const sound = await speakLine(settings, { engine: engineOf(settings), voice, spoken }, signal);
  const mixer = new Mixer(SAMPLE_RATE, signal);
  try {
    const { bytes } = await mixer.add({
      samples: sound.samples,
      sampleRate: sound.sampleRate,
      voice,
      gapMs: 0,
      pauseMs: 0,
    });
    return Buffer.concat([bytes, (await mixer.finish()).bytes]);
  } finally {
    await mixer.close();
  }
}

export async function readVoiceSample(settings: Settings, voice: string): Promise<FileAnswer> {
  if (!findVoice(voice)) throw new Failure("not_found", "podcast_voice_missing");
  const key = describeVoice(settings, engineOf(settings), voice).join(" ");
  const sample = samples.get(key) ?? speakSample(settings, voice);
  samples.set(key, sample);
  // Failures are not cached, so that the next request tries again.
  sample.catch(() => samples.delete(key));
  const bytes = await sample;
  return {
    type: "audio/mpeg",
    sizeBytes: bytes.length,
    open: (range) => Readable.from([range ? bytes.subarray(range.start, range.end + 1) : bytes], { objectMode: false }),
    cacheControl: "private, max-age=86400",
  };
}
