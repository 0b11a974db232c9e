import { Failure, type FailureCode } from "#shared/contract/failure.ts";
import { friendlyFailure } from "#shared/client/failures.ts";
import { MIN_PASSWORD_LENGTH } from "#shared/auth/contract.ts";
import { t } from "#shared/messages/translate.ts";
import { notify } from "#webapp/app/alerts.ts";
import { client } from "#webapp/app/client.ts";
import { signedIn } from "#webapp/app/session/session.ts";
import { readReferral } from "#webapp/app/session/referral.ts";

export interface Entered {
  name: string;
  email: string;
  password: string;
}

/** Errors by field; `all` is an error from the server. */
export type Faults = Partial<Record<keyof Entered | "all", string>>;

const ADDRESS = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

export function faultsOfSignIn({ email, password }: Entered): Faults {
  return {
    ...emailFault(email),
    ...(password === "" && { password: t("auth.password_missing") }),
  };
}

export function faultsOfRegistration(entered: Entered): Faults {
  const { name, email, password } = entered;
  return {
    ...(name.trim() === "" && { name: t("auth.name_missing") }),
    ...emailFault(email),
    ...(password.length < MIN_PASSWORD_LENGTH && {
      password: t("auth.password_short", { count: MIN_PASSWORD_LENGTH }),
    }),
  };
}

export function emailFault(email: string): Faults {
  if (email.trim() === "") return { email: t("auth.email_missing") };
  return ADDRESS.test(email.trim()) ? {} : { email: t("auth.email_invalid") };
}

/** The invitation code in the address. */
export const readInvite = () => new URLSearchParams(location.search).get("invite") ?? undefined;

/** Resolves to errors by field; empty on success. */
export async function signIn({ email, password }: Entered): Promise<Faults> {
  try {
    const answer = await client.auth.login({ email, password });
    await signedIn(answer);
    if (answer.restored) notify({ message: t("auth.restored"), type: "success" });
    return {};
  } catch (error) {
    return faultOf(error);
  }
}

export async function register({ name, email, password }: Entered): Promise<Faults> {
  const referralCode = readReferral();
  const inviteCode = readInvite();
  try {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    await signedIn(
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
    return faultOf(error);
  }
}

/** Error codes that belong to a field or have a more specific message here. */
const refusals: Partial<Record<FailureCode, (message: string) => Faults>> = {
  wrong_credentials: () => ({ all: t("auth.wrong_credentials") }),
  already_exists: () => ({ email: t("auth.already_exists") }),
  registration_closed: (message) => ({ all: message }),
  too_many_requests: () => ({ all: t("auth.rate_limited") }),
};

function faultOf(error: unknown): Faults {
  const known = error instanceof Failure ? refusals[error.code] : undefined;
  return (
    (error instanceof Failure && known?.(error.message)) || {
      all: friendlyFailure(error)?.message ?? t("failures.other"),
    }
  );
}
