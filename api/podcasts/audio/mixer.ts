import type { MixAnswer, MixRequest, MixSettings } from "./mix-worker.ts";
import { Thread } from "./thread.ts";
import type { Sound } from "./wav.ts";

export interface MixedLine extends Sound {
  /** Segments of one voice share a loudness. */
  voice: string;
  gapMs: number;
  pauseMs: number;
}

/** Mixes lines into one MP3 in its own thread, with equal loudness, gaps and one encoder for the whole episode. */
export class Mixer {
  readonly #thread: Thread<MixRequest, MixAnswer>;
  readonly #signal: AbortSignal;

  constructor(sampleRate: number, signal: AbortSignal) {
    this.#thread = new Thread(new URL("./mix-worker.ts", import.meta.url), { sampleRate } satisfies MixSettings);
    this.#signal = signal;
  }

  /** Transfers the samples to the thread; the caller cannot read them afterwards. */
  add(line: MixedLine): Promise<MixAnswer> {
    return this.#thread.call({ type: "line", ...line }, this.#signal, [line.samples.buffer as ArrayBuffer]);
  }

  finish(): Promise<MixAnswer> {
    return this.#thread.call({ type: "end" }, this.#signal);
  }

  close(): Promise<void> {
    return this.#thread.end();
  }
}
