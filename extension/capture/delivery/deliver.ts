import { videoCitation, webCitation } from "#shared/citations.ts";
import { webCitationLocation } from "#shared/capture/rules.ts";
import { Failure } from "#shared/contract/failure.ts";
import { generateCards } from "#shared/cards/deck/generate-cards.ts";
import { passagesFromText } from "#shared/text/plain-text.ts";
import type { Flashcard } from "#shared/flashcards/schema.ts";
import { interpolate } from "#shared/messages/interpolate.ts";
import type { NewBlock } from "#shared/pages/markdown-read.ts";
import { plainText } from "#shared/pages/runs.ts";
import { TextContent } from "#shared/pages/schema.ts";
import type { SyncQueue } from "#shared/sync/queue.ts";
import { client } from "#extension/app/client.ts";
import { words } from "#extension/words/words.ts";
import { type Article, MAX_BLOCKS, readArticle } from "../article/article.ts";
import { deliverVideo } from "./deliver-video.ts";
import { deriveLaterFolderId, deriveNoteIdPrefix, derivePageIds } from "./derived-ids.ts";
import {
  addCards,
  addMissingCards,
  type Content,
  type Delivery,
  ensurePage,
  unlessNotFound,
  textLine,
  createComponent,
} from "./library-delivery.ts";
import { type Capture, changeCapture, changeSentCaptures, readRaw } from "../store.ts";

/** Cites a time in the stored video, or else the quote on its web page. */
function citationOf({ address, locator }: Capture, videoId: string | null): string {
  const { quote, startMs, endMs } = locator ?? {};
  if (videoId === null || startMs === undefined) return webCitation(webCitationLocation(address), quote);
  return videoCitation(videoId, startMs, Math.max(startMs, endMs ?? startMs), quote);
}

const toFlashcard = (capture: Capture, videoId: string | null): Flashcard => ({
  id: capture.id,
  question: capture.card?.question ?? "",
  answer: capture.card?.answer ?? "",
  questionImage: null,
  citation: citationOf(capture, videoId),
});

function toContent(block: NewBlock): Content | undefined {
  switch (block.type) {
    case "file": {
      const { address, name } = block.content;
      const isWebAddress = /^https?:/.test(address);
      const link = { content: name || address, reference: { kind: "link" as const, target: address } };
      return isWebAddress ? { type: "text", content: textLine([link]) } : undefined;
    }
    case "flash_cards":
      return undefined;
    case "text":
    case "code_block":
    case "equation":
    case "divider":
      return block;
    default:
      return block satisfies never;
  }
}

/** Generates cards of a page with the built-in engine, without a server; resolves to a message about the result. */
async function createCardsOfPage(
  delivery: Delivery,
  capture: Capture,
  idPrefix: string,
  text: string,
): Promise<string> {
  const source = webCitationLocation(capture.address);
  const passages = passagesFromText(text);
  const cards: Flashcard[] = [];
  for (const event of generateCards(passages, { density: "AUTO" })) {
    if (event.type !== "card") continue;
    const { question, answer, quote } = event.card;
    // Deterministic ids, so that capturing a page again gives the same cards.
    const id = `${idPrefix}c${cards.length}`;
    cards.push({ id, question, answer, questionImage: null, citation: webCitation(source, quote) });
  }
  if (cards.length === 0) return words.cards_of_none;
  const count = await addMissingCards(delivery, cards, capture.title);
  return count === 0 ? words.cards_of_known : interpolate(words.cards_of_made, { count });
}

/** The text of a note block for the card engine. */
function textOf({ type, content }: Content): string {
  return type === "text" ? plainText(TextContent.parse(content).text) : "";
}

/** Notices about how an article was extracted. */
function listNotices({ isCut, isDoubtful }: Article): string[] {
  if (isCut) return [interpolate(words.too_long, { count: MAX_BLOCKS })];
  return isDoubtful ? [words.doubtful] : [];
}

