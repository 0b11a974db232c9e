import { z } from "zod";
import { Failure, type FailureCode } from "#shared/contract/failure.ts";
import { toFailureMessage } from "#shared/client/failure-messages.ts";
import { MIN_PASSWORD_LENGTH } from "#shared/auth/contract.ts";
import { t } from "#shared/messages/translate.ts";
import { notify } from "#webapp/app/alerts.ts";
import { visitorLanguage } from "#webapp/app/browser/language.ts";
import { client } from "#webapp/app/client.ts";
import { changePreferences } from "#webapp/app/preferences.ts";
import { completeSignIn } from "#webapp/app/session/session.ts";
import { readReferral } from "#webapp/app/session/referral.ts";

export interface AuthFormValues {
  name: string;
  email: string;
  password: string;
}

/** Errors by field. `all` is an error of the whole form. */
export type AuthFormErrors = Partial<Record<keyof AuthFormValues | "all", string>>;

const ADDRESS = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

export function validateSignIn({ email, password }: AuthFormValues): AuthFormErrors {
  return {
    ...validateEmail(email),
    ...(password === "" && { password: t("auth.password_missing") }),
  };
}

export function validateRegistration(values: AuthFormValues): AuthFormErrors {
  const { name, email, password } = values;
  return {
    ...(name.trim() === "" && { name: t("auth.name_missing") }),
    ...validateEmail(email),
    ...(password.length < MIN_PASSWORD_LENGTH && {
      password: t("auth.password_short", { count: MIN_PASSWORD_LENGTH }),
    }),
  };
}

export function validateEmail(email: string): AuthFormErrors {
  if (email.trim() === "") return { email: t("auth.email_missing") };
  return ADDRESS.test(email.trim()) ? {} : { email: t("auth.email_invalid") };
}

/** The invitation code in the address. */
export const readInvite = () => new URLSearchParams(location.search).get("invite") ?? undefined;

/** Resolves to errors by field; empty on success. */
export async function signIn({ email, password }: AuthFormValues): Promise<AuthFormErrors> {
  try {
    const answer = await client.auth.login({ email, password });
    await completeSignIn(answer);
    if (answer.restored) notify({ message: t("auth.restored"), type: "success" });
    return {};
  } catch (error) {
    return toFormErrors(error);
  }
}

export async function register({ name, email, password }: AuthFormValues): Promise<AuthFormErrors> {
  const referralCode = readReferral();
  const inviteCode = readInvite();
  try {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    await completeFirstSignIn(
      await client.auth.register({
        name,
        email,
        password,
        timezone: timeZone,
        ...(referralCode && { referralCode }),
        ...(inviteCode && { inviteCode }),
      }),
    );
    return {};
  } catch (error) {
    return toFormErrors(error);
  }
}

/** Signs in to a new account. */
export async function completeFirstSignIn(answer: Parameters<typeof completeSignIn>[0]): Promise<void> {
  // Not one after the other: the account's preferences, which are being loaded, would replace the visitor's language.
  await Promise.all([completeSignIn(answer), keepLanguage()]);
}

/** The account has the language in which its visitor registered. */
async function keepLanguage(): Promise<void> {
  const language = visitorLanguage();
  if (language === undefined) return;
  await changePreferences((preferences) => ({
    ...preferences,
    appearance: { ...preferences.appearance, language },
  }));
}

/** Error codes that belong to a field or have a more specific message here. */
const errorsByCode: Partial<Record<FailureCode, (message: string) => AuthFormErrors>> = {
  wrong_credentials: () => ({ all: t("auth.wrong_credentials") }),
  already_exists: () => ({ email: t("auth.already_exists") }),
  registration_closed: (message) => ({ all: message }),
  too_many_requests: () => ({ all: t("auth.rate_limited") }),
};

/** The fields whose values the server refused. */
const RefusedFields = z.object({ fields: z.array(z.object({ path: z.enum(["name", "email", "password"]) })).min(1) });

function toFormErrors(error: unknown): AuthFormErrors {
  const message = toFailureMessage(error)?.message ?? t("failures.other");
  if (!(error instanceof Failure)) return { all: message };
  const field = RefusedFields.safeParse(error.data).data?.fields[0]?.path;
  return field === undefined ? (errorsByCode[error.code]?.(error.message) ?? { all: message }) : { [field]: message };
}
