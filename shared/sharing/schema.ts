import { z } from "zod";
import { Component } from "#shared/pages/schema.ts";
import { SharedPodcast } from "#shared/podcasts/schema.ts";

export const ShareType = z.enum([
  "page",
  "component_pdf",
  "component_video",
  "component_flashcards",
  "research_session",
  "podcast",
  "website_project",
]);
export type ShareType = z.infer<typeof ShareType>;

/** `unlisted`: anyone with the link. `listed`: also shown under Explore. */
export const Visibility = z.enum(["unlisted", "listed"]);
export type Visibility = z.infer<typeof Visibility>;

export const Topic = z.enum([
  "biology",
  "chemistry",
  "physics",
  "mathematics",
  "computing",
  "engineering",
  "medicine",
  "psychology",
  "economics",
  "law",
  "history",
  "languages",
  "literature",
  "arts",
  "other",
]);
export type Topic = z.infer<typeof Topic>;

/** What the owner of a listed item allows others to do with it: nothing in particular, or a Creative Commons licence 4.0. */
export const Licence = z.enum(["none", "cc0", "cc_by", "cc_by_sa", "cc_by_nc", "cc_by_nc_sa"]);
export type Licence = z.infer<typeof Licence>;

export const MAX_ATTRIBUTION_CHARS = 300;

const publicFields = {
  type: ShareType,
  title: z.string(),
  description: z.string(),
  topic: Topic,
  licence: Licence,
  /** Whom to name, and where the item comes from. */
  attribution: z.string(),
  views: z.int().min(0),
  duplicates: z.int().min(0),
  createdAt: z.number(),
};

/** A share for its owner. `_id` is the last part of its link and cannot be guessed. */
export const Share = z.object({
  _id: z.string(),
  targetId: z.string(),
  visibility: Visibility,
  ...publicFields,
  /** Taken down by an administrator: nobody can open it, and it cannot be shared again. */
  isTakenDown: z.boolean(),
});
export type Share = z.infer<typeof Share>;

/** A shared item for the public: nothing about its owner. */
export const SharedItem = z.object({
  _id: z.string(),
  targetId: z.string(),
  ...publicFields,
  emoji: z.string().nullable(),
  components: z.array(Component),
  /** Only for a shared podcast, which has no components. */
  podcast: SharedPodcast.optional(),
  /** The address of a published website; its share has no components. */
  siteUrl: z.string().optional(),
  /** Where the next part begins; missing in the last part. */
  next: z.int().optional(),
});
export type SharedItem = z.infer<typeof SharedItem>;

/** How an item begins: its first words, and its first cards. */
export const ItemExcerpt = z.object({
  text: z.string(),
  samples: z.array(z.object({ question: z.string(), answer: z.string() })),
  /** How many cards all its decks have. */
  cards: z.int().min(0),
  /** BCP 47 tag of the language of these words; null if they are too few to tell. */
  language: z.string().nullable(),
});
export type ItemExcerpt = z.infer<typeof ItemExcerpt>;

export const ExploreItem = z.object({
  _id: z.string(),
  emoji: z.string().nullable(),
  ...publicFields,
  excerpt: ItemExcerpt,
});
export type ExploreItem = z.infer<typeof ExploreItem>;

export const ReportReason = z.enum(["copyright", "personal", "hateful", "spam", "other"]);
export type ReportReason = z.infer<typeof ReportReason>;

export const ShareReport = z.object({
  _id: z.string(),
  shareId: z.string(),
  title: z.string(),
  reason: ReportReason,
  text: z.string(),
  createdAt: z.number(),
});
export type ShareReport = z.infer<typeof ShareReport>;

export const ReportFilter = z.object({ reason: ReportReason.optional() });
export type ReportFilter = z.infer<typeof ReportFilter>;
