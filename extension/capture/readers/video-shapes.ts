// Schemas for the results of injected video scripts. A page can manipulate these, so they are validated before use.
import { z } from "zod";
import { Chapter, ReceivedSegment, MAX_SEGMENTS, NoTranscriptReason } from "#shared/video/schema.ts";

const Name = z.string().max(200);
const Tag = z.string().max(40);

/** An available caption track. */
const Track = z.object({ url: z.string().max(8000), language: Tag, name: Name, isGenerated: z.boolean() });
export type Track = z.infer<typeof Track>;

/** Data from YouTube's player, read in the page's own world. */
export const PlayerFacts = z.object({
  videoId: z.string().max(40),
  title: z.string().max(500),
  author: z.string().max(300).nullable(),
  description: z.string().max(20_000),
  isLive: z.boolean(),
  /** `playabilityStatus`, with its text in the student's language. */
  status: z.string().max(60),
  statusReason: z.string().max(500),
  tracks: z.array(Track).max(300),
  chapters: z.array(Chapter).max(500),
});
export type PlayerFacts = z.infer<typeof PlayerFacts>;

/** The video and its position at the time of a gesture. */
export const Moment = z.object({
  address: z.string().max(20_000),
  title: z.string().max(500),
  author: z.string().max(300).nullable(),
  atMs: z.number().min(0).max(200_000_000),
  durationMs: z.number().min(0).max(200_000_000).nullable(),
  /** URL of the playing file, if others can open it. */
  source: z.string().max(4000).nullable(),
});
export type Moment = z.infer<typeof Moment>;

/** Why no captions could be read; `moved`: the tab has moved on to another video. */
export const NoCaptions = z.enum([...NoTranscriptReason.options, "moved"]);
export type NoCaptions = z.infer<typeof NoCaptions>;

/** Captions as read in the tab: a captions file, or lines, or the reason why there are none. */
export const ReadCaptions = z.object({
  language: Tag,
  name: Name,
  isGenerated: z.boolean(),
  body: z.string().max(12_000_000).nullable(),
  lines: z.array(ReceivedSegment).max(MAX_SEGMENTS).nullable(),
  reason: NoCaptions.nullable(),
  offered: z.array(Track.omit({ url: true })).max(300),
  chapters: z.array(Chapter).max(500),
});
export type ReadCaptions = z.infer<typeof ReadCaptions>;

/** A video with its captions, as stored on disk. */
export interface ReadVideo extends ReadCaptions {
  /** YouTube's id; null for other sites. */
  videoId: string | null;
  source: string | null;
  durationMs: number | null;
  /** The video's description, which may contain chapters. */
  description: string;
}
