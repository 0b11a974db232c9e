import type { FromParser, ToParser } from "./parser-messages.ts";
import { type Limits, watchOver } from "./watchdog.ts";

/** What the child's work receives to communicate with the parent. */
export interface ChildSide {
  /** Sends a message, which also counts as a sign of life. */
  send: (message: FromParser) => void;
  isStopped: (id: number) => boolean;
}

/** Handles the parent's requests in the child process, within limits. */
export function workForParent(
  limits: Limits,
  work: (asked: Exclude<ToParser, { type: "stop" }>, side: ChildSide) => void,
): void {
  const tellAlive = watchOver(limits);
  let stopped = -1;
  const send = (message: FromParser) => {
    tellAlive();
    process.send?.(message);
  };
  process.on("message", (message: ToParser) => {
    tellAlive();
    if (message.type === "stop") stopped = message.id;
    else work(message, { send, isStopped: (id) => stopped === id });
  });
  process.on("disconnect", () => process.exit(0));
  // A parser that fails outside its own promise still reports the failure for its file.
  process.on("unhandledRejection", () => undefined);
}
