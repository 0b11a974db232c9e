// Vite's `?url` imports provide the default export.
// oxlint-disable import/default
import coreAddress from "tesseract.js-core/tesseract-core-simd-lstm.wasm.js?url";
import workerAddress from "tesseract.js/dist/worker.min.js?url";
// oxlint-enable import/default
import { createWorker, OEM } from "tesseract.js";
import { ToolError, type Report, type Source } from "../use-cards.ts";
import { word } from "../words.ts";
import { readText } from "./read-text.ts";

const LANGUAGE = "eng";
// The recogniser and the language data come from our own server.
const addresses = () => ({
  langPath: new URL(import.meta.env.VITE_RECOGNITION, location.origin).href,
  workerPath: new URL(workerAddress, location.origin).href,
  corePath: new URL(coreAddress, location.origin).href,
});

async function fetchWhole(file: string): Promise<void> {
  const response = await fetch(file, { priority: "low" });
  if (!response.ok) throw new Error(`${file} could not be loaded: ${response.status}`);
  await response.arrayBuffer();
}

let prepared: Promise<unknown> | undefined;

/**
 * Fetches the recogniser and the language data into the browser's cache, so that pictures are recognised without a
 * network. They are fetched once, unless that fails, and are not started before there is a picture.
 */
export async function prepareRecognition(): Promise<void> {
  const { langPath, workerPath, corePath } = addresses();
  const files = [workerPath, corePath, `${langPath}/${LANGUAGE}.traineddata.gz`];
  prepared ??= Promise.all(files.map(fetchWhole));
  try {
    await prepared;
  } catch (error) {
    prepared = undefined;
    throw error;
  }
}

/** Recognises the text of a picture in this tab. */
export async function readImage(file: File, report: Report, signal: AbortSignal): Promise<Source> {
  report(word("recognising", { percent: 0 }));
  const worker = await createWorker(LANGUAGE, OEM.LSTM_ONLY, {
    ...addresses(),
    workerBlobURL: false,
    cacheMethod: "none",
    logger: ({ status, progress }) => {
      if (status === "recognizing text") report(word("recognising", { percent: Math.round(progress * 100) }));
    },
  });
  try {
    const { data } = await untilAborted(signal, () =>
      worker.recognize(file).catch(() => {
        throw new ToolError(word("error_read"));
      }),
    );
    // Line breaks within a paragraph come from the picture's layout. A hyphen at a line break usually divides a word.
    const text = data.text
      .replaceAll(/(\p{Ll})-\n(\p{Ll})/gu, "$1$2")
      .split(/\n\s*\n/)
      .map((paragraph) => paragraph.replaceAll(/\s+/g, " ").trim())
      .join("\n\n");
    return await readText(text, "error_no_text_image");
  } finally {
    await worker.terminate();
  }
}

/** Rejects when the signal aborts: a recogniser that was terminated never answers. */
function untilAborted<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(new DOMException("Stopped", "AbortError"));
    if (signal.aborted) {
      stop();
      return;
    }
    signal.addEventListener("abort", stop, { once: true });
    work().then(resolve, reject);
  });
}
