import { type FlowBlock, toFlowPages, splitIntoSections } from "#shared/pdf/flow/sections.ts";
import { DocumentError, type ReadFault, type Work } from "../process/parser-messages.ts";
import { readBytes } from "../read-bytes.ts";

const MAX_FILE_BYTES = 120 * 1024 * 1024;
const MAX_CHARS = 40_000_000;

type Readers = {
  [kind in Exclude<Work["request"]["kind"], "pdf">]: (
    bytes: Uint8Array,
    reportAlive: () => void,
  ) => Promise<FlowBlock[][]>;
};

/** Each reader is loaded with its first document. */
const readers: Readers = {
  docx: async (bytes, reportAlive) =>
    splitIntoSections(await (await import("./docx-reader.ts")).readDocx(bytes, reportAlive)),
  doc: async (bytes) => splitIntoSections(await (await import("./doc-reader.ts")).readDoc(bytes)),
  pptx: async (bytes) => (await import("./pptx-reader.ts")).readPptx(bytes),
  ppt: async (bytes) => (await import("./ppt-reader.ts")).readPpt(bytes),
  html: async (bytes) => splitIntoSections((await import("./html-reader.ts")).readHtml(bytes)),
  captions: async (bytes) => splitIntoSections(await (await import("./captions-reader.ts")).readCaptions(bytes)),
  text: async (bytes) => splitIntoSections((await import("./text-reader.ts")).readText(bytes)),
};

/** Reads a document without fixed pages; runs in the parser process. */
export async function readFlowPages({ request, send, isStopped }: Work): Promise<void> {
  const { id, kind, from, to } = request;
  try {
    const bytes = await readBytes(request.source);
    if (bytes.byteLength > MAX_FILE_BYTES) throw new DocumentError("too_large");
    const pages = kind === "pdf" ? [] : await readers[kind](bytes, () => send({ type: "alive", id }));
    if (countChars(pages) > MAX_CHARS) throw new DocumentError("too_large");
    send({ type: "opened", id, pageCount: pages.length });
    for (const page of toFlowPages(pages, kind === "pptx" || kind === "ppt")) {
      if (isStopped()) break;
      if (page.page >= from && page.page <= to) send({ type: "page", id, ...page });
    }
    send({ type: "done", id, memoryBytes: process.memoryUsage.rss() });
  } catch (error) {
    send({ type: "failed", id, fault: toFault(error) });
  }
}

function countChars(pages: readonly (readonly FlowBlock[])[]): number {
  return pages.flat().reduce((sum, { text }) => sum + text.length, 0);
}

function toFault(error: unknown): ReadFault {
  if (error instanceof DocumentError) return error.fault;
  return error instanceof RangeError ? "too_large" : "corrupt";
}
