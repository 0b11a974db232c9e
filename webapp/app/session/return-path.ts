import { screenPath } from "#shared/screens.ts";
import { readLocal, writeLocal } from "../browser/local-storage.ts";

/** Whether the assistant or home was visited last. */
const LAST_ROUTE_KEY = "lamplight_last_route";

/** Where to go after signing in: `from` if it is a path in this app, otherwise the last screen. */
export function resolveReturnPath(from: unknown): string {
  const isInternalPath = typeof from === "string" && /^\/(?![/\\])[^\s]*$/.test(from);
  return isInternalPath ? from : previousRoute();
}

/** The stored value 'assistant' means /chat. Any other value means /home. */
function previousRoute(): string {
  return screenPath(readLocal(LAST_ROUTE_KEY) === "assistant" ? "chat" : "home", {});
}

/** Stores which of the two screens is open, for the next session. */
export function rememberRoute(path: string): void {
  if (path === screenPath("chat", {})) writeLocal(LAST_ROUTE_KEY, "assistant");
  if (path === screenPath("home", {})) writeLocal(LAST_ROUTE_KEY, "home");
}
