import type { Plan, PlanType, Usage } from "#shared/user/schema.ts";
import { planInForce, type Counter } from "#shared/user/rules.ts";

const MB = 1024 * 1024;
const unlimited = Number.POSITIVE_INFINITY;

export interface Limits {
  autocompleteWords: number;
  assistantMessages: number;
  researchMessages: number;
  fileUploads: number;
  pdfToFlashcardsPages: number;
  studyCards: number;
  fileSizeMb: number;
  podcastCreations: number;
}
export type LimitName = keyof Limits;

const free: Limits = {
  autocompleteWords: 500,
  assistantMessages: 5,
  researchMessages: 1,
  fileUploads: 1,
  pdfToFlashcardsPages: 10,
  studyCards: 3,
  fileSizeMb: 10,
  podcastCreations: 1,
};

/** The limits of each plan, per day for counted ones; ENTERPRISE falls back to FREE. */
export const planLimits: Readonly<Record<PlanType, Limits>> = {
  FREE: free,
  PLUS: {
    autocompleteWords: unlimited,
    assistantMessages: 100,
    researchMessages: 10,
    fileUploads: unlimited,
    pdfToFlashcardsPages: 300,
    studyCards: unlimited,
    fileSizeMb: 300,
    podcastCreations: 30,
  },
  ULTIMATE: {
    autocompleteWords: unlimited,
    assistantMessages: unlimited,
    researchMessages: 50,
    fileUploads: unlimited,
    pdfToFlashcardsPages: 300,
    studyCards: unlimited,
    fileSizeMb: 300,
    podcastCreations: 30,
  },
  ENTERPRISE: free,
};

/** The usage counter for each daily limit. */
const counters = {
  autocompleteWords: "autocompleteWords",
  assistantMessages: "assistantMessages",
  researchMessages: "researchMessages",
  fileUploads: "fileUploads",
  studyCards: "totalCardsStudied",
  podcastCreations: "podcastCreations",
} as const satisfies Partial<Record<LimitName, Counter>>;
export type DailyLimit = keyof typeof counters;

/** The limits of an account now. */
export function limitsOf(plan: Plan | null | undefined, now: number): Limits {
  return planLimits[planInForce(plan, now)];
}

/** Infinity; for study cards and autocomplete, -1 means the same. */
export function isUnlimited(name: LimitName, limit: number): boolean {
  return limit === unlimited || (limit === -1 && (name === "studyCards" || name === "autocompleteWords"));
}

/** What is left today, never below zero; Infinity without a limit. */
export function remaining(name: DailyLimit, limits: Limits, usage: Partial<Usage>): number {
  const limit = limits[name];
  return isUnlimited(name, limit) ? unlimited : Math.max(0, limit - (usage[counters[name]] ?? 0));
}

/** Whether an upload is allowed, with the reason or a warning. */
export type UploadAllowance =
  | { outcome: "allowed" }
  | { outcome: "approaching_limit"; message: string }
  | { outcome: "refused"; reason: "file_size" | "daily_limit"; message: string };

export interface UploadQuestion {
  plan: Plan | null | undefined;
  usage: Partial<Usage>;
  now: number;
  sizeBytes: number;
  /** PDF, Word, PowerPoint and video count against the daily limit; images do not. */
  countsAgainstDay: boolean;
}

/** Checks the size first, then the daily uploads. */
export function allowUpload(question: UploadQuestion): UploadAllowance {
  const { plan, usage, now, sizeBytes, countsAgainstDay } = question;
  const type = planInForce(plan, now);
  const limits = planLimits[type];
  if (sizeBytes > limits.fileSizeMb * MB)
    return { outcome: "refused", reason: "file_size", message: fileTooLargeMessage(sizeBytes, type) };
  if (!countsAgainstDay || isUnlimited("fileUploads", limits.fileUploads)) return { outcome: "allowed" };
  const left = remaining("fileUploads", limits, usage);
  if (left === 0) return { outcome: "refused", reason: "daily_limit", message: DAILY_UPLOAD_LIMIT_MESSAGE };
  const leftAfter = left - 1;
  if (leftAfter > limits.fileUploads * CLOSE_TO_LIMIT) return { outcome: "allowed" };
  return { outcome: "approaching_limit", message: approachingLimitMessage(leftAfter) };
}

/** The last fifth of a day's uploads comes with a warning. */
const CLOSE_TO_LIMIT = 0.2;

export const DAILY_UPLOAD_LIMIT_MESSAGE =
  "You've reached your daily upload limit. Upgrade to Ultimate for unlimited uploads!";

/** Used if the number of uploads is the only reason. */
export function uploadsUsedMessage(limit: number): string {
  return `You've used all ${limit} uploads today. Upgrade to Ultimate for unlimited uploads!`;
}

function approachingLimitMessage(leftAfter: number): string {
  if (leftAfter === 0) return "This is your last upload today.";
  return leftAfter === 1
    ? "After this one, 1 upload is left today."
    : `After this one, ${leftAfter} uploads are left today.`;
}

export function fileTooLargeMessage(sizeBytes: number, type: PlanType): string {
  const { fileSizeMb } = planLimits[type];
  const sizeMb = (sizeBytes / MB).toFixed(1);
  return type === "FREE"
    ? `File too large (${sizeMb}MB). Your plan allows up to ${fileSizeMb}MB. Upgrade for ${planLimits.ULTIMATE.fileSizeMb}MB files!`
    : `File too large (${sizeMb}MB). Your plan allows up to ${fileSizeMb}MB.`;
}

/** The alternative wording of the image and PDF upload. */
export function imageTooLargeMessage(sizeBytes: number, type: PlanType): string {
  const sizeMb = Math.round((sizeBytes / MB) * 10) / 10;
  const { fileSizeMb } = planLimits[type];
  return type === "FREE"
    ? `Your ${sizeMb}MB file exceeds the ${fileSizeMb}MB limit for free users. Please upgrade to upload larger files.`
    : `File size (${sizeMb}MB) exceeds the maximum ${fileSizeMb}MB limit.`;
}

/** The upload button's label, including the free tier's reached limit. */
export function uploadLabel(label: string, plan: Plan | null | undefined, usage: Partial<Usage>, now: number): string {
  return asksForUpgrade(plan, usage, now) ? `${label} (Limit Reached)` : label;
}

/** Only on the free tier, with a finite limit and no upload left. */
export function asksForUpgrade(plan: Plan | null | undefined, usage: Partial<Usage>, now: number): boolean {
  const limits = limitsOf(plan, now);
  return planInForce(plan, now) === "FREE" && remaining("fileUploads", limits, usage) === 0;
}

/** One line about today's uploads. */
export function uploadStatus(plan: Plan | null | undefined, usage: Partial<Usage>, now: number): string {
  const limits = limitsOf(plan, now);
  const limit = limits.fileUploads;
  if (isUnlimited("fileUploads", limit)) return "Unlimited uploads";
  const left = remaining("fileUploads", limits, usage);
  return left === 0 ? `Daily limit reached (${limit}/${limit})` : `Uploads left today: ${left} of ${limit}`;
}

const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;

/** Until UTC midnight: "5h 12m", or "12m" in the last hour. */
export function timeToReset(now: number): string {
  const minutes = DAY_MINUTES - (Math.floor(now / MINUTE_MS) % DAY_MINUTES);
  const hours = Math.floor(minutes / 60);
  return hours > 0 ? `${hours}h ${minutes % 60}m` : `${minutes}m`;
}
