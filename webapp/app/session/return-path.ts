import { screenPath } from "#shared/screens.ts";
import { readLocal, writeLocal } from "../browser/local.ts";

/** Where the last visit was spent: with the assistant or at home. */
const PLACE = "lamplight_last_route";

/** Where to go after signing in: an address of our own is believed, else it is where the last session was. */
export function returnPath(from: unknown): string {
  const isOurs = typeof from === "string" && /^\/(?![/\\])[^\s]*$/.test(from);
  return isOurs ? from : previousRoute();
}

/** 'assistant' is /chat; 'home' and anything else is /home. */
function previousRoute(): string {
  return screenPath(readLocal(PLACE) === "assistant" ? "chat" : "home", {});
}

/** Notes which of the two screens is open, for the next session. */
export function rememberRoute(path: string): void {
  if (path === screenPath("chat", {})) writeLocal(PLACE, "assistant");
  if (path === screenPath("home", {})) writeLocal(PLACE, "home");
}
