import type { Entry, Invite, SessionInfo } from "#shared/auth/contract.ts";
import { NoAnswer } from "#shared/client/client.ts";
import { friendlyFailure } from "#shared/client/failures.ts";
import { Failure, type FailureCode } from "#shared/contract/failure.ts";
import { t } from "#shared/messages/translate.ts";
import { MAX_PICTURE_BYTES } from "#shared/user/contract.ts";
import type { ImportReport, User } from "#shared/user/schema.ts";
import { accountAtom } from "#webapp/app/session/account-atom.ts";
import { notify } from "#webapp/app/alerts.ts";
import { client } from "#webapp/app/client.ts";
import { logTrouble } from "#webapp/app/log.ts";
import { saveFile } from "#webapp/app/browser/save-file.ts";
import { noteLeaving, renew, setUser, userAtom } from "#webapp/app/session/session.ts";
import { store } from "#webapp/app/store.ts";

/** Error codes with a specific message on this screen. */
const words: Partial<Record<FailureCode, () => string>> = {
  wrong_password: () => t("account.password_wrong"),
  sign_in_again: () => t("account.sign_in_again"),
  already_exists: () => t("account.email_taken"),
  not_configured: () => t("account.mail_unset"),
  too_many_requests: () => t("auth.rate_limited"),
  unreachable: () => t("account.mail_failed"),
};

const saidOf = (error: unknown): string =>
  (error instanceof Failure && words[error.code]?.()) || (friendlyFailure(error)?.message ?? t("failures.other"));

/** Runs a call; resolves to an error message, or undefined on success. */
async function tried(work: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    return saidOf(error);
  }
}

const withPassword = (password: string) => (password === "" ? {} : { password });

export const changePassword = (password: string, newPassword: string) =>
  tried(async () => {
    await client.auth.changePassword({ ...withPassword(password), newPassword });
    await renew();
    notify({ message: t("account.password_done"), type: "success" });
  });

export const changeEmail = (email: string, password: string) =>
  tried(async () => {
    const { changed, user } = await client.auth.changeEmail({ email, ...withPassword(password) });
    if (changed) setUser(user);
    notify({ message: t(changed ? "account.email_changed" : "account.email_sent", { email }), type: "success" });
  });

export async function sendVerification(email: string): Promise<void> {
  const fault = await tried(() => client.auth.sendVerification({}));
  notify(
    fault === undefined
      ? { message: t("account.verify_sent", { email }), type: "success" }
      : { message: fault, type: "error" },
  );
}

/** Returns the deletion date, or an error message. */
export async function deleteAccount(password: string): Promise<{ deleteAt: number } | { fault: string }> {
  // The tokens expire before the response arrives, and other calls of this window notice it.
  noteLeaving(true);
  try {
    return await client.user.deleteAccount(withPassword(password));
  } catch (error) {
    noteLeaving(false);
    return { fault: saidOf(error) };
  }
}

export type Sessions = readonly SessionInfo[] | "loading" | "failed";
export const sessionsAtom = accountAtom<Sessions>("loading");

export async function loadSessions(): Promise<void> {
  try {
    store.set(sessionsAtom, (await client.auth.listSessions({})).sessions);
  } catch (error) {
    logTrouble("Failed to load sessions", error);
    store.set(sessionsAtom, "failed");
  }
}

async function orNotice(work: () => Promise<unknown>): Promise<boolean> {
  const fault = await tried(work);
  if (fault !== undefined) notify({ message: fault, type: "error" });
  return fault === undefined;
}

export const endSession = (id: string) => orNotice(() => client.auth.removeSession({ id }));
export const endOtherSessions = () => orNotice(() => client.auth.removeOtherSessions({}));

export async function uploadPicture(file: File): Promise<void> {
  const user = store.get(userAtom);
  try {
    if (file.size > MAX_PICTURE_BYTES) throw new Error("too large");
    const { location } = await client.user.uploadProfilePicture({}, [{ field: "image", file, name: file.name }]);
    if (user) setUser({ ...user, profilePictureUrl: location });
  } catch (error) {
    logTrouble("Failed to upload profile picture", error);
    notify({ message: t("account.picture_failed"), type: "error" });
  }
}

export async function removePicture(): Promise<void> {
  await orNotice(async () => setUser((await client.user.removeProfilePicture({})).user));
}

async function download(name: string, pack: () => Promise<Blob>, ending = "zip"): Promise<void> {
  try {
    saveFile(await pack(), `${name}-${new Date().toISOString().slice(0, 10)}.${ending}`);
  } catch (error) {
    logTrouble("Failed to export", error);
    const isToldWhy = error instanceof Failure && (error.code === "not_found" || error.code === "too_large");
    const message = error instanceof NoAnswer ? saidOf(error) : t("account.export_failed");
    notify({ message: isToldWhy ? error.message : message, type: "error" });
  }
}

const PACKING = { silenceMs: 600_000 };

export const downloadEverything = () => download("lamplight", () => client.user.exportAccount({}, PACKING));

/** Pages only, in a format other apps can read. */
export const downloadNotes = () => download("lamplight-notes", () => client.pages.exportPages({}, PACKING));

/** Every deck as one Anki collection. */
export const downloadCollection = (form: "old" | "new") =>
  download("lamplight-decks", () => client.flashcards.exportDecks({ form }, PACKING), "colpkg");

/** Undefined if the file was refused; a notice has been shown. */
export async function bringIn(file: File): Promise<ImportReport | undefined> {
  try {
    return await client.user.importAccount({}, [{ field: "file", file, name: file.name }]);
  } catch (error) {
    logTrouble("Failed to import", error);
    const isJudged = error instanceof Failure && error.code === "invalid_file";
    notify({ message: isJudged ? error.message : t("account.import_failed"), type: "error" });
    return undefined;
  }
}

export const invitesAtom = accountAtom<readonly Invite[]>([]);

export async function loadInvites(): Promise<void> {
  try {
    store.set(invitesAtom, (await client.auth.listInvites({})).invites);
  } catch (error) {
    logTrouble("Failed to load invitations", error);
  }
}

export async function makeInvite(email: string): Promise<Invite | undefined> {
  let made: Invite | undefined;
  await orNotice(async () => {
    const to = email.trim();
    const { invite, mailed } = await client.auth.createInvite(to === "" ? {} : { email: to });
    made = invite;
    if (mailed) notify({ message: t("account.invite_mailed"), type: "success" });
    else if (to !== "") notify({ message: t("account.invite_unmailed"), type: "info" });
  });
  return made;
}

export const removeInvite = (id: string) => orNotice(() => client.auth.removeInvite({ id }));

export const waysInAtom = accountAtom<Entry | null>(null);

export async function loadWaysIn(): Promise<void> {
  try {
    store.set(waysInAtom, await client.auth.getEntry({}));
  } catch (error) {
    logTrouble("Failed to load the sign-in methods", error);
  }
}

export const referralAtom = accountAtom<{ link: string; credited: number } | null>(null);

export async function loadReferral(): Promise<void> {
  try {
    store.set(referralAtom, await client.user.getReferral({}));
  } catch (error) {
    logTrouble("Failed to load the referral link", error);
  }
}

export async function copyLink(link: string): Promise<void> {
  await orNotice(() => navigator.clipboard.writeText(link));
  notify({ message: t("account.invite_copied"), type: "success" });
}

export const hasPicture = (user: User): boolean => user.profilePictureUrl !== null;
