import { z } from "zod";
import { json } from "#shared/contract/endpoint.ts";
import { PlanType } from "#shared/user/schema.ts";

const AccountId = z.object({ id: z.string().min(1).max(100) });
const Done = z.object({ success: z.literal(true) });
/** The administrator's own. */
const OwnPassword = z.object({ password: z.string().max(1000).optional() });

export const accountActions = {
  setAccountPlan: json({
    method: "POST",
    path: "/v1/admin/accounts/:id/plan",
    access: "admin",
    summary: "Give an account a plan without a payment; a subscription that is worth more goes before it",
    /** The plan lasts to the end of the UTC day `until`; null means without an end. */
    input: AccountId.extend({ type: PlanType, until: z.iso.date().nullable() }),
    output: z.object({ plan: PlanType }),
    fails: ["not_found", "bad_input"],
  }),
  disableAccount: json({
    method: "POST",
    path: "/v1/admin/accounts/:id/disable",
    access: "admin",
    summary: "End every session of an account and refuse new ones; needs the administrator's own password",
    input: AccountId.extend(OwnPassword.shape),
    output: Done,
    fails: ["not_found", "wrong_password", "sign_in_again", "forbidden"],
  }),
  enableAccount: json({
    method: "POST",
    path: "/v1/admin/accounts/:id/enable",
    access: "admin",
    summary: "Let a disabled account sign in again",
    input: AccountId,
    output: Done,
    fails: ["not_found"],
  }),
  demoteAdmin: json({
    method: "POST",
    path: "/v1/admin/accounts/:id/demote",
    access: "admin",
    summary:
      "Take an administrator's rights away, never one's own or those of an address in ADMIN_EMAILS; needs the administrator's own password",
    input: AccountId.extend(OwnPassword.shape),
    output: Done,
    fails: ["not_found", "wrong_password", "sign_in_again", "forbidden"],
  }),
  removeAccount: json({
    method: "POST",
    path: "/v1/admin/accounts/:id/delete",
    access: "admin",
    summary:
      "Cancel an account's payments, end its sessions and delete it after the grace period, as if its owner had asked for it; needs the administrator's own password",
    input: AccountId.extend(OwnPassword.shape),
    output: z.object({ deleteAt: z.number() }),
    fails: ["not_found", "wrong_password", "sign_in_again", "forbidden", "unreachable"],
  }),
  restoreAccount: json({
    method: "POST",
    path: "/v1/admin/accounts/:id/restore",
    access: "admin",
    summary: "Cancel a scheduled deletion within the grace period",
    input: AccountId,
    output: Done,
    fails: ["not_found"],
  }),
};
