import { NoResponseError } from "#shared/client/client.ts";
import { Failure } from "#shared/contract/failure.ts";
import { logWarning } from "./log.ts";

export type ItemLoadFailure = "missing" | "offline" | "error";

/** Why a screen's item could not be loaded. An invalid id in the address counts as missing. Other errors are logged. */
export function toLoadFailure(error: unknown, logMessage: string): ItemLoadFailure {
  if (error instanceof Failure && (error.code === "not_found" || error.code === "bad_input")) return "missing";
  if (error instanceof NoResponseError) return "offline";
  logWarning(logMessage, error);
  return "error";
}
