import { ulid } from "ulid";
import { Failure } from "#shared/contract/failure.ts";
import { isTimezone } from "#shared/user/rules.ts";
import { presentUser, type UserDoc } from "#api/kit/guard.ts";
import type { Ctx } from "#api/kit/handler.ts";
import { defaultPlanOf, isLoopbackHost, registrationOf } from "#api/kit/settings.ts";
import { creditReferral } from "#api/user/service.ts";
import { giveInviteBack, takeInvite } from "./invites-store.ts";
import { startSession } from "./sessions.ts";
import { changeUser, claimFirstAccount, saveUser } from "./store.ts";

const CLOSED = {
  closed: "registration_closed",
  invite: "registration_invited",
} as const;

interface NewAccount extends Pick<UserDoc, "name" | "email" | "passwordHash" | "authProvider"> {
  emailVerified: boolean;
  timezone: string | undefined;
  referralCode: string | undefined;
  inviteCode: string | undefined;
}

/** Makes an account where the operator lets it be made. `taken` where the address has one. */
export async function makeAccount(ctx: Ctx, wanted: NewAccount): Promise<UserDoc | "taken"> {
  const { inviteCode, timezone, referralCode, ...fields } = wanted;
  const user: UserDoc = {
    ...blankUser(ctx),
    ...fields,
    emailLower: fields.email.toLowerCase(),
    // An unknown zone is no reason to refuse an account: the student can set it later.
    timezone: timezone !== undefined && isTimezone(timezone) ? timezone : "UTC",
    referralCode: referralCode ?? null,
  };
  await requireAdmission(ctx, user, inviteCode);
  if ((await saveUser(ctx.store, user)) === "duplicate") {
    if (inviteCode !== undefined) await giveInviteBack(ctx.store, inviteCode, user._id);
    return "taken";
  }
  // On one's own machine there is nobody else to make the first account an administrator's.
  if (isLoopbackHost(ctx.settings.HOST) && (await claimFirstAccount(ctx.store, user._id))) {
    user.isAdmin = true;
    await changeUser(ctx.store, user._id, { isAdmin: true });
  }
  if (referralCode !== undefined)
    await creditReferral(ctx.store, { code: referralCode, newUserId: user._id, now: ctx.clock.now() });
  return user;
}

/** Lets in whoever the operator lets in; an invitation is taken by it. */
async function requireAdmission(ctx: Ctx, user: UserDoc, inviteCode: string | undefined): Promise<void> {
  const registration = registrationOf(ctx.settings);
  if (registration === "open") return;
  const { _id: userId, emailLower } = user;
  const isInvited =
    registration === "invite" &&
    inviteCode !== undefined &&
    (await takeInvite(ctx.store, inviteCode, { userId, emailLower, now: ctx.clock.now() }));
  if (!isInvited) throw new Failure("registration_closed", CLOSED[registration]);
}

/** Signs an account in; one that was to be deleted is back with it. */
export async function enterAccount(ctx: Ctx, user: UserDoc) {
  const isBack = typeof user.deleteAt === "number";
  if (isBack) await changeUser(ctx.store, user._id, { deleteAt: null });
  const token = await startSession(ctx, user._id);
  return { user: presentUser(ctx.settings, user), token, ...(isBack && { restored: true }) };
}

/** An account whose days to come back are over is gone, whether it was swept already or not. */
export const isGone = (user: UserDoc, now: number) => typeof user.deleteAt === "number" && user.deleteAt <= now;

function blankUser({ clock, settings }: Ctx): UserDoc {
  return {
    _id: ulid(),
    name: "",
    email: "",
    emailLower: "",
    passwordHash: null,
    timezone: "UTC",
    profilePictureUrl: null,
    seenFeatures: [],
    onboardingComplete: false,
    plan: { type: defaultPlanOf(settings), endAt: null, paused: false, pausedUntil: null },
    authProvider: "EMAIL_PASSWORD",
    isAdmin: false,
    emailVerified: false,
    deleteAt: null,
    referralCode: null,
    createdAt: clock.now(),
  };
}
