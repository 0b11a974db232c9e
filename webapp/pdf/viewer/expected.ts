import type { PDFDocumentLoadingTask } from "pdfjs-dist";
import { readToken } from "#webapp/app/session/token.ts";
import { holdKeys } from "./early-keys.ts";
import { paintFirst, type FirstPicture } from "./first-picture.ts";
import { readDocument } from "./pdfjs.ts";

/** Told that a document wants a password: how to answer, and why it asks; 2 where the last answer was wrong. */
type Locked = (answer: (password: string) => void, reason: number) => void;

interface Reading {
  componentId: string;
  task: PDFDocumentLoadingTask;
  /** Names who is told of a password that is wanted, or was wanted already. */
  whenLocked: (locked: Locked) => void;
}

/** pdf.js fetches by itself, part by part: the one place where the file is not asked for through the client. */
function begin(componentId: string): Reading {
  const task = readDocument(`/v1/pdf_component/data?componentId=${encodeURIComponent(componentId)}`, readToken());
  // Where it is no PDF nobody waits for this.
  task.promise.catch(() => undefined);
  let told: Locked | undefined;
  let waiting: Parameters<Locked> | undefined;
  task.onPassword = (...asked: Parameters<Locked>) => {
    if (told) told(...asked);
    else waiting = asked;
    // Only the screen can ask for it.
    tellBoot();
  };
  const whenLocked = (locked: Locked) => {
    told = locked;
    if (waiting) locked(...waiting);
  };
  return { componentId, task, whenLocked };
}

/**
 * The document that the address asks for is begun before the app itself stands: `boot.js` fetches this file beside the
 * app's own, so it must need nothing that lies in the app's first chunk.
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
    /** The page that was to be painted first is on the screen, or will not be before there is a screen for it. */
    isLamplightShown?: boolean;
  }
}

/** `boot.js` holds the app back meanwhile; where nothing will be shown first that is told at once. */
function tellBoot(): void {
  window.isLamplightShown = true;
  window.dispatchEvent(new Event("lamplight-shown"));
}

interface Early {
  /** A page that is being painted already. */
  first: FirstPicture | undefined;
}

/** A document that is being read, from its beginning or as far as it has come. */
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
