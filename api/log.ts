import { pino } from "pino";

export type Log = Pick<pino.Logger, "debug" | "info" | "warn" | "error" | "child">;

/** Names whose values never reach a log line, wherever they stand. */
const secrets = ["password", "token", "tempToken", "authorization", "cookie", "email", "name"];

export function makeLog(level: string): Log {
  const paths = secrets.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime, redact: { paths, censor: "[kept out]" } });
}
