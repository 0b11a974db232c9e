import { redirect } from "@tanstack/react-router";
import { screenPath, type Screen } from "#shared/screens.ts";
import { readToken } from "#webapp/kit/token.ts";

/** Sends who may not see a screen to where they can go on: to sign-in and back, or home. */
export function guard(access: Screen["access"], address: string): void {
  const isSignedIn = readToken() !== undefined;
  if (access === "guest" && isSignedIn) throw redirect({ to: screenPath("home", {}), replace: true });
  if ((access === "user" || access === "admin") && !isSignedIn)
    throw redirect({ to: screenPath("login", {}), search: { from: address }, replace: true });
}
