import { monotonicFactory } from "ulid";
import type { AuditEntry, AuditFilter } from "#shared/admin/instance-contract.ts";
import type { UserCtx } from "#api/http/handler.ts";
import type { CollectionSpec, DocumentStore } from "#api/store/port.ts";

/** Also orders ids that are created in the same millisecond. */
const createId = monotonicFactory();

/** Append-only. Accounts appear by id, so an entry may outlive the account. */
const auditEntries: CollectionSpec<AuditEntry> = {
  name: "admin_audit",
  shardKey: "_id",
  indexes: [{ fields: ["action", "_id"] }],
};

type ActionContext = Pick<UserCtx, "store" | "clock"> & { caller: Pick<UserCtx["caller"], "userId" | "email"> };

/** Call before the action, so that no action is missed. An action that fails afterwards is recorded too. */
export async function recordAction(ctx: ActionContext, action: AuditEntry["action"], target: string): Promise<void> {
  const { userId: adminId, email: adminEmail } = ctx.caller;
  const at = ctx.clock.now();
  await ctx.store.collection(auditEntries).insert({ _id: createId(at), at, adminId, adminEmail, action, target });
}

/** The newest first. */
export const listActions = (
  store: DocumentStore,
  { action }: AuditFilter,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<AuditEntry[]> =>
  store
    .collection(auditEntries)
    .find(
      { ...(action !== undefined && { action }), ...(after !== undefined && { _id: { lt: after } }) },
      { order: [["_id", "desc"]], limit },
    );
