import type { AdminAccess, accesses } from "#shared/admin/access-log-contract.ts";
import type { RatingDoc } from "#api/feedback/ratings.ts";
import type { Handlers, UserCtx } from "#api/http/handler.ts";
import { ownedBy } from "#api/store/owned-store.ts";
import type { CollectionSpec, OwnedDoc } from "#api/store/port.ts";
import { PAGE_SIZE, toPage } from "#api/store/paging/to-page.ts";

/** Owned by the student whose content was read, and listed in their settings. `_id` begins with the day. */
interface AccessDoc extends OwnedDoc, Omit<AdminAccess, "_id"> {
  target: string;
}

const adminAccesses: CollectionSpec<AccessDoc> = {
  name: "admin_accesses",
  shardKey: "ownerId",
  indexes: [{ fields: ["ownerId", "_id"] }],
};

/**
 * Call it before the content is sent, so that no access is missed. Records one access for each administrator, target
 * and day.
 */
export async function recordAccess(
  { store, clock, caller }: UserCtx,
  ownerId: string,
  { kind, target }: Pick<AccessDoc, "kind" | "target">,
): Promise<void> {
  const at = clock.now();
  const _id = `${new Date(at).toISOString().slice(0, 10)}:${caller.userId}:${target}`;
  await ownedBy(store, ownerId).in(adminAccesses).insert({ _id, at, kind, target, adminEmail: caller.email });
}

/**
 * Records access to the shown ratings whose text the student shared. The inserts start together, so that they share one
 * commit.
 */
export async function recordRatingAccess(ctx: UserCtx, shown: readonly RatingDoc[]): Promise<void> {
  const shared = shown.filter(({ text }) => text !== "");
  await Promise.all(
    shared.map(({ _id: target, ownerId, kind }) => recordAccess(ctx, ownerId, { kind: `shared_${kind}`, target })),
  );
}

export const accessLogHandlers: Handlers<typeof accesses> = {
  async listAccesses({ own }, { after }) {
    const found = await own
      .in(adminAccesses)
      .find(after === undefined ? {} : { _id: { lt: after } }, { order: [["_id", "desc"]], limit: PAGE_SIZE + 1 });
    const { items, next } = toPage(found, ({ _id }) => _id);
    return { accesses: items.map(({ _id, at, kind, adminEmail }) => ({ _id, at, kind, adminEmail })), next };
  },
};
