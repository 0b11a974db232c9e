import { ulid } from "ulid";
import { NoResponseError } from "#shared/client/client.ts";
import { toFailureMessage } from "#shared/client/failure-messages.ts";
import { Failure } from "#shared/contract/failure.ts";
import type { TextSource } from "#shared/flashcards/schema.ts";
import { parseMarkdownBlocks, type NewBlock } from "#shared/pages/markdown-read.ts";
import { plainText } from "#shared/pages/runs.ts";
import type { Component } from "#shared/pages/schema.ts";
import { limitsOf } from "#shared/billing/rules.ts";
import type { Plan } from "#shared/user/schema.ts";
import { notify } from "#webapp/app/alerts.ts";
import { client } from "#webapp/app/client.ts";
import { loadContent } from "#webapp/library/content.ts";
import { logWarning } from "#webapp/app/log.ts";
import { userAtom } from "#webapp/app/session/session.ts";
import { store } from "#webapp/app/store.ts";
import { queue } from "#webapp/offline/sync.ts";
import { addUploads } from "#webapp/uploads/uploads.ts";

/** The maximum number of sources per generation. */
const MAX_SOURCES = 50;
/** Shorter lines are headings or labels, which are too short for a card. */
const MIN_SOURCE_CHARS = 30;

interface GenerationSources {
  texts?: TextSource[];
  pdfComponents?: { componentId: string; startPage: number; endPage: number }[];
}

/** A created page and the sources for its cards; `sources` is undefined if no cards can be made. */
export interface FirstPage {
  pageId: string;
  title: string;
  sources: GenerationSources | undefined;
}

async function createComponent(pageId: string, block: { type: Component["type"]; content: object }): Promise<string> {
  const { accountId } = queue();
  const _id = ulid();
  const now = Date.now();
  const meta = { pageId, createdAt: now, modifiedAt: now, createdBy: accountId, lastOpenedAt: null, version: 1 };
  const component = { ...meta, _id, ...block } as Component;
  await queue().enqueue("component_create", _id, { component, parentId: pageId });
  return _id;
}

const isPlainBlock = (block: NewBlock): block is Exclude<NewBlock, { type: "file" | "flash_cards" }> =>
  block.type !== "file" && block.type !== "flash_cards";

/** Creates a page from notes; resolves once it is stored on this device. */
export async function createPageFromNotes(title: string, notes: string): Promise<FirstPage> {
  const pageId = ulid();
  await queue().enqueue("page_create", pageId, { title, createdAt: Date.now() });
  const texts: TextSource[] = [];
  for (const block of parseMarkdownBlocks(notes).filter(isPlainBlock)) {
    const componentId = await createComponent(pageId, block);
    const text = block.type === "text" ? plainText(block.content.text) : "";
    if (text.length >= MIN_SOURCE_CHARS) texts.push({ text, pageId, componentId });
  }
  return { pageId, title, sources: texts.length > 0 ? { texts: texts.slice(0, MAX_SOURCES) } : undefined };
}

const isReadable = ({ type, content }: Component) => type === "image" && /\.(pdf|docx?|pptx?)$/iu.test(content.file.id);

/** The title in the document, otherwise its file name without the extension. */
const titleOf = ({ type, content }: Component, file: File): string =>
  (type === "image" && content.title) || file.name.replace(/\.[a-z0-9]{1,8}$/iu, "");

/** The number of pages of a document from which the plan makes cards. */
export const cardPageLimit = (plan: Plan | undefined): number => limitsOf(plan, Date.now()).pdfToFlashcardsPages;

/** Uploads a file to a page of its own; undefined on failure, which the upload list reports. */
export async function createPageFromFile(file: File): Promise<FirstPage | undefined> {
  const [component] = await addUploads([file], { pageId: null });
  if (!component) return undefined;
  await loadContent();
  // The first pages, as many as the plan allows. The server shortens the range to the document.
  const range = { startPage: 1, endPage: cardPageLimit(store.get(userAtom)?.plan) };
  const sources = isReadable(component) ? { pdfComponents: [{ componentId: component._id, ...range }] } : undefined;
  return { pageId: component.pageId, title: titleOf(component, file), sources };
}

/**
 * Generates cards into a new deck at the end of the page and yields the deck and the count so far. The job continues on
 * the server if the caller stops listening. After an error, which is shown in a notice, the deck can be filled later.
 */
export async function* generateFirstCards(page: FirstPage): AsyncGenerator<{ count: number; deckId: string }> {
  if (!page.sources) return;
  const { pageId, title, sources } = page;
  try {
    const componentId = await createComponent(pageId, {
      type: "flash_cards",
      content: { title, cards: [], minimized: false },
    });
    await queue().flush();
    // The server cannot make cards for a deck that it has not received yet.
    if (queue().pendingFor(componentId).length > 0) throw new NoResponseError("network");
    const options = { jobId: ulid(), target: { pageId, componentId } };
    let count = 0;
    for await (const event of client.flashcards.generateCards.stream({ ...sources, options }, [])) {
      if (event.type === "card") {
        count += 1;
        yield { count, deckId: componentId };
      }
      // Once the job has started, its failure is an event. "cancelled" means that the student stopped it elsewhere.
      if (event.type === "error" && event.code !== "cancelled") notify({ message: event.message, type: "error" });
    }
  } catch (error) {
    if (!(error instanceof Failure) && !(error instanceof NoResponseError)) throw error;
    logWarning("Could not generate the first cards", error);
    const message = toFailureMessage(error, "flashcards")?.message;
    if (message !== undefined) notify({ message, type: "error" });
  }
}
