import { retentionMs } from "#shared/retention.ts";
import type { user } from "#shared/user/contract.ts";
import { endAccountSessions } from "#api/http/sessions/end-sessions.ts";
import type { Ctx, Deps, Handlers, UserCtx } from "#api/http/handler.ts";
import { canvasIndexOf } from "#api/store/search/canvas-index.ts";
import { runRepeatedly } from "#api/jobs/repeated-task.ts";
import { type Own, ownedBy } from "#api/store/owned-store.ts";
import { requireAdministratorLeft } from "./last-administrator.ts";
import { listDueForDeletion, removeUser, saveUser } from "./store.ts";

/** Grace period in which a deleted account can be restored. */
const GRACE_PERIOD_MS = retentionMs("deletedAccount");
const INTERVAL_MS = 60 * 60 * 1000;

type EndSubscriptions = (ctx: Ctx, own: Own) => Promise<void>;

/**
 * Ends every session of an account and schedules its removal after the grace period; returns the time of removal.
 * `endSubscriptions` is called first, because an account that cannot be used must not be charged: while the payment
 * provider cannot be reached, the account is not deleted. The last administrator stays, even if two of them leave at
 * the same moment.
 */
export async function scheduleDeletion(ctx: Ctx, own: Own, endSubscriptions: EndSubscriptions): Promise<number> {
  await requireAdministratorLeft(ctx, own.ownerId);
  await endSubscriptions(ctx, own);
  const deleteAt = ctx.clock.now() + GRACE_PERIOD_MS;
  await saveUser(own, { deleteAt });
  try {
    await requireAdministratorLeft(ctx, own.ownerId);
  } catch (error) {
    await saveUser(own, { deleteAt: null });
    throw error;
  }
  await endAccountSessions(ctx.store, own.ownerId);
  return deleteAt;
}

/** `requireOwner` is passed in because sign-in uses this feature. */
export const createDeletionHandlers = (
  requireOwner: (ctx: UserCtx, password: string | undefined) => Promise<{ _id: string }>,
  endSubscriptions: EndSubscriptions,
): Pick<Handlers<typeof user>, "deleteAccount"> => ({
  async deleteAccount(ctx, { password }) {
    await requireOwner(ctx, password);
    return { deleteAt: await scheduleDeletion(ctx, ctx.own, endSubscriptions) };
  },
});

type DeletionDeps = Pick<Deps, "store" | "blobs" | "index" | "clock" | "jobs" | "settings" | "log" | "fetchOutside">;

/** Steps of other features, passed in because those features use this one. */
interface DeletionSteps {
  /** Removes files that no document refers to. */
  sweepFiles: (deps: DeletionDeps) => Promise<unknown>;
  /** Revokes the access to an account's connected services, and removes what was created there. */
  disconnectAll: (deps: DeletionDeps, own: Own) => Promise<void>;
}

/**
 * Removes accounts whose grace period is over, with all their data; returns how many. If one account fails, the others
 * are still removed, and the next run tries it again.
 */
export async function deleteDueAccounts(deps: DeletionDeps, steps: DeletionSteps): Promise<number> {
  const dueAccounts = await listDueForDeletion(deps.store, deps.clock.now());
  let removed = 0;
  for (const { _id } of dueAccounts)
    try {
      await removeAccount(deps, steps, _id);
      removed += 1;
    } catch (error) {
      deps.log.error({ err: error, userId: _id }, "could not delete an account");
    }
  // File contents may be shared between accounts; the sweep removes those that nobody refers to.
  if (removed > 0) await steps.sweepFiles(deps);
  return removed;
}

/** Removes an account; the account itself comes last, so that a repeat after a crash finishes the work. */
async function removeAccount(deps: DeletionDeps, steps: DeletionSteps, userId: string): Promise<void> {
  const { store, index, jobs } = deps;
  await endAccountSessions(store, userId);
  // A running job would write new data for the account.
  await jobs.cancelAll(userId);
  await steps.disconnectAll(deps, ownedBy(store, userId));
  await store.removeOwned(userId);
  // After the documents, so that an index that is being written from them cannot restore their text.
  await index.removeOwner(userId);
  await index.removeOwner(canvasIndexOf(userId));
  await removeUser(store, userId);
}

/** Deletes due accounts at intervals; returns a function that stops it. */
export const startAccountDeletion = (deps: Deps, steps: DeletionSteps): (() => void) =>
  runRepeatedly({
    intervalMs: INTERVAL_MS,
    log: deps.log,
    failureMessage: "could not delete accounts",
    async work() {
      const accounts = await deleteDueAccounts(deps, steps);
      if (accounts > 0) deps.log.info({ accounts }, "deleted due accounts");
    },
  });
