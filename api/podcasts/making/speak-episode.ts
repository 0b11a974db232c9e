import { Readable } from "node:stream";
import type { PodcastProgress } from "#shared/podcasts/schema.ts";
import { fitLength, type LinePlan, type TimedLine } from "#shared/podcasts/script/fit-length.ts";
import type { ScriptLine } from "#shared/podcasts/script/script-line.ts";
import type { Deps } from "#api/http/handler.ts";
import type { Own } from "#api/store/owned-store.ts";
import { Mixer } from "../audio/mixer.ts";
import { insertPart, type PodcastDoc, removeParts, type ScriptDoc, saveLines } from "../store.ts";
import type { SegmentSpeaker, SpokenSegment } from "./segments.ts";

const BUILT_IN_RATE = 16_000;
const SERVER_RATE = 24_000;
/** Lines that are spoken ahead of the one that is mixed; a speech server gets as many at once. */
const LINES_AHEAD = 2;
/** A listener may begin after the first part. */
const FIRST_PART_MS = 2500;
const PART_MS = 15_000;
const MINUTE_MS = 60_000;
const MAX_PART_BYTES = 16 * 1024 * 1024;

export interface SpeakingReport {
  durationMs: number;
  progress: PodcastProgress;
  isFallback: boolean;
}

interface Speaking {
  deps: Pick<Deps, "blobs"> & { own: Own };
  podcast: PodcastDoc;
  script: Pick<ScriptDoc, "lines" | "unusedSentences" | "chapters">;
  speaker: SegmentSpeaker;
  signal: AbortSignal;
  /** Called after every stored part. */
  onPart: (report: SpeakingReport) => Promise<void>;
}

/** The lines in the making: what is not spoken yet may change. */
class EpisodePlan {
  readonly #targetMs: number;
  #plan: { lines: TimedLine[]; unusedSentences: readonly ScriptLine[] };
  done = 0;

  constructor({ script: { lines, unusedSentences = [] }, podcast }: Speaking) {
    const untimed = lines.map(({ startMs: _start, endMs: _end, ...line }): TimedLine => line);
    this.#plan = { lines: untimed, unusedSentences };
    this.#targetMs = podcast.length_minutes * MINUTE_MS;
  }

  get lines(): TimedLine[] {
    return this.#plan.lines;
  }

  get unusedSentences(): ScriptLine[] {
    return [...this.#plan.unusedSentences];
  }

  /** The next line has its times. */
  setTimes({ startMs, endMs }: { startMs: number; endMs: number }): void {
    const line = this.lines[this.done];
    if (line) Object.assign(line, { startMs, endMs });
    this.done += 1;
  }

  /** Adds or leaves out lines, so that the whole becomes as long as it was wished. */
  correct(): void {
    const last = this.lines[this.done - 1];
    const endMs = (last?.endMs ?? 0) + (last?.pauseMs ?? 0);
    const progress = { done: this.done, from: this.done + LINES_AHEAD, endMs, targetMs: this.#targetMs };
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
    // It is awaited later; a failure until then is no unhandled one.
    spokenLine.catch(() => undefined);
    return spokenLine;
  };
  const ahead = plan.lines.slice(0, LINES_AHEAD).map(speak);
  for (let index = 0; index < plan.lines.length; index += 1) {
    const segment = await ahead.shift();
    const line = plan.lines[index];
    const next = plan.lines[index + LINES_AHEAD];
    if (next) ahead.push(speak(next));
    if (line && segment) yield [line, segment];
  }
}

/** Gathers encoded sound and stores it part by part. */
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
    await insertPart(deps.own, { podcastId: podcast._id, index: this.#count, blobKey, sizeBytes });
    this.#chunks = [];
    this.#storedMs = endMs;
    this.#count += 1;
  }
}

/** Speaks and joins all lines; returns the lines with their times. */
export async function speakEpisode(speaking: Speaking) {
  const { deps, podcast, signal, onPart } = speaking;
  await removeParts(deps.own, podcast._id);
  const mixer = new Mixer(podcast.engine === "server" ? SERVER_RATE : BUILT_IN_RATE, signal);
  const plan = new EpisodePlan(speaking);
  const parts = new PartStore(speaking);
  let isFallback = false;
  const report = async (durationMs: number) => {
    await parts.store(durationMs);
    plan.correct();
    const { lines, unusedSentences, done } = plan;
    await saveLines(deps.own, podcast._id, { lines, unusedSentences });
    await onPart({ durationMs, progress: { stage: "speaking", done, total: lines.length }, isFallback });
  };
  try {
    for await (const [line, { sound, engine }] of speakAhead(speaking, plan)) {
      isFallback ||= engine !== podcast.engine;
      const voice = `${engine} ${line.speaker}`;
      const { gapMs, pauseMs } = line;
      const mixed = await mixer.add({ samples: sound.samples, sampleRate: sound.sampleRate, voice, gapMs, pauseMs });
      plan.setTimes(mixed);
      parts.add(mixed.bytes);
      if (parts.isFull(mixed.endMs)) await report(mixed.endMs);
    }
    const last = await mixer.finish();
    parts.add(last.bytes);
    await report(last.endMs);
    return { lines: plan.lines, durationMs: last.endMs, loudness: last.loudness };
  } finally {
    await mixer.close();
  }
}
