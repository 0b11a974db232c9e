import type { PDFDocumentLoadingTask } from "pdfjs-dist";
import { readToken } from "#webapp/app/session/token.ts";
import { holdKeys } from "./early-keys.ts";
import { paintFirst, type FirstPicture } from "./first-picture.ts";
import { readDocument } from "./pdfjs.ts";

/** Called when a document needs a password; `reason` is 2 if the previous one was wrong. */
type Locked = (answer: (password: string) => void, reason: number) => void;

interface Reading {
  componentId: string;
  task: PDFDocumentLoadingTask;
  /** Sets the password listener and replays a request that was made before. */
  whenLocked: (locked: Locked) => void;
}

/** pdf.js fetches ranges itself; this is the only file request that does not go through the API client. */
function begin(componentId: string): Reading {
  const task = readDocument(`/v1/pdf_component/data?componentId=${encodeURIComponent(componentId)}`, readToken());
  // Handled by `openDocument`; avoids an unhandled rejection if the file is not a PDF.
  task.promise.catch(() => undefined);
  let told: Locked | undefined;
  let waiting: Parameters<Locked> | undefined;
  task.onPassword = (...asked: Parameters<Locked>) => {
    if (told) told(...asked);
    else waiting = asked;
    // Only the screen can ask for the password.
    tellBoot();
  };
  const whenLocked = (locked: Locked) => {
    told = locked;
    if (waiting) locked(...waiting);
  };
  return { componentId, task, whenLocked };
}

/**
 * Starts loading the document in the URL before the app is ready. `boot.js` fetches this module in parallel with the
 * app, so it must not import anything from the app's first chunk.
 */
const opened = /^\/pdf\/(?:[^?#]*\/)?([\w-]+)$/.exec(location.pathname)?.[1];
let expected: (Reading & Early) | undefined;
if (opened !== undefined && readToken() !== undefined) {
  const reading = begin(opened);
  const first = paintFirst(opened, reading.task.promise);
  expected = { ...reading, first };
  holdKeys();
  void first.shown.then(tellBoot);
}

declare global {
  interface Window {
    /** Set once the first page is visible, or will not be before the screen is mounted. */
    isLamplightShown?: boolean;
  }
}

/** `boot.js` delays the app until this event. It is sent at once if nothing will be painted early. */
function tellBoot(): void {
  window.isLamplightShown = true;
  window.dispatchEvent(new Event("lamplight-shown"));
}

interface Early {
  /** The first page, if it is already being painted. */
  first: FirstPicture | undefined;
}

/** Takes over a document that is already loading, or starts loading it. */
export function takeDocument(componentId: string, locked: Locked): Early & { task: PDFDocumentLoadingTask } {
  const found = expected;
  expected = undefined;
  if (found && found.componentId !== componentId) {
    found.first?.takeDown();
    void found.task.destroy();
  }
  const reading = found?.componentId === componentId ? found : begin(componentId);
  reading.whenLocked(locked);
  return { task: reading.task, first: found === reading ? found?.first : undefined };
}
