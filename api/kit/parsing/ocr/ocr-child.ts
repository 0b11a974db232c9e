import { InvalidPDFException, PasswordException } from "pdfjs-dist/legacy/build/pdf.mjs";
import {
  DocumentFault,
  type FromParser,
  type ReadFault,
  type RecogniseRequest,
  type ToParser,
} from "../parser-messages.ts";
import { readBytes } from "../read-bytes.ts";
import { watchOver } from "../watchdog.ts";
import { drawPage, openForDrawing, preparePicture } from "./rasters.ts";
import { Recogniser } from "./recogniser.ts";

// A dense page takes some seconds, four times over where it lies on its side.
const tellAlive = watchOver({ memoryBytes: 1_500 * 1024 * 1024, silenceMs: 120_000 });

let recogniser: Recogniser | undefined;
let stopped = -1;

function send(message: FromParser): void {
  tellAlive();
  process.send?.(message);
}

process.on("message", (message: ToParser) => {
  tellAlive();
  if (message.type === "stop") stopped = message.id;
  if (message.type === "recognise") void recognise(message);
});
process.on("disconnect", () => process.exit(0));
process.on("unhandledRejection", () => undefined);

async function recognise(request: RecogniseRequest): Promise<void> {
  const { id, kind, pages, language } = request;
  try {
    const bytes = await readBytes(request.source);
    const reader = await readerOf(language);
    send({ type: "opened", id, pageCount: pages.length });
    if (kind === "image")
      send({ type: "page", id, page: 1, passages: await reader.read(await preparePicture(bytes), 1) });
    else await recognisePages(request, bytes, reader);
    send({ type: "done", id, memoryBytes: process.memoryUsage.rss() });
  } catch (error) {
    send({ type: "failed", id, fault: faultOf(error) });
  }
}

async function recognisePages({ id, pages }: RecogniseRequest, bytes: Uint8Array, reader: Recogniser): Promise<void> {
  const document = await openForDrawing(bytes);
  try {
    for (const page of pages) {
      if (stopped === id) return;
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
