import type { PDFDocumentLoadingTask } from "pdfjs-dist";
import { readToken } from "#webapp/app/session/token.ts";
import { startBufferingKeys } from "./key-buffer.ts";
import { readDocumentView } from "./document-view.ts";
import { paintEarly, type EarlyPaint } from "./early-paint.ts";
import { readDocument } from "./pdfjs.ts";

/** Called when a document needs a password; `reason` is 2 if the previous one was wrong. */
type PasswordListener = (answer: (password: string) => void, reason: number) => void;

interface LoadingDocument {
  componentId: string;
  task: PDFDocumentLoadingTask;
  /** Sets the password listener and replays a request that was made before. */
  onPasswordNeeded: (listener: PasswordListener) => void;
}

/** pdf.js fetches ranges itself; this is the only file request that does not go through the API client. */
function startLoading(componentId: string): LoadingDocument {
  const task = readDocument(`/v1/pdf_component/data?componentId=${encodeURIComponent(componentId)}`, readToken());
  // Handled by `openDocument`; avoids an unhandled rejection if the file is not a PDF.
  task.promise.catch(() => undefined);
  let passwordListener: PasswordListener | undefined;
  let pendingRequest: Parameters<PasswordListener> | undefined;
  task.onPassword = (...request: Parameters<PasswordListener>) => {
    if (passwordListener) passwordListener(...request);
    else pendingRequest = request;
    // Only the screen can ask for the password.
    notifyBoot();
  };
  const onPasswordNeeded = (listener: PasswordListener) => {
    passwordListener = listener;
    if (pendingRequest) listener(...pendingRequest);
  };
  return { componentId, task, onPasswordNeeded };
}

/**
 * Starts loading the document in the URL before the app is ready. `boot.js` fetches this module in parallel with the
 * app, so it must not import anything from the app's first chunk.
 */
const openedId = /^\/pdf\/(?:[^?#]*\/)?([\w-]+)$/.exec(location.pathname)?.[1];
let preloaded: (LoadingDocument & EarlyDocument) | undefined;
if (openedId !== undefined && readToken() !== undefined) {
  const loading = startLoading(openedId);
  // The text view paints no page early and buffers no keys, because only the screen can show the text.
  const isText = readDocumentView() === "text";
  const first = isText ? undefined : paintEarly(openedId, loading.task.promise);
  preloaded = { ...loading, first };
  if (!isText) startBufferingKeys();
  if (first) void first.shown.then(notifyBoot);
  else notifyBoot();
}

declare global {
  interface Window {
    /** Set once the first page is visible, or once it is certain that no page will be shown early. */
    isLamplightShown?: boolean;
  }
}

/** `boot.js` delays the app until this event. It is sent at once if nothing will be painted early. */
function notifyBoot(): void {
  window.isLamplightShown = true;
  window.dispatchEvent(new Event("lamplight-shown"));
}

interface EarlyDocument {
  /** The first page, if it is already being painted. */
  first: EarlyPaint | undefined;
}

/** Takes over a document that is already loading, or starts loading it. */
export function claimDocument(
  componentId: string,
  listener: PasswordListener,
): EarlyDocument & { task: PDFDocumentLoadingTask } {
  const preload = preloaded;
  preloaded = undefined;
  if (preload && preload.componentId !== componentId) {
    preload.first?.dismiss();
    void preload.task.destroy();
  }
  const loading = preload?.componentId === componentId ? preload : startLoading(componentId);
  loading.onPasswordNeeded(listener);
  return { task: loading.task, first: preload === loading ? preload?.first : undefined };
}
