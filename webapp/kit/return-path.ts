import { screenPath } from "#shared/screens.ts";

/** Where to go after signing in: only an address of our own is believed. */
export function returnPath(from: unknown): string {
  const isOurs = typeof from === "string" && /^\/(?![/\\])[^\s]*$/.test(from);
  return isOurs ? from : screenPath("home", {});
}
