import { workForParent } from "./child-side.ts";
import type { Work } from "./parser-messages.ts";

// Longer than any honest page takes, and short enough that an upload still answers in ten seconds.
workForParent({ memoryBytes: 900 * 1024 * 1024, silenceMs: 8_000 }, (request, { send, isStopped }) => {
  if (request.type === "read") void read({ request, send, isStopped: () => isStopped(request.id) });
});

/** Readers are loaded when they are first needed: most parsers see one kind of file only. */
async function read(work: Work): Promise<void> {
  if (work.request.kind === "pdf") await (await import("../pdf/pdf-document.ts")).readPdfPages(work);
  else await (await import("../office/read-flow.ts")).readFlowPages(work);
}
