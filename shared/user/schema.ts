import { z } from "zod";

export const PlanType = z.enum(["FREE", "PLUS", "ULTIMATE", "ENTERPRISE"]);
export type PlanType = z.infer<typeof PlanType>;

export const Plan = z.object({
  type: PlanType,
  endAt: z.number().nullable(),
  paused: z.boolean(),
  pausedUntil: z.number().nullable(),
});
export type Plan = z.infer<typeof Plan>;

export const AuthProvider = z.enum(["EMAIL_PASSWORD", "GOOGLE_OAUTH_2", "APPLE"]);

export const User = z.object({
  _id: z.string(),
  name: z.string(),
  email: z.string(),
  timezone: z.string(),
  profilePictureUrl: z.string().nullable(),
  seenFeatures: z.array(z.string()),
  onboardingComplete: z.boolean(),
  plan: Plan,
  authProvider: AuthProvider,
  isAdmin: z.boolean(),
  /** Verified by a mailed link or by the identity provider. */
  emailVerified: z.boolean().default(false),
  /** False for an account created with Google or Apple that has no password. */
  hasPassword: z.boolean().default(true),
  createdAt: z.number(),
});
export type User = z.infer<typeof User>;

export const Usage = z.object({
  userId: z.string(),
  /** The UTC day, as YYYY-MM-DD. */
  period: z.string(),
  assistantMessages: z.int().min(0).default(0),
  researchMessages: z.int().min(0).default(0),
  totalCardsStudied: z.int().min(0).default(0),
  fileUploads: z.int().min(0).default(0),
  podcastCreations: z.int().min(0).default(0),
  autocompleteWords: z.int().min(0).default(0),
  createdAt: z.number(),
});
export type Usage = z.infer<typeof Usage>;

export const StorageUsage = z.object({
  usedBytes: z.number().min(0),
  limitBytes: z.number().min(0),
  /** Part of `usedBytes`: deleted files, which are erased 30 days after their deletion. */
  deletedBytes: z.number().min(0),
});
export type StorageUsage = z.infer<typeof StorageUsage>;

export const Streak = z.object({
  user: z.string(),
  currentStreak: z.int().min(0),
  longestStreak: z.int().min(0),
  /** Epoch ms of the last study; null before the first. */
  lastStudied: z.number().nullable(),
  createdAt: z.number(),
  updatedAt: z.number(),
});
export type Streak = z.infer<typeof Streak>;

/** The result of an account import. */
export const AccountImportReport = z.object({
  /** Documents and files that were added to the account. */
  documents: z.int(),
  files: z.int(),
  /** Documents and files that were already in the account, identical to those in the export. */
  already: z.int(),
  /** Not imported: ids that belong to another account, damaged items, and files that exceed the plan's limit. */
  refused: z.int(),
  /** Whether everything listed in the export is in the account now, compared by digest. */
  isWhole: z.boolean(),
});
export type AccountImportReport = z.infer<typeof AccountImportReport>;

export const Theme = z.enum(["light", "dark", "system"]);
export const Bucket = z.enum(["all", "due", "new", "hard", "favourites"]);
export type Bucket = z.infer<typeof Bucket>;

/** Every key has a default, so an empty object parses to the preferences of a new account. */
export const Preferences = z.object({
  sidebar: z
    .object({
      minimized: z.boolean().default(true),
      /** Whether it is also shown beside pages, documents, decks and videos in a window that is wide enough. */
      pinned: z.boolean().default(false),
      favorites_minimized: z.boolean().default(false),
      pages_minimized: z.boolean().default(false),
      recents_minimized: z.boolean().default(false),
      folders_minimized: z.boolean().default(false),
      content_show_all: z.boolean().default(false),
      research_minimized: z.boolean().default(false),
      research_show_all: z.boolean().default(false),
    })
    .prefault({}),
  features: z
    .object({
      text_completion_enabled: z.boolean().default(true),
      text_completion_custom_instructions: z.string().max(4000).default(""),
    })
    .prefault({}),
  flashcards: z
    .object({
      bucket: Bucket.default("due"),
      quiz_bucket: Bucket.default("all"),
      autoplay_interval_seconds: z.number().min(1).max(120).default(5),
      /** The share of due cards that should still be remembered. */
      desired_retention: z.number().min(0.7).max(0.97).default(0.9),
      new_cards_per_day: z.int().min(0).max(9999).default(20),
      /** Whether the scheduler is fitted to the student's answers automatically while the account is idle. */
      fit_by_itself: z.boolean().default(true),
      /** Whether edits and removals of generated cards influence the next generated deck. */
      learn_from_edits: z.boolean().default(true),
      /** Monday first: the share of a usual day's reviews that each weekday should have, 0 to 1. */
      easy_days: z.array(z.number().min(0).max(1)).length(7).default([1, 1, 1, 1, 1, 1, 1]),
      quiz_question_types: z
        .object({
          multiple_choice: z.boolean().default(true),
          true_false: z.boolean().default(true),
          short_response: z.boolean().default(false),
          fill_in_the_blank: z.boolean().default(false),
        })
        .prefault({}),
    })
    .prefault({}),
  conversation: z.object({ max_words: z.int().min(20).max(2000).default(150) }).prefault({}),
  assistant: z
    .object({
      language: z.string().max(60).default("English"),
      custom_instructions: z.string().max(4000).default(""),
      minimized: z.boolean().default(false),
      width: z.number().min(280).max(1200).default(450),
    })
    .prefault({}),
  research: z.object({ canvas_width: z.number().min(320).max(2400).default(800) }).prefault({}),
  appearance: z
    .object({
      theme: Theme.default("system"),
      /** Language of the interface; "system" is the first language of the device that we have. */
      language: z.enum(["system", "en", "de"]).default("system"),
    })
    .prefault({}),
  /** The student's choices. The browser additionally asks for permission. */
  notifications: z
    .object({
      due_cards: z.boolean().default(false),
      /** The time of the daily reminder, HH:MM in the student's time zone. */
      due_at: z
        .string()
        .regex(/^([01]\d|2[0-3]):[0-5]\d$/)
        .default("17:00"),
    })
    .prefault({}),
  /** Experiments, off by default. */
  labs: z
    .object({
      /** Keeps the screen on while studying. */
      stay_awake: z.boolean().default(false),
      /** On a page, dims everything but the block being edited. */
      one_block: z.boolean().default(false),
    })
    .prefault({}),
  /** Opt-in; the data stays on this server. */
  analytics: z.object({ enabled: z.boolean().default(false) }).prefault({}),
  hidePageOnboarding: z.boolean().default(false),
});
export type Preferences = z.infer<typeof Preferences>;
