import type { Ctx } from "#api/http/handler.ts";
import { inviteLink, makeInvite } from "./invites.ts";
import { makeResetLink } from "./recovery.ts";
import { changeUser, findUserByEmail, removeAllTokens } from "./store.ts";

export { requireOwner } from "./sessions.ts";

type Parts = Pick<Ctx, "store" | "clock" | "settings">;

/** Creates a password-reset link for the operator; undefined if no account has the address. */
export async function resetByLink(parts: Parts, email: string): Promise<string | undefined> {
  const user = await findUserByEmail(parts.store, email);
  return user && makeResetLink(parts, user);
}

/** Grants or revokes administrator rights; false if no account has the address. */
export async function grantAdmin({ store }: Parts, email: string, isAdmin: boolean): Promise<boolean> {
  const user = await findUserByEmail(store, email);
  return Boolean(user && (await changeUser(store, user._id, { isAdmin })));
}

/** Ends all sessions of an account; false if no account has the address. */
export async function signOutEverywhere({ store }: Parts, email: string): Promise<boolean> {
  const user = await findUserByEmail(store, email);
  if (user) await removeAllTokens(store, user._id);
  return user !== undefined;
}

export const inviteByLink = async (parts: Parts, email: string | undefined): Promise<string> =>
  inviteLink(parts.settings, (await makeInvite(parts, email))._id);
