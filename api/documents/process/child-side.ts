import type { FromParser, ToParser } from "./parser-messages.ts";
import { type Limits, watchOver } from "./watchdog.ts";

/** What the one end of the line that lies in the child gives to whoever works there. */
export interface ChildSide {
  /** Each word of the work is a sign of life as well. */
  send: (message: FromParser) => void;
  isStopped: (id: number) => boolean;
}

/** Has what the API asks of this process worked on, within limits. */
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
  // A parser that fails outside its own promise still answers for the file it was given.
  process.on("unhandledRejection", () => undefined);
}
