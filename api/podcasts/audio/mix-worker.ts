import { parentPort, workerData } from "node:worker_threads";
import { createMp3Encoder } from "wasm-media-encoders";
import { collectGarbage } from "./collect-garbage.ts";
import { blockEnergies, integrateLoudness, limitPeaks, measureLoudness } from "./loudness.ts";
import { resample, trimSilence } from "./wav.ts";

export interface MixSettings {
  sampleRate: number;
}

export type MixRequest =
  | {
      type: "line";
      samples: Float32Array;
      sampleRate: number;
      /** Segments of one voice share a loudness. */
      voice: string;
      gapMs: number;
      pauseMs: number;
    }
  | { type: "end" };

export interface MixAnswer {
  bytes: Uint8Array;
  startMs: number;
  endMs: number;
  /** Loudness of everything so far. */
  loudness: number;
}

/** The loudness that podcast hosts ask for: EBU Tech 3253 for one channel. */
const TARGET_LUFS = -19;
/** Headroom for peaks between the samples, so that the true peak stays below -1.5 dB. */
const PEAK_LEVEL = 10 ** (-2 / 20);
const KILOBITS = 48;
/** Shorter sounds cannot be measured reliably. */
const MEASURABLE_SECONDS = 1.2;

const { sampleRate } = workerData as MixSettings;
const encoder = await createMp3Encoder();
encoder.configure({ sampleRate, channels: 1, bitrate: KILOBITS });

let length = 0;
const blocks: number[] = [];
const voices = new Map<string, { sum: number; seconds: number }>();

/**
 * The gain of a voice, from the mean loudness of all its lines so far, so that one loud word does not lower a whole
 * line.
 */
function gainOf(voice: string, samples: Float32Array): number {
  const seconds = samples.length / sampleRate;
  const previous = voices.get(voice) ?? { sum: 0, seconds: 0 };
  const loudness = measureLoudness(samples, sampleRate);
  if (Number.isFinite(loudness) && (seconds >= MEASURABLE_SECONDS || previous.seconds === 0))
    voices.set(voice, { sum: previous.sum + loudness * seconds, seconds: previous.seconds + seconds });
  const { sum, seconds: all } = voices.get(voice) ?? previous;
  return all === 0 ? 1 : 10 ** ((TARGET_LUFS - sum / all) / 20);
}

const toMs = (samples: number) => Math.round((samples / sampleRate) * 1000);
const silence = (ms: number) => new Float32Array(Math.round((ms / 1000) * sampleRate));

function encode(samples: Float32Array): Uint8Array {
  length += samples.length;
  return encoder.encode([samples]).slice();
}

function mixLine(request: Extract<MixRequest, { type: "line" }>): MixAnswer {
  const samples = trimSilence({ samples: resample(request, sampleRate), sampleRate });
  const gain = gainOf(request.voice, samples);
  for (let index = 0; index < samples.length; index += 1) samples[index] = (samples[index] ?? 0) * gain;
  limitPeaks(samples, sampleRate, PEAK_LEVEL);
  for (const energy of blockEnergies(samples, sampleRate)) blocks.push(energy);
  const before = encode(silence(request.gapMs));
  const startMs = toMs(length);
  const spoken = encode(samples);
  const endMs = toMs(length);
  const after = encode(silence(request.pauseMs));
  return { bytes: Buffer.concat([before, spoken, after]), startMs, endMs, loudness: integrateLoudness(blocks) };
}

parentPort?.on("message", (request: MixRequest) => {
  const answer: MixAnswer =
    request.type === "line"
      ? mixLine(request)
      : {
          bytes: encoder.finalize().slice(),
          startMs: toMs(length),
          endMs: toMs(length),
          loudness: integrateLoudness(blocks),
        };
  parentPort?.postMessage(answer, []);
  // Collect the several copies of the samples that every line leaves behind.
  collectGarbage();
});
