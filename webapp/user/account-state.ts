import type { SignInOptions, SessionInfo } from "#shared/auth/contract.ts";
import { NoResponseError } from "#shared/client/client.ts";
import { toFailureMessage } from "#shared/client/failure-messages.ts";
import { Failure, type FailureCode } from "#shared/contract/failure.ts";
import { t } from "#shared/messages/translate.ts";
import { MAX_PICTURE_BYTES } from "#shared/user/contract.ts";
import type { AccountImportReport, User } from "#shared/user/schema.ts";
import { accountAtom, accountIdAtom } from "#webapp/app/session/account-atom.ts";
import { loadForAccount } from "#webapp/app/session/load-for-account.ts";
import { notify } from "#webapp/app/alerts.ts";
import { client } from "#webapp/app/client.ts";
import { logWarning } from "#webapp/app/log.ts";
import { saveFile } from "#webapp/app/browser/save-file.ts";
import { setSigningOut, renew, setUser, updateUser, userAtom } from "#webapp/app/session/session.ts";
import { store } from "#webapp/app/store.ts";

/** Error codes with a specific message on this screen. */
const messageByCode: Partial<Record<FailureCode, () => string>> = {
  wrong_password: () => t("account.password_wrong"),
  sign_in_again: () => t("account.sign_in_again"),
  already_exists: () => t("account.email_taken"),
  not_configured: () => t("account.mail_unset"),
  too_many_requests: () => t("auth.rate_limited"),
  unreachable: () => t("account.mail_failed"),
};

const errorMessage = (error: unknown): string =>
  (error instanceof Failure && messageByCode[error.code]?.()) ||
  (toFailureMessage(error)?.message ?? t("failures.other"));

/** Runs a call; resolves to an error message, or undefined on success. */
async function toErrorMessage(work: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    return errorMessage(error);
  }
}

const passwordInput = (password: string) => (password === "" ? {} : { password });

export const changePassword = (password: string, newPassword: string) =>
  toErrorMessage(async () => {
    await client.auth.changePassword({ ...passwordInput(password), newPassword });
    await renew();
    notify({ message: t("account.password_done"), type: "success" });
  });

export const changeEmail = (email: string, password: string) =>
  toErrorMessage(async () => {
    const { changed, user } = await client.auth.changeEmail({ email, ...passwordInput(password) });
    if (changed) updateUser(user);
    notify({ message: t(changed ? "account.email_changed" : "account.email_sent", { email }), type: "success" });
  });

export async function sendVerification(email: string): Promise<void> {
  const errorText = await toErrorMessage(() => client.auth.sendVerification({}));
  notify(
    errorText === undefined
      ? { message: t("account.verify_sent", { email }), type: "success" }
      : { message: errorText, type: "error" },
  );
}

/** Returns the deletion date, or an error message. */
export async function deleteAccount(password: string): Promise<{ deleteAt: number } | { error: string }> {
  // Set first, because other calls of this window fail once the tokens expire, which is before the response arrives.
  setSigningOut(true);
  try {
    return await client.user.deleteAccount(passwordInput(password));
  } catch (error) {
    setSigningOut(false);
    // Here "unreachable" means that the subscription could not be cancelled. In all other calls it is about mail.
    if (error instanceof Failure && error.code === "unreachable") return { error: error.message };
    return { error: errorMessage(error) };
  }
}

export type Sessions = readonly SessionInfo[] | "loading" | "failed";
export const sessionsAtom = accountAtom<Sessions>("loading");

export const loadSessions = (): Promise<void> =>
  loadForAccount(
    () => client.auth.listSessions({}),
    ({ sessions }) => store.set(sessionsAtom, sessions),
    (error) => {
      logWarning("Failed to load sessions", error);
      store.set(sessionsAtom, "failed");
    },
  );

async function runWithNotice(work: () => Promise<unknown>): Promise<boolean> {
  const errorText = await toErrorMessage(work);
  if (errorText !== undefined) notify({ message: errorText, type: "error" });
  return errorText === undefined;
}

export const endSession = (id: string) => runWithNotice(() => client.auth.removeSession({ id }));
export const endOtherSessions = () => runWithNotice(() => client.auth.removeOtherSessions({}));

export async function uploadPicture(file: File): Promise<void> {
  const accountId = store.get(accountIdAtom);
  try {
    if (file.size > MAX_PICTURE_BYTES) throw new Error("too large");
    const { location } = await client.user.uploadProfilePicture({}, [{ field: "image", file, name: file.name }]);
    // The account may have been changed, or signed out, during the upload.
    const user = store.get(userAtom);
    if (user && user._id === accountId) setUser({ ...user, profilePictureUrl: location });
  } catch (error) {
    logWarning("Failed to upload profile picture", error);
    notify({ message: t("account.picture_failed"), type: "error" });
  }
}

export async function removePicture(): Promise<void> {
  await runWithNotice(async () => updateUser((await client.user.removeProfilePicture({})).user));
}

async function download(name: string, createArchive: () => Promise<Blob>, extension = "zip"): Promise<void> {
  try {
    saveFile(await createArchive(), `${name}-${new Date().toISOString().slice(0, 10)}.${extension}`);
  } catch (error) {
    logWarning("Failed to export", error);
    const hasServerMessage = error instanceof Failure && (error.code === "not_found" || error.code === "too_large");
    const message = error instanceof NoResponseError ? errorMessage(error) : t("account.export_failed");
    notify({ message: hasServerMessage ? error.message : message, type: "error" });
  }
}

const EXPORT_OPTIONS = { idleTimeoutMs: 600_000 };

export const downloadEverything = () => download("lamplight", () => client.user.exportAccount({}, EXPORT_OPTIONS));

/** Pages only, in a format other apps can read. */
export const downloadNotes = () => download("lamplight-notes", () => client.pages.exportPages({}, EXPORT_OPTIONS));

/** Every deck as one Anki collection. */
export const downloadCollection = (form: "old" | "new") =>
  download("lamplight-decks", () => client.flashcards.exportDecks({ form }, EXPORT_OPTIONS), "colpkg");

/** Imports an exported account; undefined after a failure, which is shown to the student. */
export async function importAccountFile(file: File): Promise<AccountImportReport | undefined> {
  try {
    return await client.user.importAccount({}, [{ field: "file", file, name: file.name }]);
  } catch (error) {
    logWarning("Failed to import", error);
    const isInvalidFile = error instanceof Failure && error.code === "invalid_file";
    notify({ message: isInvalidFile ? error.message : t("account.import_failed"), type: "error" });
    return undefined;
  }
}

export const signInMethodsAtom = accountAtom<SignInOptions | null>(null);

export const loadSignInMethods = (): Promise<void> =>
  loadForAccount(
    () => client.auth.getEntry({}),
    (entry) => store.set(signInMethodsAtom, entry),
    (error) => logWarning("Failed to load the sign-in methods", error),
  );

export const referralAtom = accountAtom<{ link: string; credited: number } | null>(null);

export const loadReferral = (): Promise<void> =>
  loadForAccount(
    () => client.user.getReferral({}),
    (referral) => store.set(referralAtom, referral),
    (error) => logWarning("Failed to load the referral link", error),
  );

export async function copyLink(link: string): Promise<void> {
  if (await runWithNotice(() => navigator.clipboard.writeText(link)))
    notify({ message: t("account.invite_copied"), type: "success" });
}

export const hasPicture = (user: User): boolean => user.profilePictureUrl !== null;
