// Processes raw captures. Needs no server; files on the web are downloaded from their sites.
import { textBetween } from "#shared/capture/rules.ts";
import { NoResponseError } from "#shared/client/client.ts";
import { Failure } from "#shared/contract/failure.ts";
import { DiskWriteError } from "#extension/app/disk-errors.ts";
import { words } from "#extension/words/words.ts";
import { draftCard } from "../draft.ts";
import { hashFile } from "../delivery/derived-ids.ts";
import { checkPdf, fetchPdf, NoAccessError } from "./pdf-file.ts";
import { captionLines } from "./caption-lines.ts";
import {
  type Capture,
  changeCapture,
  type DraftCard,
  updateRaw,
  listInState,
  type RawCapture,
  readRaw,
} from "../store.ts";

/**
 * If a gesture was interrupted, for example because the service worker ended, its capture continues without the missing
 * data after this time.
 */
const INTERRUPTED_AFTER_MS = 60_000;

type Change = Partial<Omit<Capture, "id">>;

/** A proposed card, or the text as the answer if none can be generated. */
function proposeCard(text: string): DraftCard {
  try {
    return draftCard(text);
  } catch (error) {
    reportError(error);
    return { question: "", answer: text };
  }
}

/** A draft card from the captions of a clip; without captions the student writes it. */
function proposeCardOfClip({ locator }: Capture, { video }: RawCapture): Change {
  const { startMs = 0, endMs = startMs } = locator ?? {};
  const { lines, reason } = video ? captionLines(video) : { lines: [], reason: "unreachable" as const };
  const clip = textBetween(lines, startMs, endMs);
  if (!clip) {
    const notice = words[`no_captions_${reason ?? "no_captions"}`];
    return { state: "draft", card: { question: "", answer: "" }, notice: reason === null ? null : notice };
  }
  const quote = clip.text.slice(0, 8000);
  return { state: "draft", card: proposeCard(clip.text), locator: { ...locator, quote } };
}

function processRaw(capture: Capture, raw: RawCapture): Change | undefined {
  // Absolute difference: a clock set back must not leave a capture waiting.
  const isInterrupted = Math.abs(Date.now() - capture.capturedAt) > INTERRUPTED_AFTER_MS;
  switch (capture.kind) {
    case "card":
      if (raw.text !== undefined) return { state: "draft", card: proposeCard(raw.text) };
      return raw.video || isInterrupted ? proposeCardOfClip(capture, raw) : undefined;
    case "video":
      if (raw.video) return { state: "ready" };
      return isInterrupted ? { state: "refused", problem: words.video_interrupted } : undefined;
    case "note":
    case "link":
      return { state: "ready" };
    case "image":
    case "pdf":
      return undefined;
    default:
      return capture.kind satisfies never;
  }
}

/** Turns selections into drafts and marks pages as ready. */
export async function processRaws(): Promise<void> {
  for (const capture of await listInState("raw")) {
    const hasRaw = capture.kind === "card" || capture.kind === "video";
    const change = processRaw(capture, (hasRaw && (await readRaw(capture.id))) || {});
    if (change) await changeCapture(capture.id, change);
  }
}

async function processFile(capture: Capture): Promise<void> {
  const raw = (await readRaw(capture.id)) ?? {};
  const { fileName = "document.pdf", fileAddress } = raw;
  if (!raw.file && fileAddress === undefined) throw new Failure("bad_input", { message: words.file_gone });
  const file = raw.file ?? (await fetchPdf(fileAddress ?? ""));
  await checkPdf(file, fileName);
  const pdf = new Blob([file], { type: "application/pdf" });
  await updateRaw(capture.id, { fileName, file: pdf });
  await changeCapture(capture.id, { state: "ready", fileHash: await hashFile(pdf), problem: null });
}

const UNREADABLE = new Set(["NotReadableError", "NotFoundError"]);

/** The browser has lost the file, or it does not fit into memory. */
const isUnreadable = (error: unknown) =>
  error instanceof RangeError || (error instanceof DOMException && UNREADABLE.has(error.name));

function toChange(error: unknown): Change | undefined {
  if (error instanceof NoResponseError) return undefined;
  // Downloading it again would not help.
  if (error instanceof DiskWriteError) return { state: "refused", problem: words.disk_full };
  if (error instanceof NoAccessError) return { state: "refused", problem: words.pdf_no_access, needsAccess: true };
  if (error instanceof Failure) return { state: "refused", problem: error.message };
  if (isUnreadable(error)) return { state: "refused", problem: words.cannot_read_file };
  throw error;
}

/** Downloads and validates requested files; an invalid one does not block others. */
export async function processFiles(): Promise<void> {
  const files = (await listInState("raw")).filter(({ kind }) => kind === "pdf");
  for (const capture of files) {
    try {
      await processFile(capture);
    } catch (error) {
      const change = toChange(error);
      if (change) await changeCapture(capture.id, change);
    }
  }
}
