import { redirect } from "@tanstack/react-router";
import { screenPath, type Screen } from "#shared/screens.ts";
import { readToken } from "#webapp/app/session/token.ts";
import { isNewHere } from "#webapp/app/session/welcomed.ts";

const welcome = screenPath("onboarding", {});

/** Redirects users without access: to sign-in, to onboarding, or home. */
export function guard(access: Screen["access"], address: string): void {
  const isSignedIn = readToken() !== undefined;
  if (access === "guest" && isSignedIn) throw redirect({ to: screenPath("home", {}), replace: true });
  if (access === "public" || access === "guest") return;
  if (!isSignedIn) throw redirect({ to: screenPath("login", {}), search: { from: address }, replace: true });
  if (isNewHere() && !isWelcome(address)) throw redirect({ to: welcome, search: { from: address }, replace: true });
}

/** Whether an address is the onboarding screen. */
export const isWelcome = (address: string): boolean => address.split(/[?#]/u)[0] === welcome;
