import { ulid } from "ulid";
import { Failure } from "#shared/contract/failure.ts";
import { isTimezone } from "#shared/user/days.ts";
import { seenByNewAccounts } from "#shared/marketing/announcements.ts";
import { isDisabled, presentUser, type UserDoc } from "#api/http/authenticate.ts";
import type { Ctx } from "#api/http/handler.ts";
import { getDefaultPlan, getRegistrationMode, isLocalOnly } from "#api/settings.ts";
import { creditReferral } from "#api/user/referrals.ts";
import { releaseInvite, claimInvite } from "./invites-store.ts";
import { startSession } from "./sessions.ts";
import { changeUser, claimFirstAccount, saveUser } from "./store.ts";

const CLOSED_MESSAGES = {
  closed: "registration_closed",
  invite: "registration_invited",
} as const;

interface NewAccount extends Pick<UserDoc, "name" | "email" | "passwordHash" | "authProvider"> {
  emailVerified: boolean;
  timezone: string | undefined;
  referralCode: string | undefined;
  inviteCode: string | undefined;
}

/** Creates an account if the operator's settings allow it. Returns `taken` if the email address is in use. */
export async function createAccount(ctx: Ctx, newAccount: NewAccount): Promise<UserDoc | "taken"> {
  const { inviteCode, timezone, referralCode, ...fields } = newAccount;
  const user: UserDoc = {
    ...createBlankUser(ctx),
    ...fields,
    emailLower: fields.email.toLowerCase(),
    // An unknown time zone does not block registration, because the student can set it later.
    timezone: timezone !== undefined && isTimezone(timezone) ? timezone : "UTC",
    referralCode: referralCode ?? null,
  };
  await requireAdmission(ctx, user, inviteCode);
  if ((await saveUser(ctx.store, user)) === "duplicate") {
    if (inviteCode !== undefined) await releaseInvite(ctx.store, inviteCode, user._id);
    return "taken";
  }
  // On a personal machine only the operator can create the first account, so it becomes administrator. Elsewhere,
  // ADMIN_EMAILS names the administrators.
  if (isLocalOnly(ctx.settings) && (await claimFirstAccount(ctx.store, user._id))) {
    user.isAdmin = true;
    await changeUser(ctx.store, user._id, { isAdmin: true });
  }
  if (referralCode !== undefined)
    await creditReferral(ctx.store, { code: referralCode, newUserId: user._id, now: ctx.clock.now() });
  return user;
}

/** Checks the registration policy; uses up the invitation if one is needed. */
async function requireAdmission(ctx: Ctx, user: UserDoc, inviteCode: string | undefined): Promise<void> {
  const registration = getRegistrationMode(ctx.settings);
  if (registration === "open") return;
  const { _id: userId, emailLower } = user;
  const isInvited =
    registration === "invite" &&
    inviteCode !== undefined &&
    (await claimInvite(ctx.store, inviteCode, { userId, emailLower, now: ctx.clock.now() }));
  if (!isInvited) throw new Failure("registration_closed", CLOSED_MESSAGES[registration]);
}

/** Signs in; cancels a scheduled deletion of the account. */
export async function signIn(ctx: Ctx, user: UserDoc) {
  if (isDisabled(user)) throw new Failure("forbidden", "account_disabled");
  const isRestored = typeof user.deleteAt === "number";
  if (isRestored) await changeUser(ctx.store, user._id, { deleteAt: null });
  const token = await startSession(ctx, user);
  return { user: presentUser(ctx.settings, user), token, ...(isRestored && { restored: true }) };
}

/** True once the grace period of a deleted account is over, even before the sweep has removed it. */
export const isDeletionDue = (user: UserDoc, now: number) => typeof user.deleteAt === "number" && user.deleteAt <= now;

function createBlankUser({ clock, settings }: Ctx): UserDoc {
  return {
    _id: ulid(),
    name: "",
    email: "",
    emailLower: "",
    passwordHash: null,
    timezone: "UTC",
    profilePictureUrl: null,
    seenFeatures: seenByNewAccounts(),
    onboardingComplete: false,
    plan: { type: getDefaultPlan(settings), endAt: null, paused: false, pausedUntil: null },
    authProvider: "EMAIL_PASSWORD",
    isAdmin: false,
    emailVerified: false,
    deleteAt: null,
    referralCode: null,
    createdAt: clock.now(),
  };
}
