import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { Failure } from "#shared/contract/failure.ts";
import { SPEECH_VERSION } from "#shared/podcasts/speech/to-speech.ts";
import type { Podcast } from "#shared/podcasts/schema.ts";
import type { Deps } from "#api/http/handler.ts";
import type { Own } from "#api/store/owned-store.ts";
import { describeVoice, speakLine } from "../audio/speak.ts";
import { readPcm, type Sound, toPcm16 } from "../audio/wav.ts";
import { findSegment, insertSegment, type PodcastDoc, removeSegment } from "../store.ts";

type SpeakerDeps = Pick<Deps, "settings" | "blobs"> & { own: Own };

export interface SpokenSegment {
  sound: Sound;
  engine: Podcast["engine"];
}

const MAX_SEGMENT_BYTES = 64 * 1024 * 1024;

/**
 * Speaks the lines of an episode. A line that was spoken before, in this attempt or an earlier one, is read from its
 * file.
 */
export class SegmentSpeaker {
  readonly #deps: SpeakerDeps;
  readonly #podcast: PodcastDoc;
  readonly #stopping = new AbortController();
  /** Aborted with the job, and by `stop`. */
  readonly signal: AbortSignal;
  /** Whether the speech server failed. It is not called again, because waiting for it at each line takes too long. */
  #hasFallenBack = false;

  constructor(deps: SpeakerDeps, podcast: PodcastDoc, signal: AbortSignal) {
    this.#deps = deps;
    this.#podcast = podcast;
    this.signal = AbortSignal.any([signal, this.#stopping.signal]);
  }

  /** Ends the lines that are being spoken, which then fail with `cause`; no other can be spoken after that. */
  stop(cause?: unknown): void {
    this.#stopping.abort(cause);
  }

  async speak(voice: string, spoken: string): Promise<SpokenSegment> {
    const { engine, may_fall_back: mayFallBack } = this.#podcast;
    if (this.#hasFallenBack) return this.#speakWith("built_in", voice, spoken);
    try {
      return await this.#speakWith(engine, voice, spoken);
    } catch (error) {
      this.signal.throwIfAborted();
      if (engine === "built_in" || !mayFallBack || !(error instanceof Failure)) throw error;
      this.#hasFallenBack = true;
      return this.#speakWith("built_in", voice, spoken);
    }
  }

  async #speakWith(engine: Podcast["engine"], voice: string, spoken: string): Promise<SpokenSegment> {
    const { settings } = this.#deps;
    const parts = [...describeVoice(settings, engine, voice), SPEECH_VERSION, spoken];
    const key = createHash("sha256").update(JSON.stringify(parts)).digest("hex");
    const stored = await this.#read(key);
    if (stored) return { sound: stored, engine };
    const sound = await speakLine(settings, { engine, voice, spoken }, this.signal);
    await this.#store(key, sound, engine);
    return { sound, engine };
  }

  async #read(key: string): Promise<Sound | undefined> {
    const { own, blobs } = this.#deps;
    const segment = await findSegment(own, key);
    if (!segment) return undefined;
    try {
      return readPcm(await buffer(await blobs.open(segment.blobKey)), segment.sampleRate);
    } catch {
      // The file is missing, so the line is spoken again.
      await removeSegment(own, key);
      return undefined;
    }
  }

  async #store(key: string, sound: Sound, engine: Podcast["engine"]): Promise<void> {
    const { own, blobs } = this.#deps;
    const received = await blobs.receive(Readable.from([toPcm16(sound.samples)]), MAX_SEGMENT_BYTES);
    await received.commit();
    await received.discard();
    this.signal.throwIfAborted();
    const { sampleRate } = sound;
    const { _id: podcastId, attempt } = this.#podcast;
    await insertSegment(own, key, { podcastId, attempt, blobKey: received.key, sampleRate, engine });
  }
}
