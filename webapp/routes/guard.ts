import { redirect } from "@tanstack/react-router";
import { screenPath, type Screen } from "#shared/screens.ts";
import { readToken } from "#webapp/app/session/token.ts";
import { isNewHere } from "#webapp/app/session/welcomed.ts";

const welcome = screenPath("onboarding", {});

/** Sends who may not see a screen to where they can go on: to sign-in and back, to the first steps, or home. */
export function guard(access: Screen["access"], address: string): void {
  const isSignedIn = readToken() !== undefined;
  if (access === "guest" && isSignedIn) throw redirect({ to: screenPath("home", {}), replace: true });
  if (access === "public" || access === "guest") return;
  if (!isSignedIn) throw redirect({ to: screenPath("login", {}), search: { from: address }, replace: true });
  if (isNewHere() && !isWelcome(address)) throw redirect({ to: welcome, search: { from: address }, replace: true });
}

/** Whether an address is that of the first steps. */
export const isWelcome = (address: string): boolean => address.split(/[?#]/u)[0] === welcome;
