import type { PodcastLine } from "../schema.ts";

export interface ScriptOptions {
  lengthMinutes: number;
  hasBreaks: boolean;
  title: string;
  guestName: string;
  hostName: string;
  /** Milliseconds per spoken character, by speaker. */
  msPerChar: { host: number; guest: number };
}

export interface ScriptLine extends Omit<PodcastLine, "startMs" | "endMs"> {
  /** The spoken form: the text with its numbers and signs in words. */
  spoken: string;
  /** The sentence of the source that supports it, where the line is not that sentence itself. */
  quote?: string;
  /** Silence before it, in ms. */
  gapMs: number;
  /** Only for the guest's lines: the position of the sentence in its chapter. */
  at?: number;
  /** Of the guest: the run of its sentence in the chapter. It is understood after the earlier ones of that run. */
  run?: number;
  /** Of the guest: whether its sentence begins its run, and how many sentences of that are spoken at least. */
  isRunStart?: boolean;
  minSentences?: number;
  /** Of the guest: the heading above its sentence; of the host: the heading that the line announces. */
  topic?: string;
}

/** A sentence of a source that can be spoken, after the earlier ones of its run. */
export interface MaterialSentence {
  sentence: string;
  spoken: string;
  citation: string;
  /** Sentences of one number follow each other in their paragraph. */
  run: number;
  /** It begins its run. */
  isRunStart: boolean;
  /** So many sentences of its run are spoken at least. */
  minSentences: number;
  /** The heading above it; empty if it says nothing. */
  topic: string;
  /** Higher is chosen earlier. */
  score: number;
}

/** Sentences that a chapter can use, and how many lines at its start and end belong to the frame of the episode. */
export interface ChapterMaterial {
  title: string;
  sentences: MaterialSentence[];
  head: number;
  tail: number;
}

export const SPEAKER_GAP_MS = 350;
const SAME_SPEAKER_GAP_MS = 250;
/** Time to answer after a question. */
export const BREAK_MS = 3000;
export const BREAKS_PER_CHAPTER = 2;

export const gapBefore = (speaker: ScriptLine["speaker"], previous: ScriptLine["speaker"] | undefined): number =>
  previous === speaker ? SAME_SPEAKER_GAP_MS : SPEAKER_GAP_MS;

/** How long a line lasts with voices of this speed, its silences included. */
export const lineMs = (
  { speaker, spoken, gapMs, pauseMs }: Pick<ScriptLine, "speaker" | "spoken" | "gapMs" | "pauseMs">,
  msPerChar: ScriptOptions["msPerChar"],
): number => spoken.length * msPerChar[speaker] + gapMs + pauseMs;
