import type { Instance } from "./instance-contract.ts";

/** Below this much free space large uploads may fail. */
const LOW_DISK_BYTES = 200 * 1024 * 1024;

/** `freeBytes` is negative where it is unknown. */
export const isDiskLow = (freeBytes: number): boolean => freeBytes >= 0 && freeBytes < LOW_DISK_BYTES;

export const ADMIN_ALERTS = [
  "store",
  "files",
  "disk",
  "models",
  "budget",
  "jobs",
  "payments",
  "backup",
  "feedback",
  "reports",
] as const;
export type Need = (typeof ADMIN_ALERTS)[number];

/** Something that does not work, rather than something that waits to be read. */
const failures: ReadonlySet<Need> = new Set(["store", "files", "disk", "models", "budget", "jobs", "payments"]);
export const isFailure = (need: Need): boolean => failures.has(need);

type NeedsInput = Pick<
  Instance,
  "store" | "blobs" | "freeBytes" | "models" | "backup" | "newFeedback" | "failedPaymentEvents"
>;

/** Something that needs an administrator's attention, with its number. */
export function countNeeds(
  instance: NeedsInput,
  { failedJobs, reports, hasMoreReports }: { failedJobs: number; reports: number; hasMoreReports: boolean },
): { need: Need; count: number }[] {
  const { store, blobs, freeBytes, models, backup, newFeedback, failedPaymentEvents } = instance;
  const { server, tokensToday, dailyBudget } = models;
  const counts: Record<Need, number> = {
    store: Number(store.status === "failing"),
    files: Number(blobs === "failing"),
    disk: Number(isDiskLow(freeBytes)),
    models: Number(server === "failing"),
    budget: Number(dailyBudget !== null && tokensToday >= dailyBudget),
    jobs: failedJobs,
    payments: failedPaymentEvents,
    backup: Number(backup?.isLate === true),
    feedback: newFeedback,
    // The newest reports may all be about what is no longer shared, and older ones still be open.
    reports: Math.max(reports, Number(hasMoreReports)),
  };
  return ADMIN_ALERTS.map((need) => ({ need, count: counts[need] })).filter(({ count }) => count > 0);
}
