import type { FromParser, ToParser, Work } from "./parser-messages.ts";
import { watchMemory } from "./watch-memory.ts";

watchMemory(900 * 1024 * 1024);

let stopped = -1;

function send(message: FromParser): void {
  process.send?.(message);
}

process.on("message", (message: ToParser) => {
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