async function deliverNote(delivery: Delivery, capture: Capture): Promise<string[]> {
  const raw = await readRaw(capture.id);
  const article = await readArticle(await new Blob([raw?.html ?? ""]).text(), capture.address);
  const contents = article.blocks.flatMap((block) => toContent(block) ?? []);
  if (contents.length === 0) throw new Failure("bad_input", { message: words.no_article });
  const idPrefix = await deriveNoteIdPrefix(delivery.accountId, capture.address, JSON.stringify(contents));
  const ids = contents.map((_, index) => `${idPrefix}${index}`);
  const existing = await unlessNotFound(client.pages.getComponent({ id: ids[0] ?? "" }));
  if (!existing)
    await Promise.all(contents.map((content, index) => createComponent(delivery, ids[index] ?? "", content)));
  const notices = listNotices(article);
  if (capture.wants)
    notices.push(await createCardsOfPage(delivery, capture, idPrefix, contents.map(textOf).join("\n\n")));
  if (notices.length > 0) await changeCapture(capture.id, { notice: notices.join(" ") });
  return [...(existing ? [] : ids), ...(capture.wants ? [delivery.ids.deckId] : [])];
}

/** Adds a link to the reading-list folder, which is restored if it is in the trash. */
async function deliverLink({ queue, accountId, ids }: Delivery, capture: Capture): Promise<string[]> {
  const folderId = await deriveLaterFolderId(accountId);
  const now = capture.capturedAt;
  await queue.enqueue("folder_create", folderId, { title: words.later_folder, color: "BLUE", createdAt: now });
  const item = { item_id: ids.pageId, item_type: "page" as const, created_at: now };
  await queue.enqueue("folder_update", folderId, { items: [item], is_archived: false });
  return [folderId];
}

async function deliverCards(delivery: Delivery, captures: readonly Capture[]): Promise<void> {
  const cards: Flashcard[] = [];
  for (const capture of captures) {
    const isClip = capture.locator?.startMs !== undefined;
    // Without its video, because reading it was interrupted, the student's card is saved and cites the page.
    const hasVideo = isClip && (await readRaw(capture.id))?.video !== undefined;
    const video = hasVideo ? await deliverVideo(delivery, capture) : undefined;
    cards.push(toFlashcard(capture, video?.componentId ?? null));
  }
  await addCards(delivery, cards, captures[0]?.title ?? "");
}

interface Delivered {
  componentId: string | null;
  resources: string[];
}

async function deliverOne(delivery: Delivery, capture: Capture): Promise<Delivered> {
  switch (capture.kind) {
    case "note": {
      const resources = await deliverNote(delivery, capture);
      return { componentId: resources[0] ?? null, resources };
    }
    case "video":
      return deliverVideo(delivery, capture);
    case "link":
      return { componentId: null, resources: await deliverLink(delivery, capture) };
    case "card":
    case "pdf":
    case "image":
      throw new Error("Cards are delivered together, and files by deliverFile");
    default:
      return capture.kind satisfies never;
  }
}

/** Queues the captures of one address for sync; they are stored in the queue when this resolves. */
export async function deliverGroup(
  queue: SyncQueue,
  accountId: string,
  captures: readonly [Capture, ...Capture[]],
): Promise<void> {
  const ids = await derivePageIds(accountId, captures[0].address);
  const delivery = { queue, accountId, ids };
  await ensurePage(delivery, captures[0]);
  const markSending = (delivered: readonly Capture[], { componentId, resources }: Delivered) =>
    changeSentCaptures(delivered, {
      state: "sending",
      accountId,
      pageId: ids.pageId,
      componentId,
      resources: [ids.pageId, ids.headId, ...resources],
    });
  const cards = captures.filter(({ kind }) => kind === "card");
  if (cards.length > 0) {
    await deliverCards(delivery, cards);
    // In one write: each waits for the disk, and makes every open panel read its list again.
    await markSending(cards, { componentId: ids.deckId, resources: [ids.deckId] });
  }
  for (const capture of captures)
    if (capture.kind !== "card") await markSending([capture], await deliverOne(delivery, capture));
}
