import { pino } from "pino";

export type Log = Pick<pino.Logger, "debug" | "info" | "warn" | "error" | "child">;

/** Fields whose values are redacted, at up to two levels of nesting. */
const redactedFields = ["password", "token", "tempToken", "authorization", "cookie", "email", "name"];

export function createLog(level: string): Log {
  const paths = redactedFields.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime, redact: { paths, censor: "[redacted]" } });
}
