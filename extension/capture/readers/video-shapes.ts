// What the scripts that read a video answer. A page can put anything into it: it is held to these shapes before use.
import { z } from "zod";
import { Chapter, GivenSegment, MAX_SEGMENTS, NoTranscriptReason } from "#shared/video/schema.ts";

const Name = z.string().max(200);
const Tag = z.string().max(40);

/** Captions that a video has, and where they can be had. */
const Track = z.object({ url: z.string().max(8000), language: Tag, name: Name, isGenerated: z.boolean() });
export type Track = z.infer<typeof Track>;

/** What YouTube's player says of its video; read in the page's own world, where the player lives. */
export const PlayerFacts = z.object({
  videoId: z.string().max(40),
  title: z.string().max(500),
  author: z.string().max(300).nullable(),
  description: z.string().max(20_000),
  isLive: z.boolean(),
  /** `playabilityStatus`, and the words that go with it in the student's language. */
  status: z.string().max(60),
  statusReason: z.string().max(500),
  tracks: z.array(Track).max(300),
  chapters: z.array(Chapter).max(500),
});
export type PlayerFacts = z.infer<typeof PlayerFacts>;

/** The moment of a gesture: which video, and where it stood. */
export const Moment = z.object({
  address: z.string().max(20_000),
  title: z.string().max(500),
  author: z.string().max(300).nullable(),
  atMs: z.number().min(0).max(200_000_000),
  durationMs: z.number().min(0).max(200_000_000).nullable(),
  /** The address of the file that plays, where it has one that others can open. */
  source: z.string().max(4000).nullable(),
});
export type Moment = z.infer<typeof Moment>;

/** Why nothing could be read; `moved`: the tab went on to another video meanwhile. */
export const NoCaptions = z.enum([...NoTranscriptReason.options, "moved"]);
export type NoCaptions = z.infer<typeof NoCaptions>;

/** What is said in a video as it was read in its tab: a captions file as it came, or its lines; else the reason. */
export const ReadCaptions = z.object({
  language: Tag,
  name: Name,
  isGenerated: z.boolean(),
  body: z.string().max(12_000_000).nullable(),
  lines: z.array(GivenSegment).max(MAX_SEGMENTS).nullable(),
  reason: NoCaptions.nullable(),
  offered: z.array(Track.omit({ url: true })).max(300),
  chapters: z.array(Chapter).max(500),
});
export type ReadCaptions = z.infer<typeof ReadCaptions>;

/** A video with what was read of it, as it waits on disk. */
export interface ReadVideo extends ReadCaptions {
  /** YouTube's name for it; null for a video of another site. */
  videoId: string | null;
  source: string | null;
  durationMs: number | null;
  /** Its author's words below it, which may name chapters. */
  description: string;
}
