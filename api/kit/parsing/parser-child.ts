import { Worker } from "node:worker_threads";
import type { FromParser, ToParser, Work } from "./parser-messages.ts";

const MAX_MEMORY_BYTES = 900 * 1024 * 1024;

// The parser may be deep in one file's loop, so memory and an orphaned process are watched from another thread.
const watchdog = new Worker(
  `const { workerData } = require("node:worker_threads");
   const parent = process.ppid;
   setInterval(() => {
     if (process.memoryUsage.rss() > workerData.limit || process.ppid !== parent) process.kill(process.pid, "SIGKILL");
   }, 40);`,
  { eval: true, workerData: { limit: MAX_MEMORY_BYTES } },
);
watchdog.unref();

let stopped = -1;

function send(message: FromParser): void {
  process.send?.(message);
}

process.on("message", (message: ToParser) => {
  if (message.type === "stop") {
    stopped = message.id;
    return;
  }
  void read({ request: message, send, isStopped: () => stopped === message.id });
});

/** Readers are loaded when they are first needed: most parsers see one kind of file only. */
async function read(work: Work): Promise<void> {
  if (work.request.kind === "pdf") await (await import("./pdf-document.ts")).readPdfPages(work);
  else await (await import("./flow/read-flow.ts")).readFlowPages(work);
}

process.on("disconnect", () => process.exit(0));
// A parser that fails outside its own promise still answers for the file it was given.
process.on("unhandledRejection", () => undefined);
