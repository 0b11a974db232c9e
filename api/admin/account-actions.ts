import type { accountActions } from "#shared/admin/account-actions-contract.ts";
import { type AccessAction, accessRefusalFor } from "#shared/admin/rules.ts";
import { Failure } from "#shared/contract/failure.ts";
import { endOfUtcDay } from "#shared/user/days.ts";
import type { PlanType } from "#shared/user/schema.ts";
import { isAdmin, isAdminBySetting, type UserDoc, users } from "#api/http/authenticate.ts";
import type { Handlers, UserCtx } from "#api/http/handler.ts";
import { endAccountSessions } from "#api/http/sessions/end-sessions.ts";
import { type Own, ownedBy } from "#api/store/owned-store.ts";
import { recordAction } from "./audit-log.ts";
import { requireAccount } from "./require-account.ts";

/** What these actions need from other features, passed in by `api/handlers.ts`. */
export interface AccountActionDeps {
  /** Checks the administrator's own password, or that the sign-in is recent if the account has no password. */
  requireOwner: (ctx: UserCtx, password: string | undefined) => Promise<unknown>;
  grantPlan: (
    ctx: UserCtx,
    grant: { email: string; type: PlanType; endAt: number | null },
  ) => Promise<{ type: PlanType } | undefined>;
  /** Schedules the deletion, as the owner can; returns when the account will be removed (epoch ms). */
  scheduleDeletion: (ctx: UserCtx, own: Own) => Promise<number>;
}

async function requireAllowed(ctx: UserCtx, action: AccessAction, id: string): Promise<void> {
  const { settings, caller } = ctx;
  const user = await requireAccount(ctx, id);
  const refusal = accessRefusalFor(action, {
    isSelf: id === caller.userId,
    isAdmin: isAdmin(settings, user),
    isAdminBySetting: isAdminBySetting(settings, user),
  });
  if (refusal !== undefined) throw new Failure("forbidden", refusal);
}

/**
 * Two administrators may demote each other at the same time. If the caller has lost their own rights meanwhile, the
 * demotion is undone, so that one administrator always remains.
 */
async function demote(ctx: UserCtx, id: string): Promise<void> {
  await changeAccount(ctx, id, { isAdmin: false });
  if (isAdmin(ctx.settings, await requireAccount(ctx, ctx.caller.userId))) return;
  await changeAccount(ctx, id, { isAdmin: true });
  throw new Failure("forbidden", "last_administrator");
}

type Changeable = "disabledAt" | "deleteAt" | "isAdmin";

const changeAccount = ({ store }: UserCtx, id: string, set: Partial<Pick<UserDoc, Changeable>>) =>
  store.collection(users).patch({ _id: id }, { set });

export const createAccountActionHandlers = ({
  requireOwner,
  grantPlan,
  scheduleDeletion,
}: AccountActionDeps): Handlers<typeof accountActions> => ({
  async setAccountPlan(ctx, { id, type, until }) {
    const { email } = await requireAccount(ctx, id);
    const endAt = until === null ? null : endOfUtcDay(until);
    if (endAt === undefined) throw new Failure("bad_input", "something_missing");
    await recordAction(ctx, "set_plan", id);
    const plan = await grantPlan(ctx, { email, type, endAt });
    if (!plan) throw new Failure("not_found", "no_account");
    return { plan: plan.type };
  },

  async disableAccount(ctx, { id, password }) {
    await requireOwner(ctx, password);
    await requireAllowed(ctx, "disable", id);
    await recordAction(ctx, "disable_account", id);
    await changeAccount(ctx, id, { disabledAt: ctx.clock.now() });
    await endAccountSessions(ctx.store, id);
    return { success: true };
  },

  async enableAccount(ctx, { id }) {
    await requireAccount(ctx, id);
    await recordAction(ctx, "enable_account", id);
    await changeAccount(ctx, id, { disabledAt: null });
    return { success: true };
  },

  async demoteAdmin(ctx, { id, password }) {
    await requireOwner(ctx, password);
    await requireAllowed(ctx, "demote", id);
    await recordAction(ctx, "demote_admin", id);
    await demote(ctx, id);
    return { success: true };
  },

  async removeAccount(ctx, { id, password }) {
    await requireOwner(ctx, password);
    await requireAllowed(ctx, "delete", id);
    await recordAction(ctx, "delete_account", id);
    return { deleteAt: await scheduleDeletion(ctx, ownedBy(ctx.store, id)) };
  },

  async restoreAccount(ctx, { id }) {
    await requireAccount(ctx, id);
    await recordAction(ctx, "restore_account", id);
    await changeAccount(ctx, id, { deleteAt: null });
    return { success: true };
  },
});
