import { InvalidPDFException, PasswordException } from "pdfjs-dist/legacy/build/pdf.mjs";
import { type ChildChannel, serveParent } from "../process/serve-parent.ts";
import { DocumentError, type ReadFault, type RecogniseRequest } from "../process/parser-messages.ts";
import { readBytes } from "../read-bytes.ts";
import { renderPage, openForRendering, prepareImage } from "./rasters.ts";
import { Recogniser } from "./recogniser.ts";

let recogniser: Recogniser | undefined;

// A dense page takes several seconds, four times that if it is rotated.
serveParent({ memoryBytes: 1_500 * 1024 * 1024, maxSilentCpuMs: 120_000 }, (request, channel) => {
  if (request.type === "recognise") void recognise(request, channel);
});

async function recognise(request: RecogniseRequest, channel: ChildChannel): Promise<void> {
  const { id, kind, pages, language } = request;
  const { send } = channel;
  try {
    const bytes = await readBytes(request.source);
    const reader = await getRecogniser(language);
    send({ type: "opened", id, pageCount: pages.length });
    if (kind === "image")
      send({ type: "page", id, page: 1, passages: await reader.read(await prepareImage(bytes), 1) });
    else await recognisePages(request, { bytes, reader, channel });
    send({ type: "done", id, memoryBytes: process.memoryUsage.rss() });
  } catch (error) {
    send({ type: "failed", id, fault: toFault(error) });
  }
}

interface PagesWork {
  bytes: Uint8Array;
  reader: Recogniser;
  channel: ChildChannel;
}

async function recognisePages({ id, pages }: RecogniseRequest, { bytes, reader, channel }: PagesWork): Promise<void> {
  const { send, isStopped } = channel;
  const document = await openForRendering(bytes);
  try {
    for (const page of pages) {
      if (isStopped(id)) return;
      const raster = await renderPage(document, page);
      send({ type: "alive", id });
      send({ type: "page", id, page, passages: await reader.read(raster, page) });
    }
  } finally {
    await document.loadingTask.destroy().catch(() => undefined);
  }
}

async function getRecogniser(language: string): Promise<Recogniser> {
  if (recogniser?.language === language) return recogniser;
  await recogniser?.close();
  recogniser = await Recogniser.load(language);
  return recogniser;
}

function toFault(error: unknown): ReadFault {
  if (error instanceof DocumentError) return error.fault;
  if (error instanceof PasswordException) return "encrypted";
  if (error instanceof InvalidPDFException) return "corrupt";
  return error instanceof RangeError ? "too_large" : "crashed";
}
