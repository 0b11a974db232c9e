import { anchorQuote } from "#shared/pdf/anchoring/quote-anchoring.ts";
import { Failure } from "#shared/contract/failure.ts";
import { NoResponseError } from "#shared/client/client.ts";
import { webCitationLocation } from "#shared/capture/rules.ts";
import { webCitation } from "#shared/citations.ts";
import { buildOcclusionCards } from "#shared/flashcards/card-builders.ts";
import { interpolate } from "#shared/messages/interpolate.ts";
import type { Component } from "#shared/pages/schema.ts";
import { runUpload, type UploadCalls } from "#shared/uploads/upload-run.ts";
import type { SyncQueue } from "#shared/sync/queue.ts";
import { client } from "#extension/app/client.ts";
import { words } from "#extension/words/words.ts";
import { requestCards } from "./card-jobs.ts";
import { deriveFileComponentId, derivePageIds } from "./derived-ids.ts";
import { addCards, type Delivery, ensurePage, unlessNotFound, ensureSent } from "./library-delivery.ts";
import { type Capture, changeCapture, readRaw } from "../store.ts";

/** At most this much is sent again after a lost connection. */
const CHUNK_BYTES = 2 * 1024 * 1024;

type FileComponent = Extract<Component, { type: "image" | "video" }>;

function createUploadCalls(id: string, pageId: string, file: Blob, name: string): UploadCalls<Component> {
  const uploadRequest = {
    componentId: id,
    family: "image" as const,
    name,
    type: file.type,
    sizeBytes: file.size,
    pageId,
  };
  return {
    start: async () => (await client.uploads.startUpload(uploadRequest)).upload,
    state: async () => (await client.uploads.getUpload({ id })).upload,
    append: async (offset, end) => {
      const chunk = { field: "piece", file: file.slice(offset, end), name: "piece" };
      return (await client.uploads.appendToUpload({ id, offset }, [chunk])).upload;
    },
    complete: async () => (await client.uploads.completeUpload({ id })).component,
  };
}

const isFile = (component: Component | undefined): component is FileComponent => component?.type === "image";

/** Uploads a capture's file as a component on its page; chunks the server already has are not sent again. */
async function uploadFile(delivery: Delivery, capture: Capture): Promise<FileComponent> {
  const { accountId, ids } = delivery;
  const id = await deriveFileComponentId(accountId, capture.address, capture.fileHash ?? "");
  const existing = (await unlessNotFound(client.pages.getComponent({ id })))?.component;
  if (isFile(existing) && existing.content.file.id !== "") return existing;
  const raw = await readRaw(capture.id);
  if (!raw?.file) throw new Failure("bad_input", { message: words.file_gone });
  const { file, fileName = "document.pdf" } = raw;
  await ensureSent(delivery, [ids.pageId]);
  const made = await runUpload({
    calls: createUploadCalls(id, ids.pageId, file, fileName),
    sizeBytes: file.size,
    pieceBytes: CHUNK_BYTES,
    // Fail instead of waiting: this capture is retried later, and other captures are not held up.
    wait: () => Promise.reject(new NoResponseError("network")),
    isStopped: () => false,
    // Progress is optional: ignore a failure to store it.
    onProgress: (sent) => void changeCapture(capture.id, { sentShare: sent / file.size }).catch(() => undefined),
    onPhase: () => undefined,
  });
  if (!isFile(made)) throw new Failure("broken", { message: words.broken });
  return made;
}

/** Finds the page of the selected words in a document on the server; failures are ignored. */
async function findPageOfQuote(componentId: string, quote: string): Promise<number | undefined> {
  try {
    const { passages } = await client.pdf.getPassages({ id: componentId });
    const pageTexts = passages.map(({ text, locator }) => ({ page: locator.page ?? 1, text }));
    return anchorQuote(pageTexts, { quote })?.page;
  } catch {
    return undefined;
  }
}

async function deliverPdf(delivery: Delivery, capture: Capture): Promise<string> {
  const { _id: id } = await uploadFile(delivery, capture);
  const { quote, page } = capture.locator ?? {};
  if (quote !== undefined && page === undefined) {
    const foundPage = await findPageOfQuote(id, quote);
    if (foundPage === undefined) await changeCapture(capture.id, { notice: words.quote_not_found });
    else await changeCapture(capture.id, { locator: { ...capture.locator, page: foundPage } });
  }
  if (capture.wants) {
    const { from, to } = capture.wants;
    const pages = { ...(from === undefined ? {} : { startPage: from }), ...(to === undefined ? {} : { endPage: to }) };
    await requestCards(delivery, capture, { pdfComponents: [{ componentId: id, ...pages }] });
  }
  return id;
}

/** Uploads an image and creates a card for each hidden region. */
async function deliverImage(delivery: Delivery, capture: Capture): Promise<string> {
  const { _id: id, content } = await uploadFile(delivery, capture);
  const { regions = [], title } = capture;
  let cardCount = 0;
  const makeCardId = () => {
    cardCount += 1;
    return `${capture.id}${cardCount}`;
  };
  const picture = {
    image: `/v1/files/${content.file.id}`,
    question: interpolate(words.hidden_question, { name: title }),
    regions,
    hidesAll: true,
    citation: webCitation(webCitationLocation(capture.address)),
  };
  if (regions.length > 0) await addCards(delivery, buildOcclusionCards(picture, makeCardId), title);
  return id;
}

/** Uploads a PDF or image in chunks, and starts the requested card generation. */
export async function deliverFile(queue: SyncQueue, accountId: string, capture: Capture): Promise<void> {
  const ids = await derivePageIds(accountId, capture.address);
  const delivery = { queue, accountId, ids };
  await ensurePage(delivery, capture);
  const componentId = await (capture.kind === "pdf" ? deliverPdf : deliverImage)(delivery, capture);
  const deckIds = capture.wants || (capture.regions ?? []).length > 0 ? [ids.deckId] : [];
  const resources = [ids.pageId, ids.headId, ...deckIds];
  await changeCapture(capture.id, { state: "sending", accountId, pageId: ids.pageId, componentId, resources });
}
