import { friendlyFailure } from "#shared/client/failures.ts";
import { Failure } from "#shared/contract/failure.ts";
import { t } from "#shared/messages/translate.ts";
import { notify } from "#webapp/app/alerts.ts";
import { client } from "#webapp/app/client.ts";
import { leaveFor } from "#webapp/app/navigation.ts";
import { readReferral } from "#webapp/app/session/referral.ts";
import { returnPath } from "#webapp/app/session/return-path.ts";
import { signedIn } from "#webapp/app/session/session.ts";
import { readInvite } from "./state.ts";

export type Issuer = "google" | "apple";

/** Session storage key of the pending sign-in: responses for another window's sign-in are rejected. */
const JOURNEY = "lamplight_sign_in";

const saidOf = (error: unknown) => {
  const isOurs = error instanceof Failure && error.status < 500;
  return isOurs ? error.message : (friendlyFailure(error)?.message ?? t("failures.other"));
};

/** Redirects to the provider. Resolves to an error message, or undefined while the browser is navigating. */
export async function setOut(issuer: Issuer, from: unknown): Promise<string | undefined> {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const wishes = { timezone: timeZone, referralCode: readReferral(), inviteCode: readInvite() };
  try {
    const { authUrl } = await (issuer === "google" ? client.auth.startGoogle(wishes) : client.auth.startApple(wishes));
    const state = new URL(authUrl).searchParams.get("state") ?? "";
    sessionStorage.setItem(JOURNEY, JSON.stringify({ state, to: returnPath(from) }));
    leaveFor(authUrl);
    return undefined;
  } catch (error) {
    if (error instanceof Failure && error.code === "unreachable")
      return t("auth.oauth_unavailable", { name: issuer === "google" ? "Google" : "Apple" });
    return saidOf(error);
  }
}

function takeJourney(): { state: string; to: string } | undefined {
  const kept = sessionStorage.getItem(JOURNEY);
  sessionStorage.removeItem(JOURNEY);
  return kept === null ? undefined : (JSON.parse(kept) as { state: string; to: string });
}

export interface Came {
  code?: unknown;
  state?: unknown;
  error?: unknown;
}

/** Whether the callback belongs to a sign-in, not to connecting an account. */
export const isSignIn = (state: unknown) => typeof state === "string" && /^(google|apple)\./.test(state);

/** Finishes the sign-in: returns where to go, or an error message. */
export async function comeBack({ code, state, error }: Came): Promise<{ to: string } | { fault: string }> {
  if (error !== undefined) return { fault: t("auth.oauth_denied") };
  if (typeof code !== "string" || typeof state !== "string") return { fault: t("auth.link_missing") };
  try {
    const journey = takeJourney();
    if (journey?.state !== state) return { fault: t("auth.oauth_elsewhere") };
    const finish = state.startsWith("google.") ? client.auth.finishGoogle : client.auth.finishApple;
    const answer = await finish({ code, state });
    await signedIn(answer);
    if (answer.restored) notify({ message: t("auth.restored"), type: "success" });
    return { to: journey.to };
  } catch (failure) {
    return { fault: saidOf(failure) };
  }
}
