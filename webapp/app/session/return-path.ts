import { screenPath } from "#shared/screens.ts";
import { readLocal, writeLocal } from "../browser/local-storage.ts";

/** The last screen visited: the assistant or home. */
const LAST_ROUTE_KEY = "lamplight_last_route";

/** Where to go after signing in: `from` if it is a path in this app, otherwise the last screen. */
export function resolveReturnPath(from: unknown): string {
  const isInternalPath = typeof from === "string" && /^\/(?![/\\])[^\s]*$/.test(from);
  return isInternalPath ? from : previousRoute();
}

/** 'assistant' is /chat; 'home' and anything else is /home. */
function previousRoute(): string {
  return screenPath(readLocal(LAST_ROUTE_KEY) === "assistant" ? "chat" : "home", {});
}

/** Stores which of the two screens is open, for the next session. */
export function rememberRoute(path: string): void {
  if (path === screenPath("chat", {})) writeLocal(LAST_ROUTE_KEY, "assistant");
  if (path === screenPath("home", {})) writeLocal(LAST_ROUTE_KEY, "home");
}
