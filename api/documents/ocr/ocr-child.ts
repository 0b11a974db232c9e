import { InvalidPDFException, PasswordException } from "pdfjs-dist/legacy/build/pdf.mjs";
import { type ChildSide, workForParent } from "../process/child-side.ts";
import { DocumentFault, type ReadFault, type RecogniseRequest } from "../process/parser-messages.ts";
import { readBytes } from "../read-bytes.ts";
import { drawPage, openForDrawing, preparePicture } from "./rasters.ts";
import { Recogniser } from "./recogniser.ts";

let recogniser: Recogniser | undefined;

// A dense page takes several seconds, four times that if it is rotated.
workForParent({ memoryBytes: 1_500 * 1024 * 1024, silenceMs: 120_000 }, (request, side) => {
  if (request.type === "recognise") void recognise(request, side);
});

async function recognise(request: RecogniseRequest, side: ChildSide): Promise<void> {
  const { id, kind, pages, language } = request;
  const { send } = side;
  try {
    const bytes = await readBytes(request.source);
    const reader = await readerOf(language);
    send({ type: "opened", id, pageCount: pages.length });
    if (kind === "image")
      send({ type: "page", id, page: 1, passages: await reader.read(await preparePicture(bytes), 1) });
    else await recognisePages(request, { bytes, reader, side });
    send({ type: "done", id, memoryBytes: process.memoryUsage.rss() });
  } catch (error) {
    send({ type: "failed", id, fault: faultOf(error) });
  }
}

interface PagesWork {
  bytes: Uint8Array;
  reader: Recogniser;
  side: ChildSide;
}

async function recognisePages({ id, pages }: RecogniseRequest, { bytes, reader, side }: PagesWork): Promise<void> {
  const { send, isStopped } = side;
  const document = await openForDrawing(bytes);
  try {
    for (const page of pages) {
      if (isStopped(id)) return;
      const raster = await drawPage(document, page);
      send({ type: "alive", id });
      send({ type: "page", id, page, passages: await reader.read(raster, page) });
    }
  } finally {
    await document.loadingTask.destroy().catch(() => undefined);
  }
}

async function readerOf(language: string): Promise<Recogniser> {
  if (recogniser?.language === language) return recogniser;
  await recogniser?.close();
  recogniser = await Recogniser.load(language);
  return recogniser;
}

function faultOf(error: unknown): ReadFault {
  if (error instanceof DocumentFault) return error.fault;
  if (error instanceof PasswordException) return "encrypted";
  if (error instanceof InvalidPDFException) return "corrupt";
  return error instanceof RangeError ? "too_large" : "crashed";
}
