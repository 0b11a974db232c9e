import { NoResponse } from "#shared/client/client.ts";
import { Failure } from "#shared/contract/failure.ts";
import { logWarning } from "./log.ts";

export type ItemLoadFailure = "missing" | "offline" | "error";

/** Why the item of a screen could not be loaded. An address that holds no valid id is missing too; the rest is logged. */
export function toLoadFailure(error: unknown, logMessage: string): ItemLoadFailure {
  if (error instanceof Failure && (error.code === "not_found" || error.code === "bad_input")) return "missing";
  if (error instanceof NoResponse) return "offline";
  logWarning(logMessage, error);
  return "error";
}
