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
  /** The sentence of the source that supports the line, if the line is not that sentence itself. */
  quote?: string;
  /** Silence before the line, in ms. */
  gapMs: number;
  /** Only for lines of the guest: the position of the sentence in its chapter. */
  at?: number;
  /**
   * Only for lines of the guest: the run of the sentence in its chapter. It can be understood after the earlier
   * sentences of that run.
   */
  run?: number;
  /**
   * Only for lines of the guest: whether the sentence begins its run, and the minimum number of sentences of the run
   * that are spoken.
   */
  isRunStart?: boolean;
  minSentences?: number;
  /** For the guest, the heading above the sentence; for the host, the heading that the line announces. */
  topic?: string;
  /** Only for a sentence that begins its run: the host's question about the run. */
  prompt?: string;
}

/** A sentence of a source that can be spoken after the earlier sentences of its run. */
export interface MaterialSentence {
  sentence: string;
  spoken: string;
  citation: string;
  /** Sentences with the same number are consecutive in their paragraph. */
  run: number;
  /** Whether the sentence begins its run. */
  isRunStart: boolean;
  /** The minimum number of sentences of its run that are spoken. */
  minSentences: number;
  /** The heading above it; empty if the heading names no topic. */
  topic: string;
  /** If the sentence begins its run, the host's question about the run. */
  prompt?: string;
  /** Sentences with a higher score are chosen earlier. */
  score: number;
}

/**
 * Sentences that a chapter can use, and how many lines at its start and end are the opening and closing of the episode.
 */
export interface ChapterMaterial {
  title: string;
  sentences: MaterialSentence[];
  openingLineCount: number;
  closingLineCount: number;
}

export const SPEAKER_GAP_MS = 350;
const SAME_SPEAKER_GAP_MS = 250;
/** Time to answer after a question. */
export const BREAK_MS = 3000;
export const BREAKS_PER_CHAPTER = 2;

export const gapBefore = (speaker: ScriptLine["speaker"], previous: ScriptLine["speaker"] | undefined): number =>
  previous === speaker ? SAME_SPEAKER_GAP_MS : SPEAKER_GAP_MS;

/** The duration of a line with voices of this speed, including its silences. */
const lineMs = (
  { speaker, spoken, gapMs, pauseMs }: Pick<ScriptLine, "speaker" | "spoken" | "gapMs" | "pauseMs">,
  msPerChar: ScriptOptions["msPerChar"],
): number => spoken.length * msPerChar[speaker] + gapMs + pauseMs;

/** The duration of lines with voices of this speed. */
export const estimateMs = (lines: readonly ScriptLine[], msPerChar: ScriptOptions["msPerChar"]): number =>
  lines.reduce((sum, line) => sum + lineMs(line, msPerChar), 0);
