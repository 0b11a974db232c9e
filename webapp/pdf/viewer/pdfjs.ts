import {
  getDocument,
  GlobalWorkerOptions,
  InvalidPDFException,
  PasswordException,
  PDFWorker,
  ResponseException,
  VerbosityLevel,
} from "pdfjs-dist/legacy/build/pdf.mjs";
// Vite makes the default export: the address of the built file.
// oxlint-disable-next-line import/default
import rendererAddress from "pdfjs-dist/legacy/build/pdf.renderer.min.mjs?url";
// oxlint-disable-next-line import/default
import workerAddress from "pdfjs-dist/legacy/build/pdf.worker.min.mjs?url";
import type { PDFDocumentLoadingTask } from "pdfjs-dist";

export { TextLayer } from "pdfjs-dist/legacy/build/pdf.mjs";

GlobalWorkerOptions.workerSrc = workerAddress;
// Pages are drawn beside the screen's own thread too, so that it can be scrolled meanwhile.
GlobalWorkerOptions.rendererSrc = rendererAddress;

declare global {
  interface Window {
    /** Reads documents; started by `boot.js` for an address that will need it. */
    lamplightReader?: Worker;
  }
}

const reading = window.lamplightReader;

let held: PDFWorker | undefined;

/** One for all documents: it starts while the screen is still being fetched, and the next document finds it running. */
function worker(): PDFWorker {
  if (held && !held.destroyed) return held;
  held = !held && reading ? PDFWorker.create({ port: reading }) : new PDFWorker();
  return held;
}

const RANGE_BYTES = 128 * 1024;

/** Begins to read a document by ranges; nothing is fetched that is not looked at. */
export function readDocument(path: string, token: string | undefined): PDFDocumentLoadingTask {
  const assets = new URL(import.meta.env.VITE_PDF_ASSETS, location.origin).href;
  return getDocument({
    url: new URL(path, location.origin).href,
    ...(token === undefined ? {} : { httpHeaders: { authorization: `Bearer ${token}` } }),
    worker: worker(),
    rangeChunkSize: RANGE_BYTES,
    disableAutoFetch: true,
    disableStream: true,
    cMapUrl: `${assets}cmaps/`,
    standardFontDataUrl: `${assets}standard_fonts/`,
    wasmUrl: `${assets}wasm/`,
    iccUrl: `${assets}iccs/`,
    verbosity: VerbosityLevel.ERRORS,
  });
}

export type ReadFault = "missing" | "broken" | "offline" | "failed" | "locked";

/** Why a document did not open, from what pdf.js threw. */
export function faultOf(error: unknown): ReadFault {
  if (error instanceof PasswordException) return "locked";
  if (error instanceof InvalidPDFException) return "broken";
  if (error instanceof ResponseException) return faultOfStatus(error.status);
  return navigator.onLine ? "failed" : "offline";
}

function faultOfStatus(status: number): ReadFault {
  if (status === 404 || status === 400) return "missing";
  return status === 0 ? "offline" : "failed";
}
