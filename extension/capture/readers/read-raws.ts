// Processes raw captures. Needs no server, and for files on the web only their site.
import { wordsBetween } from "#shared/capture/rules.ts";
import { NoAnswer } from "#shared/client/client.ts";
import { Failure } from "#shared/contract/failure.ts";
import { NotKept } from "#extension/app/full-disk.ts";
import { words } from "#extension/words/words.ts";
import { draftCard } from "../draft.ts";
import { hashOf } from "../delivery/ids.ts";
import { checkPdf, fetchPdf, NoAccess } from "./pdf-file.ts";
import { linesOf } from "./said.ts";
import { type Capture, changeCapture, type DraftCard, keepRaw, listInState, type Raw, readRaw } from "../store.ts";

/**
 * A gesture that was interrupted, as by the end of the service worker, continues without the missing data after this
 * time.
 */
const CUT_OFF_MS = 60_000;

type Change = Partial<Omit<Capture, "id">>;

/** A proposed card, or the text as the answer if none can be generated. */
function draftOf(text: string): DraftCard {
  try {
    return draftCard(text);
  } catch (error) {
    reportError(error);
    return { question: "", answer: text };
  }
}

/** A draft card from the captions of a clip; without captions the student writes it. */
function draftOfClip({ locator }: Capture, { video }: Raw): Change {
  const { startMs = 0, endMs = startMs } = locator ?? {};
  const { lines, reason } = video ? linesOf(video) : { lines: [], reason: "unreachable" as const };
  const said = wordsBetween(lines, startMs, endMs);
  if (!said) {
    const notice = words[`no_captions_${reason ?? "no_captions"}`];
    return { state: "draft", card: { question: "", answer: "" }, notice: reason === null ? null : notice };
  }
  const quote = said.text.slice(0, 8000);
  return { state: "draft", card: draftOf(said.text), locator: { ...locator, quote } };
}

function readOne(capture: Capture, raw: Raw): Change | undefined {
  // Absolute difference: a clock set back must not leave a capture waiting.
  const isCutOff = Math.abs(Date.now() - capture.capturedAt) > CUT_OFF_MS;
  switch (capture.kind) {
    case "card":
      if (raw.text !== undefined) return { state: "draft", card: draftOf(raw.text) };
      return raw.video || isCutOff ? draftOfClip(capture, raw) : undefined;
    case "video":
      if (raw.video) return { state: "ready" };
      return isCutOff ? { state: "refused", problem: words.video_unread } : undefined;
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
export async function readRaws(): Promise<void> {
  for (const capture of await listInState("raw")) {
    const isRead = capture.kind === "card" || capture.kind === "video";
    const change = readOne(capture, (isRead && (await readRaw(capture.id))) || {});
    if (change) await changeCapture(capture.id, change);
  }
}

async function readFile(capture: Capture): Promise<void> {
  const raw = (await readRaw(capture.id)) ?? {};
  const { fileName = "document.pdf", fileAddress } = raw;
  if (!raw.file && fileAddress === undefined) throw new Failure("bad_input", { message: words.file_gone });
  const file = raw.file ?? (await fetchPdf(fileAddress ?? ""));
  await checkPdf(file, fileName);
  const typed = new Blob([file], { type: "application/pdf" });
  await keepRaw(capture.id, { fileName, file: typed });
  await changeCapture(capture.id, { state: "ready", fileHash: await hashOf(typed), problem: null });
}

function whyNot(error: unknown): Change | undefined {
  if (error instanceof NoAnswer) return undefined;
  // Downloading it again would not help.
  if (error instanceof NotKept) return { state: "refused", problem: words.disk_full };
  if (error instanceof NoAccess) return { state: "refused", problem: words.pdf_no_access, needsAccess: true };
  if (error instanceof Failure) return { state: "refused", problem: error.message };
  throw error;
}

/** Downloads and validates requested files; an invalid one does not block others. */
export async function readFiles(): Promise<void> {
  const files = (await listInState("raw")).filter(({ kind }) => kind === "pdf");
  for (const capture of files) {
    try {
      await readFile(capture);
    } catch (error) {
      const change = whyNot(error);
      if (change) await changeCapture(capture.id, change);
    }
  }
}
