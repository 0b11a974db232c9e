import type { Ctx } from "#api/http/handler.ts";
import { buildInviteLink, createInvite } from "./invites.ts";
import { createResetLink } from "./recovery.ts";
import { endAccountSessions } from "#api/http/sessions/end-sessions.ts";
import { changeUser, findUserByEmail } from "./store.ts";

type AuthDeps = Pick<Ctx, "store" | "clock" | "settings">;

/** Creates a password-reset link for the operator; undefined if no account has the address. */
export async function createResetLinkFor(deps: AuthDeps, email: string): Promise<string | undefined> {
  const user = await findUserByEmail(deps.store, email);
  return user && createResetLink(deps, user);
}

/** Grants or revokes administrator rights; false if no account has the address. */
export async function grantAdmin({ store }: AuthDeps, email: string, isAdmin: boolean): Promise<boolean> {
  const user = await findUserByEmail(store, email);
  return Boolean(user && (await changeUser(store, user._id, { isAdmin })));
}

/** Ends all sessions of an account; false if no account has the address. */
export async function endAllSessions({ store }: AuthDeps, email: string): Promise<boolean> {
  const user = await findUserByEmail(store, email);
  if (user) await endAccountSessions(store, user._id);
  return user !== undefined;
}

export const createInviteLink = async (deps: AuthDeps, email: string | undefined): Promise<string> =>
  buildInviteLink(deps.settings, (await createInvite(deps, email))._id);
