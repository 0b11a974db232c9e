/** ITU-R BS.1770-4: https://www.itu.int/rec/R-REC-BS.1770 */
const OFFSET_LUFS = -0.691;
const ABSOLUTE_GATE_LUFS = -70;
const RELATIVE_GATE_LU = 10;
const BLOCK_SECONDS = 0.4;
const STEP_SECONDS = 0.1;

interface Biquad {
  b: readonly [number, number, number];
  a: readonly [number, number];
}

/** The two filters of K-weighting for any sample rate, computed from their analogue form. */
function kFilters(sampleRate: number): [Biquad, Biquad] {
  const shelf = (() => {
    const [f0, gain, q] = [1681.974450955533, 3.999843853973347, 0.7071752369554196];
    const k = Math.tan((Math.PI * f0) / sampleRate);
    const vh = 10 ** (gain / 20);
    const vb = vh ** 0.4996667741545416;
    const a0 = 1 + k / q + k * k;
    return {
      b: [(vh + (vb * k) / q + k * k) / a0, (2 * (k * k - vh)) / a0, (vh - (vb * k) / q + k * k) / a0],
      a: [(2 * (k * k - 1)) / a0, (1 - k / q + k * k) / a0],
    } satisfies Biquad;
  })();
  const [f0, q] = [38.13547087602444, 0.5003270373238773];
  const k = Math.tan((Math.PI * f0) / sampleRate);
  const a0 = 1 + k / q + k * k;
  return [shelf, { b: [1, -2, 1], a: [(2 * (k * k - 1)) / a0, (1 - k / q + k * k) / a0] }];
}

function filter(samples: Float32Array, { b: [b0, b1, b2], a: [a1, a2] }: Biquad): Float32Array {
  const result = new Float32Array(samples.length);
  let [x1, x2, y1, y2] = [0, 0, 0, 0];
  for (let index = 0; index < samples.length; index += 1) {
    const x = samples[index] ?? 0;
    const y = b0 * x + b1 * x1 + b2 * x2 - a1 * y1 - a2 * y2;
    [x2, x1, y2, y1] = [x1, x, y1, y];
    result[index] = y;
  }
  return result;
}

const toLufs = (energy: number) => OFFSET_LUFS + 10 * Math.log10(Math.max(energy, 1e-12));
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

/** Mean squares of overlapping blocks of 400 ms. */
export function blockEnergies(samples: Float32Array, sampleRate: number): number[] {
  const [shelf, highPass] = kFilters(sampleRate);
  const weighted = filter(filter(samples, shelf), highPass);
  const length = Math.min(weighted.length, Math.round(BLOCK_SECONDS * sampleRate));
  const step = Math.round(STEP_SECONDS * sampleRate);
  const energies: number[] = [];
  if (length === 0) return energies;
  for (let from = 0; from + length <= weighted.length; from += step) {
    let sum = 0;
    for (let index = from; index < from + length; index += 1) sum += (weighted[index] ?? 0) ** 2;
    energies.push(sum / length);
  }
  return energies;
}

/** Integrated loudness in LUFS of blocks; -Infinity for silence. */
export function integrateLoudness(energies: readonly number[]): number {
  const audible = energies.filter((energy) => toLufs(energy) > ABSOLUTE_GATE_LUFS);
  if (audible.length === 0) return Number.NEGATIVE_INFINITY;
  const gate = toLufs(mean(audible)) - RELATIVE_GATE_LU;
  return toLufs(mean(audible.filter((energy) => toLufs(energy) > gate)));
}

/** Integrated loudness in LUFS of the samples of one channel. */
export const measureLoudness = (samples: Float32Array, sampleRate: number): number =>
  integrateLoudness(blockEnergies(samples, sampleRate));

const RELEASE_SECONDS = 0.05;
const LOOKAHEAD_SECONDS = 0.004;

/** Keeps peaks below a level by lowering the gain shortly before them, in place. */
export function limitPeaks(samples: Float32Array, sampleRate: number, level: number): void {
  const lookahead = Math.round(LOOKAHEAD_SECONDS * sampleRate);
  const release = Math.exp(-1 / (RELEASE_SECONDS * sampleRate));
  // Lower the gain of the samples just before each peak; after the peak, the gain rises slowly.
  const maxGains = new Float32Array(samples.length).fill(1);
  for (let index = 0; index < samples.length; index += 1) {
    const peak = Math.abs(samples[index] ?? 0);
    if (peak <= level) continue;
    const gain = level / peak;
    for (let earlier = Math.max(0, index - lookahead); earlier <= index; earlier += 1)
      if ((maxGains[earlier] ?? 1) > gain) maxGains[earlier] = gain;
  }
  let gain = 1;
  for (let index = 0; index < samples.length; index += 1) {
    const target = maxGains[index] ?? 1;
    gain = target < gain ? target : 1 - (1 - gain) * release;
    samples[index] = Math.max(-level, Math.min(level, (samples[index] ?? 0) * Math.min(gain, target)));
  }
}
