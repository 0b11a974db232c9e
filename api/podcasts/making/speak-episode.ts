import { Readable } from "node:stream";
import type { PodcastProgress } from "#shared/podcasts/schema.ts";
import { fitLength, type LinePlan, type TimedLine } from "#shared/podcasts/script/fit-length.ts";
import type { ScriptLine } from "#shared/podcasts/script/script-line.ts";
import type { Deps } from "#api/http/handler.ts";
import type { Own } from "#api/store/owned-store.ts";
import { Mixer } from "../audio/mixer.ts";
import { insertPart, type PodcastDoc, type ScriptDoc, saveLines, saveOpening } from "../store.ts";
import type { SegmentSpeaker, SpokenSegment } from "./segments.ts";

const BUILT_IN_RATE = 16_000;
const SERVER_RATE = 24_000;
/** Lines spoken ahead of the line that is mixed, and so the requests that a speech server gets at once. */
const LINES_AHEAD = 2;
/** The first part is shorter, so that a listener can begin early. */
const FIRST_PART_MS = 2500;
const PART_MS = 15_000;
const MINUTE_MS = 60_000;
const MAX_PART_BYTES = 16 * 1024 * 1024;

export interface SpeakingReport {
  durationMs: number;
  /** Undefined while only the opening is spoken. */
  progress?: PodcastProgress;
  isFallback: boolean;
}

interface Speaking {
  deps: Pick<Deps, "blobs"> & { own: Own };
  podcast: PodcastDoc;
  speaker: SegmentSpeaker;
  signal: AbortSignal;
  /** Called after every stored part. */
  onPart: (report: SpeakingReport) => Promise<void>;
}

type SpokenScript = Pick<ScriptDoc, "lines" | "unusedSentences">;

/** The lines of an episode while it is spoken; lines that are not spoken yet may change. */
class EpisodePlan {
  readonly #targetMs: number;
  #plan: { lines: TimedLine[]; unusedSentences: readonly ScriptLine[] };
  spokenCount: number;

  /** `spoken` are the first lines, which already have times. */
  constructor({ lines, unusedSentences = [] }: SpokenScript, targetMs: number, spoken: readonly TimedLine[]) {
    const untimed = lines.slice(spoken.length).map(({ startMs: _start, endMs: _end, ...line }): TimedLine => line);
    this.#plan = { lines: [...spoken, ...untimed], unusedSentences };
    this.#targetMs = targetMs;
    this.spokenCount = spoken.length;
  }

  get lines(): TimedLine[] {
    return this.#plan.lines;
  }

