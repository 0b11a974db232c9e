import { z } from "zod";
import { json, stream } from "#shared/contract/endpoint.ts";
import { COUNTED_LIMITS } from "#shared/billing/daily-usage.ts";
import { PlanType } from "#shared/user/schema.ts";
import { PageCursor } from "./instance-contract.ts";

const AdminAccount = z.object({
  _id: z.string(),
  name: z.string(),
  email: z.string(),
  emailVerified: z.boolean(),
  isAdmin: z.boolean(),
  plan: z.string(),
  createdAt: z.number(),
  /** When the account is deleted permanently, epoch ms; null unless its owner asked for it. */
  deleteAt: z.number().nullable(),
  /** When an administrator disabled it, epoch ms. */
  disabledAt: z.number().nullable(),
});
export type AdminAccount = z.infer<typeof AdminAccount>;

/** What an administrator sees of an account: figures, never what it contains. */
const AccountDetails = AdminAccount.extend({
  /** Whether it is the caller's own. */
  isSelf: z.boolean(),
  /** Whether `ADMIN_EMAILS` makes it an administrator. */
  isAdminBySetting: z.boolean(),
  /** The plan that it has without a subscription, and when it ends, epoch ms. */
  granted: PlanType,
  grantedUntil: z.number().nullable(),
  hasSubscription: z.boolean(),
  sessions: z.int(),
  lastSeenAt: z.number().nullable(),
  usedBytes: z.number(),
  limitBytes: z.number(),
  /** Uses of what plans limit, on the current UTC day. */
  usedToday: z.array(z.object({ counter: z.enum([...COUNTED_LIMITS, "totalCardsStudied"]), count: z.int() })),
});
export type AccountDetails = z.infer<typeof AccountDetails>;

const AccountId = z.object({ id: z.string().min(1).max(100) });

export const accounts = {
  listAccounts: json({
    method: "GET",
    path: "/v1/admin/accounts",
    access: "admin",
    summary: "Accounts whose address begins with the words or whose id they are, or all, the newest first",
    input: PageCursor.extend({ q: z.string().trim().max(254).default("") }),
    output: z.object({ accounts: z.array(AdminAccount), next: z.string().nullable() }),
    fails: ["bad_input"],
  }),
  exportAccounts: stream({
    method: "GET",
    path: "/v1/admin/accounts.csv",
    access: "admin",
    rate: "generation",
    summary: "The same list as CSV, whole",
    plain: true,
    input: z.object({ q: z.string().trim().max(254).default("") }),
    event: z.string(),
    fails: ["bad_input"],
  }),
  getAccount: json({
    method: "GET",
    path: "/v1/admin/accounts/:id",
    access: "admin",
    summary: "One account: plan, sessions and storage, never what it contains",
    input: AccountId,
    output: z.object({ account: AccountDetails }),
    fails: ["not_found"],
  }),
  signOutAccount: json({
    method: "POST",
    path: "/v1/admin/accounts/:id/sign_out",
    access: "admin",
    summary: "End every session and every connected extension of an account",
    input: AccountId,
    output: z.object({ success: z.literal(true) }),
    fails: ["not_found"],
  }),
  makeResetLink: json({
    method: "POST",
    path: "/v1/admin/accounts/:id/reset_link",
    access: "admin",
    noStore: true,
    summary:
      "Send the owner of an account a link to set a new password, or answer with it where no mail server is set up, never with another administrator's; needs the administrator's own password",
    input: AccountId.extend({ password: z.string().max(1000).optional() }),
    /** Null if it was sent by mail. */
    output: z.object({ link: z.string().nullable() }),
    fails: ["not_found", "wrong_password", "sign_in_again", "forbidden", "unreachable"],
  }),
};
