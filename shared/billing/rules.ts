import type { Plan, PlanType, Usage } from "#shared/user/schema.ts";
import { type Counter } from "#shared/billing/daily-usage.ts";
import { effectivePlan } from "#shared/billing/effective-plan.ts";
import type { Reason } from "#shared/messages/reasons.ts";

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
  return planLimits[effectivePlan(plan, now)];
}

/** Infinity; for study cards and autocomplete, -1 means the same. */
export function isUnlimited(name: LimitName, limit: number): boolean {
  return limit === unlimited || (limit === -1 && (name === "studyCards" || name === "autocompleteWords"));
}

/** What is left today, never below zero; Infinity without a limit. */
export function remainingToday(name: DailyLimit, limits: Limits, usage: Partial<Usage>): number {
  const limit = limits[name];
  return isUnlimited(name, limit) ? unlimited : Math.max(0, limit - (usage[counters[name]] ?? 0));
}

/** Whether an upload is allowed, with the reason or a warning. */
export type UploadDecision =
  | { outcome: "allowed" }
  | { outcome: "approaching_limit"; why: Reason }
  | { outcome: "refused"; reason: "file_size" | "daily_limit"; why: Reason };

export interface UploadRequest {
  plan: Plan | null | undefined;
  usage: Partial<Usage>;
  now: number;
  sizeBytes: number;
  /** PDF, Word, PowerPoint and video count against the daily limit; images do not. */
  countsAgainstDay: boolean;
}

/** Checks the size first, then the daily uploads. */
export function decideUpload(request: UploadRequest): UploadDecision {
  const { plan, usage, now, sizeBytes, countsAgainstDay } = request;
  const type = effectivePlan(plan, now);
  const limits = planLimits[type];
  if (sizeBytes > limits.fileSizeMb * MB)
    return { outcome: "refused", reason: "file_size", why: fileTooLarge(sizeBytes, type) };
  if (!countsAgainstDay || isUnlimited("fileUploads", limits.fileUploads)) return { outcome: "allowed" };
  const left = remainingToday("fileUploads", limits, usage);
  if (left === 0) return { outcome: "refused", reason: "daily_limit", why: { reason: "daily_uploads_reached" } };
  const leftAfter = left - 1;
  if (leftAfter > limits.fileUploads * WARNING_SHARE) return { outcome: "allowed" };
  return { outcome: "approaching_limit", why: approachingLimit(leftAfter) };
}

/** The last fifth of a day's uploads comes with a warning. */
const WARNING_SHARE = 0.2;

/** Set if the number of uploads is the only reason. */
export const uploadsUsed = (limit: number) => ({ reason: "daily_uploads_used", params: { limit } }) as const;

const approachingLimit = (leftAfter: number): Reason =>
  leftAfter === 0 ? { reason: "last_upload" } : { reason: "uploads_left_after", params: { count: leftAfter } };

export function fileTooLarge(sizeBytes: number, type: PlanType): Reason {
  const { fileSizeMb: most } = planLimits[type];
  const params = { size: (sizeBytes / MB).toFixed(1), most };
  return type === "FREE"
    ? { reason: "file_over_plan_upgrade", params: { ...params, more: planLimits.ULTIMATE.fileSizeMb } }
    : { reason: "file_over_plan", params };
}

/** The wording for image and PDF uploads. */
export function imageTooLarge(sizeBytes: number, type: PlanType): Reason {
  const params = { size: String(Math.round((sizeBytes / MB) * 10) / 10), most: planLimits[type].fileSizeMb };
  return { reason: type === "FREE" ? "image_over_free_plan" : "image_over_plan", params };
}

/** Only on the free tier, with a finite limit and no upload left. */
export function shouldOfferUpgrade(plan: Plan | null | undefined, usage: Partial<Usage>, now: number): boolean {
  const limits = limitsOf(plan, now);
  return effectivePlan(plan, now) === "FREE" && remainingToday("fileUploads", limits, usage) === 0;
}

/** One line about the day's uploads. */
export function uploadStatus(plan: Plan | null | undefined, usage: Partial<Usage>, now: number): Reason {
  const limits = limitsOf(plan, now);
  const limit = limits.fileUploads;
  if (isUnlimited("fileUploads", limit)) return { reason: "uploads_unlimited" };
  const left = remainingToday("fileUploads", limits, usage);
  return left === 0
    ? { reason: "uploads_none_left", params: { used: limit, limit } }
    : { reason: "uploads_left", params: { left, limit } };
}

const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;

/** Until UTC midnight: "5h 12m", or "12m" in the last hour. */
export function formatTimeToReset(now: number): string {
  const minutes = DAY_MINUTES - (Math.floor(now / MINUTE_MS) % DAY_MINUTES);
  const hours = Math.floor(minutes / 60);
  return hours > 0 ? `${hours}h ${minutes % 60}m` : `${minutes}m`;
}
