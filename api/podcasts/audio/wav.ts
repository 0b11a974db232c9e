import { Buffer } from "node:buffer";

/** Mono audio. Samples are between -1 and 1. */
export interface Sound {
  samples: Float32Array;
  sampleRate: number;
}

// Values of `wFormatTag` in the format chunk.
const PCM = 1;
const FLOAT = 3;
const EXTENSIBLE = 0xfffe;
/** Scales samples between -1 and 1 to 16-bit integers. */
const INT16_SCALE = 32_768;
const MIN_RATE = 8000;
const MAX_RATE = 96_000;

interface Format {
  encoding: number;
  channels: number;
  sampleRate: number;
  bits: number;
}

const isDecodable = ({ encoding, channels, sampleRate, bits }: Format) =>
  ((encoding === PCM && bits === 16) || (encoding === FLOAT && bits === 32)) &&
  channels >= 1 &&
  channels <= 8 &&
  sampleRate >= MIN_RATE &&
  sampleRate <= MAX_RATE;

/**
 * Reads the first channel of a WAV file of 16-bit integers or 32-bit floats; undefined for anything else. A streaming
 * server cannot know the length when it sends the header, so data of a stated length of 0, or that is shorter than
 * stated, is read to its end.
 */
export function readWav(bytes: Uint8Array): Sound | undefined {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (data.length < 44 || data.toString("latin1", 0, 4) !== "RIFF" || data.toString("latin1", 8, 12) !== "WAVE")
    return undefined;
  let format: Format | undefined;
  for (let chunkStart = 12; chunkStart + 8 <= data.length;) {
    const id = data.toString("latin1", chunkStart, chunkStart + 4);
    const length = data.readUInt32LE(chunkStart + 4);
    const start = chunkStart + 8;
    if (id === "fmt " && start + 16 <= data.length) format = readFormat(data, start, length);
    if (id === "data") {
      const end = length === 0 ? data.length : start + length;
      return format && isDecodable(format) ? decode(data.subarray(start, end), format) : undefined;
    }
    chunkStart = start + length + (length % 2);
  }
  return undefined;
}

function readFormat(data: Buffer, start: number, length: number): Format {
  const encoding = data.readUInt16LE(start);
  const isExtensible = encoding === EXTENSIBLE && length >= 26 && start + 26 <= data.length;
  return {
    encoding: isExtensible ? data.readUInt16LE(start + 24) : encoding,
    channels: data.readUInt16LE(start + 2),
    sampleRate: data.readUInt32LE(start + 4),
    bits: data.readUInt16LE(start + 14),
  };
}

function decode(data: Buffer, { encoding, channels, sampleRate, bits }: Format): Sound {
  const size = bits / 8;
  const frames = Math.floor(data.length / (size * channels));
  const samples = new Float32Array(frames);
  for (let frame = 0; frame < frames; frame += 1) {
    const offset = frame * size * channels;
    samples[frame] = encoding === FLOAT ? data.readFloatLE(offset) : data.readInt16LE(offset) / INT16_SCALE;
  }
  return { samples, sampleRate };
}

/** Reads raw 16-bit samples, the `pcm` format of speech servers. */
export function readPcm(bytes: Uint8Array, sampleRate: number): Sound {
  return decode(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), {
    encoding: PCM,
    channels: 1,
    sampleRate,
    bits: 16,
  });
}

/** Encodes samples as 16-bit integers, the format in which segments are stored. */
export function toPcm16(samples: Float32Array): Buffer {
  const bytes = Buffer.allocUnsafe(samples.length * 2);
  // `entries()` would allocate an array for each sample.
  for (let index = 0; index < samples.length; index += 1) {
    const sample = Math.max(-1, Math.min(1 - 1 / INT16_SCALE, samples[index] ?? 0));
    bytes.writeInt16LE(Math.round(sample * INT16_SCALE), index * 2);
  }
  return bytes;
}

const SILENCE_LEVEL = 0.004;
/** Silence that remains at each end. */
const EDGE_SECONDS = 0.03;

/** Removes the silence that speech engines add before and after a line. */
export function trimSilence({ samples, sampleRate }: Sound): Float32Array {
  let from = 0;
  let to = samples.length;
  while (from < to && Math.abs(samples[from] ?? 0) < SILENCE_LEVEL) from += 1;
  while (to > from && Math.abs(samples[to - 1] ?? 0) < SILENCE_LEVEL) to -= 1;
  const edge = Math.round(EDGE_SECONDS * sampleRate);
  return samples.slice(Math.max(0, from - edge), Math.min(samples.length, to + edge));
}

/** Changes the sample rate. For a lower rate, each output sample averages the input samples around it (a box filter). */
export function resample({ samples, sampleRate }: Sound, rate: number): Float32Array {
  if (sampleRate === rate) return samples;
  const step = sampleRate / rate;
  const result = new Float32Array(Math.floor(samples.length / step));
  const width = Math.max(1, step);
  for (let index = 0; index < result.length; index += 1) {
    const center = index * step;
    if (width === 1) {
      const left = Math.floor(center);
      const share = center - left;
      result[index] = (samples[left] ?? 0) * (1 - share) + (samples[left + 1] ?? samples[left] ?? 0) * share;
      continue;
    }
    const from = Math.max(0, Math.ceil(center - width / 2));
    const to = Math.min(samples.length - 1, Math.floor(center + width / 2));
    let sum = 0;
    for (let neighbour = from; neighbour <= to; neighbour += 1) sum += samples[neighbour] ?? 0;
    result[index] = sum / Math.max(1, to - from + 1);
  }
  return result;
}
