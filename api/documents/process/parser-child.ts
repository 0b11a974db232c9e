import { serveParent } from "./serve-parent.ts";
import type { Work } from "./parser-messages.ts";

// Longer than any real page takes, and short enough for an upload to be answered within ten seconds.
serveParent({ memoryBytes: 900 * 1024 * 1024, maxSilentCpuMs: 8_000 }, (request, { send, isStopped }) => {
  if (request.type === "read") void read({ request, send, isStopped: () => isStopped(request.id) });
});

/** Readers are loaded on first use, because most parsers see only one kind of file. */
async function read(work: Work): Promise<void> {
  if (work.request.kind === "pdf") await (await import("../pdf/pdf-reader.ts")).readPdfPages(work);
  else await (await import("../office/read-flow.ts")).readFlowPages(work);
}
