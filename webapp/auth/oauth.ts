import { toFailureMessage } from "#shared/client/failure-messages.ts";
import { Failure } from "#shared/contract/failure.ts";
import { t } from "#shared/messages/translate.ts";
import { notify } from "#webapp/app/alerts.ts";
import { client } from "#webapp/app/client.ts";
import { openExternal } from "#webapp/app/navigation.ts";
import { readReferral } from "#webapp/app/session/referral.ts";
import { resolveReturnPath } from "#webapp/app/session/return-path.ts";
import { completeSignIn } from "#webapp/app/session/session.ts";
import { completeFirstSignIn, readInvite } from "./state.ts";

export type OAuthProvider = "google" | "apple";

/** Session storage key of this window's pending sign-in. Responses for another window's sign-in are rejected. */
const PENDING_SIGN_IN_KEY = "lamplight_sign_in";

const oauthErrorMessage = (error: unknown) => {
  const hasServerMessage = error instanceof Failure && error.status < 500;
  return hasServerMessage ? error.message : (toFailureMessage(error)?.message ?? t("failures.other"));
};

/** Redirects to the provider. Resolves to an error message, or undefined while the browser is navigating. */
export async function startOAuthSignIn(provider: OAuthProvider, from: unknown): Promise<string | undefined> {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const signInOptions = { timezone: timeZone, referralCode: readReferral(), inviteCode: readInvite() };
  try {
    const { authUrl } = await (provider === "google"
      ? client.auth.startGoogle(signInOptions)
      : client.auth.startApple(signInOptions));
    const state = new URL(authUrl).searchParams.get("state") ?? "";
    sessionStorage.setItem(PENDING_SIGN_IN_KEY, JSON.stringify({ state, to: resolveReturnPath(from) }));
    openExternal(authUrl);
    return undefined;
  } catch (error) {
    if (error instanceof Failure && error.code === "unreachable")
      return t("auth.oauth_unavailable", { name: provider === "google" ? "Google" : "Apple" });
    return oauthErrorMessage(error);
  }
}

function takePendingSignIn(): { state: string; to: string } | undefined {
  const stored = sessionStorage.getItem(PENDING_SIGN_IN_KEY);
  sessionStorage.removeItem(PENDING_SIGN_IN_KEY);
  return stored === null ? undefined : (JSON.parse(stored) as { state: string; to: string });
}

export interface OAuthCallbackParams {
  code?: unknown;
  state?: unknown;
  error?: unknown;
}

/** Whether the callback belongs to a sign-in, not to connecting an account. */
export const isSignInState = (state: unknown) => typeof state === "string" && /^(google|apple)\./.test(state);

/** Finishes the sign-in. Resolves to the path to open, or to an error message. */
export async function finishOAuthSignIn({
  code,
  state,
  error,
}: OAuthCallbackParams): Promise<{ to: string } | { fault: string }> {
  if (error !== undefined) return { fault: t("auth.oauth_denied") };
  if (typeof code !== "string" || typeof state !== "string") return { fault: t("auth.link_missing") };
  try {
    const pending = takePendingSignIn();
    if (pending?.state !== state) return { fault: t("auth.oauth_elsewhere") };
    const finish = state.startsWith("google.") ? client.auth.finishGoogle : client.auth.finishApple;
    const answer = await finish({ code, state });
    const complete = answer.user.onboardingComplete ? completeSignIn : completeFirstSignIn;
    await complete(answer);
    if (answer.restored) notify({ message: t("auth.restored"), type: "success" });
    return { to: pending.to };
  } catch (failure) {
    return { fault: oauthErrorMessage(failure) };
  }
}
