import { z } from "zod";
import { json, stream } from "#shared/contract/endpoint.ts";

/** Times are epoch ms everywhere in this file. */
const JobCounts = z.object({
  kind: z.string(),
  waiting: z.int(),
  running: z.int(),
  failed: z.int(),
  /** When the oldest waiting job was created; null if none waits. */
  oldestWaitingAt: z.number().nullable(),
  /** 95th percentile of the time from creation to end, over the jobs that ended in the last day; null without any. */
  p95Ms: z.number().nullable(),
});
export type JobCounts = z.infer<typeof JobCounts>;

export const JOB_STATES = ["failed", "running", "waiting"] as const;

const AdminJob = z.object({
  _id: z.string(),
  kind: z.string(),
  status: z.enum(JOB_STATES),
  createdAt: z.number(),
  endedAt: z.number().nullable(),
  /** How often it was started since it last made progress. */
  attempts: z.int(),
  /** Number of logged events. */
  events: z.int(),
  /** The reason or the name of the error that ended it, never text of a student. */
  error: z.string().nullable(),
});
export type AdminJob = z.infer<typeof AdminJob>;

const Service = z.object({
  name: z.enum(["mail", "payments", "model", "speech", "transcription", "search", "google", "apple"]),
  /** The settings that are missing; none if the service is set up. */
  missing: z.array(z.string()),
});
export type Service = z.infer<typeof Service>;

const Instance = z.object({
  version: z.string(),
  startedAt: z.number(),
  store: z.object({ kind: z.string(), status: z.enum(["ok", "failing"]) }),
  blobs: z.enum(["ok", "failing"]),
  /** -1 if it is unknown, as with files in MongoDB. */
  freeBytes: z.number(),
  services: z.array(Service),
  models: z.object({
    /** Names of what students can choose; the built-in model is always one of them. */
    names: z.array(z.string()),
    /** Whether the server at `AI_BASE_URL` answers. */
    server: z.enum(["ok", "failing", "none"]),
    /** Used by all accounts since midnight UTC. */
    tokensToday: z.number(),
    /** Null without a limit. */
    dailyBudget: z.number().nullable(),
  }),
  /** Null where the database has tools of its own for it. */
  backup: z.object({ lastAt: z.number().nullable(), isLate: z.boolean() }).nullable(),
  accounts: z.int(),
  newFeedback: z.int(),
  /** Events of the payment provider that could not be applied and are awaited again. */
  failedPaymentEvents: z.int(),
});
export type Instance = z.infer<typeof Instance>;

const Done = z.object({ success: z.literal(true) });
const JobId = z.object({ id: z.string().min(1).max(100) });

export const ADMIN_ACTIONS = [
  "retry_job",
  "retry_failed_jobs",
  "cancel_job",
  "sign_out_account",
  "make_reset_link",
  "set_feedback_state",
  "answer_feedback",
  "take_down_share",
  "dismiss_report",
  "set_plan",
  "disable_account",
  "enable_account",
  "delete_account",
  "restore_account",
  "demote_admin",
  "create_invite",
  "remove_invite",
  "create_post",
  "save_post",
  "delete_post",
] as const;

/** An action that an administrator took; entries are never changed. */
const AuditEntry = z.object({
  _id: z.string(),
  at: z.number(),
  /** Account id and address of the administrator. */
  adminId: z.string(),
  adminEmail: z.string(),
  action: z.enum(ADMIN_ACTIONS),
  /** Id of what it was done to; empty for all failed jobs. */
  target: z.string(),
});
export type AuditEntry = z.infer<typeof AuditEntry>;

export const PageCursor = z.object({
  /** `next` of the page before. */
  after: z.string().max(100).optional(),
});

const AuditFilter = z.object({ action: z.enum(ADMIN_ACTIONS).optional() });
export type AuditFilter = z.infer<typeof AuditFilter>;

export const instance = {
  getInstance: json({
    method: "GET",
    path: "/v1/admin/instance",
    access: "admin",
    summary: "The state of the server, and what waits for an administrator",
    input: z.object({}),
    output: Instance,
    fails: [],
  }),
  countJobs: json({
    method: "GET",
    path: "/v1/admin/job_counts",
    access: "admin",
    summary: "Jobs by kind: waiting, running, failed, and how long they take",
    input: z.object({}),
    output: z.object({ kinds: z.array(JobCounts) }),
    fails: [],
  }),
  listJobs: json({
    method: "GET",
    path: "/v1/admin/jobs",
    access: "admin",
    summary: "Jobs of one state, the newest first; never what a student wrote",
    input: PageCursor.extend({ status: z.enum(JOB_STATES).default("failed") }),
    output: z.object({ jobs: z.array(AdminJob), next: z.string().nullable() }),
    fails: ["bad_input"],
  }),
  listJobSteps: json({
    method: "GET",
    path: "/v1/admin/jobs/:id/steps",
    access: "admin",
    summary: "What a job logged, by the types of its events, the oldest first; never what is in them",
    input: JobId,
    output: z.object({ steps: z.array(z.object({ type: z.string(), count: z.int(), at: z.number() })) }),
    fails: ["not_found"],
  }),
  retryJob: json({
    method: "POST",
    path: "/v1/admin/jobs/:id/retry",
    access: "admin",
    summary: "Start a failed job again from its last checkpoint",
    input: JobId,
    output: Done,
    fails: ["not_found"],
  }),
  retryFailedJobs: json({
    method: "POST",
    path: "/v1/admin/jobs/retry_failed",
    access: "admin",
    summary: "Start every failed job again from its last checkpoint",
    input: z.object({}),
    output: z.object({ retried: z.int() }),
    fails: [],
  }),
  cancelJob: json({
    method: "POST",
    path: "/v1/admin/jobs/:id/cancel",
    access: "admin",
    summary: "Stop a waiting or running job; what it made so far stays",
    input: JobId,
    output: Done,
    fails: ["not_found"],
  }),
  listAudit: json({
    method: "GET",
    path: "/v1/admin/audit",
    access: "admin",
    summary: "What administrators did, the newest first",
    input: AuditFilter.extend(PageCursor.shape),
    output: z.object({ entries: z.array(AuditEntry), next: z.string().nullable() }),
    fails: ["bad_input"],
  }),
  exportAudit: stream({
    method: "GET",
    path: "/v1/admin/audit.csv",
    access: "admin",
    rate: "generation",
    summary: "The same list as CSV, whole",
    plain: true,
    input: AuditFilter,
    event: z.string(),
    fails: ["bad_input"],
  }),
};
