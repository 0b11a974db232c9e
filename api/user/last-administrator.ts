import { Failure } from "#shared/contract/failure.ts";
import { isAdmin, isDisabled, listAdminEmails, type UserDoc, users } from "#api/http/authenticate.ts";
import type { Ctx } from "#api/http/handler.ts";

type AdminDeps = Pick<Ctx, "store" | "settings">;

/** Whether another active account can administer the instance, by its own right or by the settings. */
async function hasOtherAdministrator({ store, settings }: AdminDeps, userId: string): Promise<boolean> {
  const accounts = store.collection(users);
  const [byRight, bySetting] = await Promise.all([
    accounts.find({ isAdmin: true }),
    accounts.find({ emailLower: { in: listAdminEmails(settings) } }),
  ]);
  const isActive = (user: UserDoc) => isAdmin(settings, user) && !isDisabled(user) && typeof user.deleteAt !== "number";
  return [...byRight, ...bySetting].some((user) => user._id !== userId && isActive(user));
}

/**
 * Refuses to delete the last administrator while other accounts exist, because nobody could administer them. The only
 * account of an instance may be deleted.
 */
export async function requireAdministratorLeft(deps: AdminDeps, userId: string): Promise<void> {
  const accounts = deps.store.collection(users);
  const user = await accounts.get(userId);
  if (!user || !isAdmin(deps.settings, user) || (await hasOtherAdministrator(deps, userId))) return;
  const found = await accounts.find({}, { limit: 2, fields: ["_id"] });
  if (found.some(({ _id }) => _id !== userId)) throw new Failure("forbidden", "last_administrator_leaves");
}
