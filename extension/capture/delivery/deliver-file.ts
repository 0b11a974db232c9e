import { findQuote } from "#shared/pdf/anchoring.ts";
import { Failure } from "#shared/contract/failure.ts";
import { NoAnswer } from "#shared/client/client.ts";
import { placeOfAddress } from "#shared/capture/rules.ts";
import { webCitation } from "#shared/citations.ts";
import { hiddenCards } from "#shared/flashcards/making.ts";
import { fill } from "#shared/messages/fill.ts";
import type { Component } from "#shared/pages/schema.ts";
import { runUpload, type UploadCalls } from "#shared/pages/upload-run.ts";
import type { SyncQueue } from "#shared/sync/queue.ts";
import { client } from "#extension/app/client.ts";
import { words } from "#extension/words/words.ts";
import { makeCardsThere } from "./card-jobs.ts";
import { fileComponentId, placeIds } from "./ids.ts";
import { addCards, type Delivery, ensurePage, found, untilThere } from "./placing.ts";
import { type Capture, changeCapture, readRaw } from "../store.ts";

/** At most this much is sent again after a lost connection. */
const PIECE_BYTES = 2 * 1024 * 1024;

type FileComponent = Extract<Component, { type: "image" | "video" }>;

function callsFor(id: string, pageId: string, file: Blob, name: string): UploadCalls<Component> {
  const asked = { componentId: id, family: "image" as const, name, type: file.type, sizeBytes: file.size, pageId };
  return {
    start: async () => (await client.pages.startUpload(asked)).upload,
    state: async () => (await client.pages.getUpload({ id })).upload,
    append: async (offset, end) => {
      const piece = { field: "piece", file: file.slice(offset, end), name: "piece" };
      return (await client.pages.appendToUpload({ id, offset }, [piece])).upload;
    },
    complete: async () => (await client.pages.completeUpload({ id })).component,
  };
}

const isFile = (component: Component | undefined): component is FileComponent => component?.type === "image";

/** Uploads a capture's file as a component on its page; chunks the server already has are not sent again. */
async function bringFile(delivery: Delivery, capture: Capture): Promise<FileComponent> {
  const { accountId, ids } = delivery;
  const id = await fileComponentId(accountId, capture.address, capture.fileHash ?? "");
  const there = (await found(client.pages.getComponent({ id })))?.component;
  if (isFile(there) && there.content.file.id !== "") return there;
  const raw = await readRaw(capture.id);
  if (!raw?.file) throw new Failure("bad_input", { message: words.file_gone });
  const { file, fileName = "document.pdf" } = raw;
  await untilThere(delivery, [ids.pageId]);
  const made = await runUpload({
    calls: callsFor(id, ids.pageId, file, fileName),
    sizeBytes: file.size,
    pieceBytes: PIECE_BYTES,
    // Fail instead of waiting: the capture is retried later, and others continue meanwhile.
    wait: () => Promise.reject(new NoAnswer("network")),
    isStopped: () => false,
    // Progress is optional: ignore a failure to store it.
    onProgress: (sent) => void changeCapture(capture.id, { sentShare: sent / file.size }).catch(() => undefined),
    onPhase: () => undefined,
  });
  if (!isFile(made)) throw new Failure("broken", { message: words.broken });
  return made;
}

/** Finds the page of the selected words in a document on the server; failures are ignored. */
async function pageOfQuote(componentId: string, quote: string): Promise<number | undefined> {
  try {
    const { passages } = await client.pdf.getPassages({ id: componentId });
    const places = passages.map(({ text, locator }) => ({ page: locator.page ?? 1, text }));
    return findQuote(places, { quote })?.page;
  } catch {
    return undefined;
  }
}

async function deliverPdf(delivery: Delivery, capture: Capture): Promise<string> {
  const { _id: id } = await bringFile(delivery, capture);
  const { quote, page } = capture.locator ?? {};
  if (quote !== undefined && page === undefined) {
    const known = await pageOfQuote(id, quote);
    if (known === undefined) await changeCapture(capture.id, { notice: words.quote_not_found });
    else await changeCapture(capture.id, { locator: { ...capture.locator, page: known } });
  }
  if (capture.wants) {
    const { from, to } = capture.wants;
    const pages = { ...(from === undefined ? {} : { startPage: from }), ...(to === undefined ? {} : { endPage: to }) };
    await makeCardsThere(delivery, capture, { pdfComponents: [{ componentId: id, ...pages }] });
  }
  return id;
}

/** Uploads an image and creates a card for each hidden region. */
async function deliverImage(delivery: Delivery, capture: Capture): Promise<string> {
  const { _id: id, content } = await bringFile(delivery, capture);
  const { regions = [], title } = capture;
  let made = 0;
  const picture = {
    image: `/v1/files/${content.file.id}`,
    question: fill(words.hidden_question, { name: title }),
    regions,
    hidesAll: true,
    citation: webCitation(placeOfAddress(capture.address)),
  };
  if (regions.length > 0)
    await addCards(
      delivery,
      hiddenCards(picture, () => `${capture.id}${(made += 1)}`),
      title,
    );
  return id;
}

/** Uploads a PDF or image in chunks, and starts the requested card generation. */
export async function deliverFile(queue: SyncQueue, accountId: string, capture: Capture): Promise<void> {
  const ids = await placeIds(accountId, capture.address);
  const delivery = { queue, accountId, ids };
  await ensurePage(delivery, capture);
  const componentId = await (capture.kind === "pdf" ? deliverPdf : deliverImage)(delivery, capture);
  const ofDeck = capture.wants || (capture.regions ?? []).length > 0 ? [ids.deckId] : [];
  const resources = [ids.pageId, ids.headId, ...ofDeck];
  await changeCapture(capture.id, { state: "sending", accountId, pageId: ids.pageId, componentId, resources });
}
