/**
 * After how many days the server removes data by itself. The tasks that remove it and the privacy page read the same
 * numbers.
 */
export const retentionDays = {
  /** Deleted and archived items, which can be restored until then. */
  deletedItems: 30,
  deletedAccount: 30,
  /** Earlier versions of blocks. */
  versions: 30,
  youtubeTranscripts: 30,
  /** Files whose upload was not finished. */
  unfinishedUploads: 7,
  /** Texts of generations that never started or never ended. */
  sourceTexts: 7,
  /** Spoken parts of podcasts that failed. */
  spokenLines: 7,
  mailedAddressLinks: 3,
  /** Ids of requests that were applied. */
  appliedRequests: 400,
  endedJobs: 30,
  paymentEvents: 400,
  prompts: 30,
  analyticsEvents: 30,
  figureLedger: 40,
  /** Ids of generated cards. */
  generatedCards: 15,
  cardOutcomes: 180,
} as const;

const DAY_MS = 86_400_000;

/** How long data of a kind is stored, in milliseconds. */
export const retentionMs = (kind: keyof typeof retentionDays): number => retentionDays[kind] * DAY_MS;
