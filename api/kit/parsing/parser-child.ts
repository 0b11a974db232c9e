import type { FromParser, ToParser, Work } from "./parser-messages.ts";
import { watchOver } from "./watchdog.ts";

// Longer than any honest page takes, and short enough that an upload still answers in ten seconds.
const tellAlive = watchOver({ memoryBytes: 900 * 1024 * 1024, silenceMs: 8_000 });

let stopped = -1;

function send(message: FromParser): void {
  tellAlive();
  process.send?.(message);
}

process.on("message", (message: ToParser) => {
  tellAlive();
  if (message.type === "stop") stopped = message.id;
  if (message.type === "read") void read({ request: message, send, isStopped: () => stopped === message.id });
});

/** Readers are loaded when they are first needed: most parsers see one kind of file only. */
async function read(work: Work): Promise<void> {
  if (work.request.kind === "pdf") await (await import("./pdf-document.ts")).readPdfPages(work);
  else await (await import("./flow/read-flow.ts")).readFlowPages(work);
}

process.on("disconnect", () => process.exit(0));
// A parser that fails outside its own promise still answers for the file it was given.
process.on("unhandledRejection", () => undefined);
