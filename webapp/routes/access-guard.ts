import { redirect } from "@tanstack/react-router";
import { screenPath, type Screen } from "#shared/screens.ts";
import { readToken } from "#webapp/app/session/token.ts";
import { isOnboardingPending } from "#webapp/app/session/onboarding-state.ts";

const onboardingPath = screenPath("onboarding", {});

/**
 * Redirects users without access to sign-in, onboarding or home. `webapp/public/boot.js` redirects from `/` to `/home` before
 * the app has loaded.
 */
export function guardAccess(access: Screen["access"], address: string): void {
  const isSignedIn = readToken() !== undefined;
  if (access === "guest" && isSignedIn) throw redirect({ to: screenPath("home", {}), replace: true });
  if (access === "public" || access === "guest") return;
  if (!isSignedIn) throw redirect({ to: screenPath("login", {}), search: { from: address }, replace: true });
  if (isOnboardingPending() && !isOnboardingPath(address))
    throw redirect({ to: onboardingPath, search: { from: address }, replace: true });
}

/** Whether an address is the onboarding screen. */
export const isOnboardingPath = (address: string): boolean => address.split(/[?#]/u)[0] === onboardingPath;
