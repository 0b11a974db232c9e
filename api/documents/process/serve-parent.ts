import type { FromParser, ToParser } from "./parser-messages.ts";
import { type ProcessLimits, startWatchdog } from "./watchdog.ts";

/** How the work in the child process communicates with the parent. */
export interface ChildChannel {
  /** Sends a message, which also counts as a heartbeat. */
  send: (message: FromParser) => void;
  isStopped: (id: number) => boolean;
}

/** Handles the parent's requests in the child process, within limits. */
export function serveParent(
  limits: ProcessLimits,
  work: (request: Exclude<ToParser, { type: "stop" }>, channel: ChildChannel) => void,
): void {
  const reportAlive = startWatchdog(limits);
  let stopped = -1;
  const send = (message: FromParser) => {
    reportAlive();
    process.send?.(message);
  };
  process.on("message", (message: ToParser) => {
    reportAlive();
    if (message.type === "stop") stopped = message.id;
    else work(message, { send, isStopped: (id) => stopped === id });
  });
  process.on("disconnect", () => process.exit(0));
  // Ignores rejections outside the promise of the reader, which still reports the failure of its file.
  process.on("unhandledRejection", () => undefined);
}
