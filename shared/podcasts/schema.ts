import { z } from "zod";
import { reasonFields } from "#shared/messages/schema.ts";

export const PodcastStatus = z.enum(["pending", "generating_transcript", "generating_audio", "completed", "failed"]);
export type PodcastStatus = z.infer<typeof PodcastStatus>;

export const PodcastSourceType = z.enum(["pdf", "video", "research"]);
export type PodcastSourceType = z.infer<typeof PodcastSourceType>;

/** What an episode is made from; `id` names a component, or a research session. */
export const PodcastSource = z.object({
  type: PodcastSourceType,
  id: z.string().min(1).max(64),
  /** The title when the episode was created. */
  title: z.string().default(""),
});
export type PodcastSource = z.infer<typeof PodcastSource>;

/** A speaker of the episode; `voice` is an id of the form NAME_GENDER. */
export const PodcastGuest = z.object({ name: z.string(), voice: z.string() });
export type PodcastGuest = z.infer<typeof PodcastGuest>;

/** Lengths that can be chosen, in minutes. */
export const LENGTHS_MINUTES = [5, 10, 15, 20] as const;
export const PodcastLength = z.literal(LENGTHS_MINUTES);
export type PodcastLength = z.infer<typeof PodcastLength>;

export const PodcastProgress = z.object({
  stage: z.enum(["reading", "writing", "speaking", "finishing"]),
  done: z.int().min(0),
  total: z.int().min(0),
});
export type PodcastProgress = z.infer<typeof PodcastProgress>;

export const Podcast = z.object({
  _id: z.string(),
  title: z.string(),
  status: PodcastStatus,
  sources: z.array(PodcastSource),
  guest: PodcastGuest,
  created_at: z.number(),
  updated_at: z.number(),
  completed_at: z.number().nullable(),
  generation_started_at: z.number().nullable(),
  last_processing_attempt: z.number().nullable(),
  is_archived: z.boolean(),
  archived_at: z.number().nullable(),
  thumbnail_file: z.object({ location: z.string() }).nullable(),
  /** The requested length. */
  length_minutes: PodcastLength,
  /** Whether the host leaves time to answer. */
  has_breaks: z.boolean(),
  host: PodcastGuest,
  /** Which engine spoke: the server's built-in voices, or a speech server. */
  engine: z.enum(["built_in", "server"]),
  /** The model that wrote the lines; null if they were chosen from the sources. */
  writer: z.string().nullable().default(null),
  /** How much can already be played. */
  duration_ms: z.int().min(0),
  /** Where the listener stopped, on any device. */
  position_ms: z.int().min(0).default(0),
  progress: PodcastProgress.nullable(),
  /** Why it failed. */
  error: z.object({ message: z.string(), ...reasonFields }).nullable(),
  /** Notices for the listener: too little text, another voice was used, or the model gave nothing usable. */
  notices: z.array(z.enum(["shorter_than_requested", "spoken_by_built_in", "written_without_model"])),
});
export type Podcast = z.infer<typeof Podcast>;

/**
 * One spoken line. A line of the guest is a sentence of a source, or a model's sentence that such a sentence supports.
 */
export const PodcastLine = z.object({
  speaker: z.enum(["host", "guest"]),
  text: z.string(),
  /** Index of its chapter. */
  chapter: z.int().min(0),
  /** The passage that contains it; null for the host. */
  citation: z.string().nullable(),
  /** Only for research sessions: the stored source and the words in it that support the line. */
  snapshot: z.object({ sessionId: z.string(), n: z.int().min(1), quote: z.string() }).optional(),
  /** Silence after the line, in which the listener can answer, in ms. */
  pauseMs: z.int().min(0),
  /** Undefined until the line was spoken. */
  startMs: z.int().min(0).optional(),
  endMs: z.int().min(0).optional(),
});
export type PodcastLine = z.infer<typeof PodcastLine>;

export const PodcastChapter = z.object({ title: z.string(), startMs: z.int().min(0).nullable() });
export type PodcastChapter = z.infer<typeof PodcastChapter>;

export const PodcastTranscript = z.object({ lines: z.array(PodcastLine), chapters: z.array(PodcastChapter) });
export type PodcastTranscript = z.infer<typeof PodcastTranscript>;

/** An episode as visitors of its link see it: without its owner and without links to the sources. */
export const SharedPodcast = z.object({
  host: PodcastGuest,
  guest: PodcastGuest,
  engine: z.enum(["built_in", "server"]),
  /** The model that wrote the lines; null if they were chosen from the sources. */
  writer: z.string().nullable().default(null),
  duration_ms: z.int().min(0),
  audio_file_id: z.string(),
  cover_file_id: z.string().nullable(),
  chapters: z.array(PodcastChapter),
  lines: z.array(PodcastLine.omit({ citation: true, snapshot: true })),
});
export type SharedPodcast = z.infer<typeof SharedPodcast>;

/** A line of one of the account's episodes that a search found. */
export const FoundLine = z.object({
  podcastId: z.string(),
  title: z.string(),
  text: z.string(),
  speaker: z.enum(["host", "guest"]),
  startMs: z.int().min(0),
});
export type FoundLine = z.infer<typeof FoundLine>;

/** A guest who can be chosen. */
export const PodcastVoice = z.object({
  id: z.string(),
  name: z.string(),
  gender: z.enum(["female", "male"]),
  engine: z.enum(["built_in", "server"]),
});
export type PodcastVoice = z.infer<typeof PodcastVoice>;

/** https://github.com/Podcastindex-org/podcast-namespace/blob/main/docs/examples/chapters/jsonChapters.md; in seconds. */
export const ChaptersFile = z.object({
  version: z.literal("1.2.0"),
  title: z.string(),
  chapters: z.array(z.object({ startTime: z.number(), title: z.string() })),
});
export type ChaptersFile = z.infer<typeof ChaptersFile>;
