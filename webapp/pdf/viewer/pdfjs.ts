import {
  getDocument,
  GlobalWorkerOptions,
  InvalidPDFException,
  PasswordException,
  PDFWorker,
  ResponseException,
  VerbosityLevel,
} from "pdfjs-dist/legacy/build/pdf.mjs";
// Vite's `?url` import provides the default export.
// oxlint-disable-next-line import/default
import rendererAddress from "pdfjs-dist/legacy/build/pdf.renderer.min.mjs?url";
// oxlint-disable-next-line import/default
import workerAddress from "pdfjs-dist/legacy/build/pdf.worker.min.mjs?url";
import type { PDFDocumentLoadingTask } from "pdfjs-dist";

export { TextLayer } from "pdfjs-dist/legacy/build/pdf.mjs";

GlobalWorkerOptions.workerSrc = workerAddress;
// Rendering in a worker keeps scrolling smooth.
GlobalWorkerOptions.rendererSrc = rendererAddress;

declare global {
  interface Window {
    /** pdf.js worker that `boot.js` starts early for URLs that need it. */
    lamplightReader?: Worker;
  }
}

const earlyWorker = window.lamplightReader;

let sharedWorker: PDFWorker | undefined;

/** One worker for all documents: it starts while the screen is still loading and is reused afterwards. */
function getWorker(): PDFWorker {
  if (sharedWorker && !sharedWorker.destroyed) return sharedWorker;
  sharedWorker = !sharedWorker && earlyWorker ? PDFWorker.create({ port: earlyWorker }) : new PDFWorker();
  return sharedWorker;
}

const RANGE_BYTES = 128 * 1024;

/** Loads a document by range requests, fetching only what is viewed. */
export function readDocument(path: string, token: string | undefined): PDFDocumentLoadingTask {
  const assets = new URL(import.meta.env.VITE_PDF_ASSETS, location.origin).href;
  return getDocument({
    url: new URL(path, location.origin).href,
    ...(token === undefined ? {} : { httpHeaders: { authorization: `Bearer ${token}` } }),
    worker: getWorker(),
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

export type LoadFailure = "missing" | "broken" | "offline" | "failed" | "locked";

/** Classifies an error thrown by pdf.js. */
export function classifyFailure(error: unknown): LoadFailure {
  if (error instanceof PasswordException) return "locked";
  if (error instanceof InvalidPDFException) return "broken";
  if (error instanceof ResponseException) return classifyStatus(error.status);
  return navigator.onLine ? "failed" : "offline";
}

function classifyStatus(status: number): LoadFailure {
  if (status === 404 || status === 400) return "missing";
  return status === 0 ? "offline" : "failed";
}
