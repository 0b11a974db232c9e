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
  /** By a link that was sent there, or by the word of the issuer. */
  emailVerified: z.boolean().default(false),
  /** False for an account that was made at Google or Apple and never set one. */
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

/** What an import did. */
export const ImportReport = z.object({
  /** Documents and files that are in the account now and were not before. */
  documents: z.int(),
  files: z.int(),
  /** Were here already, as they are in the file. */
  already: z.int(),
  /** Could not be taken: their place is another's, they are not whole, or they pass the plan's file size. */
  refused: z.int(),
  /** Whether everything that the file says it holds is here now, compared by digest. */
  isWhole: z.boolean(),
});
export type ImportReport = z.infer<typeof ImportReport>;

export const Theme = z.enum(["light", "dark", "system"]);
export const Bucket = z.enum(["all", "due", "new", "hard", "favourites"]);
export type Bucket = z.infer<typeof Bucket>;

/** Every key has its default, so an empty object parses to the preferences of a new account. */
export const Preferences = z.object({
  sidebar: z
    .object({
      minimized: z.boolean().default(true),
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
      /** Whether the scheduler is fitted to the student's answers by itself, while nobody studies. */
      fit_by_itself: z.boolean().default(true),
      /** Monday first: how much of a usual day's reviews each weekday should carry, 0 to 1. */
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
      /** Of the interface; "system" is the first of the device's languages that there is. */
      language: z.enum(["system", "en", "de"]).default("system"),
    })
    .prefault({}),
  /** A browser shows notices only where it was asked by a press besides; this is what the student wants of them. */
  notifications: z
    .object({
      due_cards: z.boolean().default(false),
      /** When the day's notice comes, HH:MM of the student's own day. */
      due_at: z
        .string()
        .regex(/^([01]\d|2[0-3]):[0-5]\d$/)
        .default("17:00"),
    })
    .prefault({}),
  /** Experiments, each off until it is tried. */
  labs: z
    .object({
      /** The screen does not go dark while cards are studied. */
      stay_awake: z.boolean().default(false),
      /** On a page, everything but the block that is written in steps back. */
      one_block: z.boolean().default(false),
    })
    .prefault({}),
  /** Off until the student turns it on; it goes to this server and nowhere else. */
  analytics: z.object({ enabled: z.boolean().default(false) }).prefault({}),
  hidePageOnboarding: z.boolean().default(false),
});
export type Preferences = z.infer<typeof Preferences>;
