import type { SignInOptions } from "#shared/auth/contract.ts";
import { toFailureMessage } from "#shared/client/failure-messages.ts";
import { Failure } from "#shared/contract/failure.ts";
import { t } from "#shared/messages/translate.ts";
import { client } from "#webapp/app/client.ts";

/** The server's sign-in methods; undefined if the request failed. */
export async function fetchSignInMethods(): Promise<SignInOptions | undefined> {
  try {
    return await client.auth.getEntry({});
  } catch {
    // Submitting the form will show the error.
    return undefined;
  }
}

const recoveryErrorMessage = (error: unknown) => {
  if (error instanceof Failure) {
    if (error.code === "link_expired") return t("auth.link_expired");
    if (error.code === "already_exists") return t("auth.address_taken");
    if (error.code === "too_many_requests") return t("auth.rate_limited");
  }
  return toFailureMessage(error)?.message ?? t("failures.other");
};

/** Resolves to an error message; undefined on success. */
export async function requestPasswordReset(email: string): Promise<string | undefined> {
  try {
    await client.auth.forgotPassword({ email });
    return undefined;
  } catch (error) {
    return recoveryErrorMessage(error);
  }
}

/** Resolves to an error message; undefined once the password is set. */
export async function resetPassword(token: string, password: string): Promise<string | undefined> {
  try {
    await client.auth.resetPassword({ token, password });
    return undefined;
  } catch (error) {
    return recoveryErrorMessage(error);
  }
}

export async function confirmAddress(token: string): Promise<{ email: string } | { fault: string }> {
  try {
    return await client.auth.verifyEmail({ token });
  } catch (error) {
    return { fault: recoveryErrorMessage(error) };
  }
}

/** Reads the token from the URL fragment and removes it from the address bar at once, so that it does not leak. */
export function takeLinkToken(): string | undefined {
  const token = new URLSearchParams(location.hash.slice(1)).get("token") ?? undefined;
  if (token !== undefined) history.replaceState(history.state, "", location.pathname);
  return token;
}