  get unusedSentences(): ScriptLine[] {
    return [...this.#plan.unusedSentences];
  }

  /** Sets the times of the next line and counts it as spoken. */
  setTimes({ startMs, endMs }: { startMs: number; endMs: number }): void {
    const line = this.lines[this.spokenCount];
    if (line) Object.assign(line, { startMs, endMs });
    this.spokenCount += 1;
  }

  /** Adds or removes lines that are not spoken yet, so that the episode reaches the requested length. */
  correct(): void {
    const last = this.lines[this.spokenCount - 1];
    const endMs = (last?.endMs ?? 0) + (last?.pauseMs ?? 0);
    const firstEditable = this.spokenCount + LINES_AHEAD;
    const progress = { spokenCount: this.spokenCount, firstEditable, endMs, targetMs: this.#targetMs };
    const { lines, unusedSentences }: LinePlan = fitLength(this.#plan, progress);
    this.#plan = { lines: [...lines], unusedSentences };
  }
}

/** Speaks the lines in order, a few ahead. */
async function* speakAhead(
  { podcast, speaker }: Speaking,
  plan: EpisodePlan,
): AsyncGenerator<[TimedLine, SpokenSegment]> {
  const speak = ({ speaker: who, spoken }: TimedLine) => {
    const spokenLine = speaker.speak(podcast[who].voice, spoken);
    // The promise is awaited later; a rejection before that must not count as unhandled.
    spokenLine.catch(() => undefined);
    return spokenLine;
  };
  const ahead = plan.lines.slice(plan.spokenCount, plan.spokenCount + LINES_AHEAD).map(speak);
  try {
    for (let index = plan.spokenCount; index < plan.lines.length; index += 1) {
      const segment = await ahead.shift();
      const line = plan.lines[index];
      const next = plan.lines[index + LINES_AHEAD];
      if (next) ahead.push(speak(next));
      if (line && segment) yield [line, segment];
    }
  } catch (error) {
    speaker.stop(error);
    throw error;
  } finally {
    // After a failure, nothing may be stored once the run has ended.
    if (ahead.length > 0) speaker.stop();
    await Promise.allSettled(ahead);
  }
}

/** Collects encoded audio and stores it part by part. */
class PartStore {
  readonly #speaking: Speaking;
  #chunks: Uint8Array[] = [];
  #storedMs = 0;
  #count = 0;

  constructor(speaking: Speaking) {
    this.#speaking = speaking;
  }

  add(bytes: Uint8Array): void {
    this.#chunks.push(bytes);
  }

  isFull(endMs: number): boolean {
    return endMs - this.#storedMs >= (this.#count === 0 ? FIRST_PART_MS : PART_MS);
  }

  async store(endMs: number): Promise<void> {
    const { deps, podcast, signal } = this.#speaking;
    const received = await deps.blobs.receive(Readable.from([Buffer.concat(this.#chunks)]), MAX_PART_BYTES);
    await received.commit();
    await received.discard();
    signal.throwIfAborted();
    const { key: blobKey, sizeBytes } = received;
    const { _id: podcastId, attempt } = podcast;
    await insertPart(deps.own, { podcastId, attempt, index: this.#count, blobKey, sizeBytes });
    this.#chunks = [];
    this.#storedMs = endMs;
    this.#count += 1;
  }
}

/** The audio of an episode: lines are spoken, mixed and stored part by part. No part may be stored before. */
export class EpisodeSound {
  readonly #speaking: Speaking;
  readonly #mixer: Mixer;
  readonly #parts: PartStore;
  #opening: readonly TimedLine[] = [];
  #isFallback = false;

  constructor(speaking: Speaking) {
    const { podcast, signal } = speaking;
    this.#speaking = speaking;
    this.#mixer = new Mixer(podcast.engine === "server" ? SERVER_RATE : BUILT_IN_RATE, signal);
    this.#parts = new PartStore(speaking);
  }

  /**
   * Speaks the first lines of the script before the other lines are known; returns the first lines with their times.
   */
  async speakOpening(lines: readonly ScriptLine[]): Promise<readonly TimedLine[]> {
    const { deps, podcast, onPart } = this.#speaking;
    const plan = this.#createPlan({ lines: [...lines] });
    let durationMs = 0;
    for await (const spoken of speakAhead(this.#speaking, plan)) durationMs = await this.#mix(plan, spoken);
    await this.#parts.store(durationMs);
    this.#opening = plan.lines;
    await saveOpening(deps.own, podcast._id, plan.lines);
    await onPart({ durationMs, isFallback: this.#isFallback });
    return plan.lines;
  }

  /** Speaks and mixes the lines that were not spoken yet; returns all lines with their times. */
  async speak(script: SpokenScript) {
    const plan = this.#createPlan(script);
    for await (const spoken of speakAhead(this.#speaking, plan)) {
      const endMs = await this.#mix(plan, spoken);
      if (this.#parts.isFull(endMs)) await this.#report(plan, endMs);
    }
    const last = await this.#mixer.finish();
    this.#parts.add(last.bytes);
    await this.#report(plan, last.endMs);
    return { lines: plan.lines, durationMs: last.endMs, loudness: last.loudness };
  }

  close(): Promise<void> {
    return this.#mixer.close();
  }

  #createPlan(script: SpokenScript): EpisodePlan {
    return new EpisodePlan(script, this.#speaking.podcast.length_minutes * MINUTE_MS, this.#opening);
  }

  /** Mixes a spoken line into the audio; returns its end in milliseconds. */
  async #mix(plan: EpisodePlan, [line, { sound, engine }]: [TimedLine, SpokenSegment]): Promise<number> {
    this.#isFallback ||= engine !== this.#speaking.podcast.engine;
    const voice = `${engine} ${line.speaker}`;
    const { gapMs, pauseMs } = line;
    const { samples, sampleRate } = sound;
    const mixed = await this.#mixer.add({ samples, sampleRate, voice, gapMs, pauseMs });
    plan.setTimes(mixed);
    this.#parts.add(mixed.bytes);
    return mixed.endMs;
  }

  async #report(plan: EpisodePlan, durationMs: number): Promise<void> {
    const { deps, podcast, onPart } = this.#speaking;
    await this.#parts.store(durationMs);
    plan.correct();
    const { lines, unusedSentences, spokenCount } = plan;
    await saveLines(deps.own, podcast._id, { lines, unusedSentences });
    const progress: PodcastProgress = { stage: "speaking", done: spokenCount, total: lines.length };
    await onPart({ durationMs, progress, isFallback: this.#isFallback });
  }
}
