import { Failure } from "#shared/contract/failure.ts";
import { webCitation } from "#shared/citations.ts";
import { placeOfAddress } from "#shared/capture/rules.ts";
import { DeckContent, type Flashcard } from "#shared/flashcards/schema.ts";
import type { NewBlock } from "#shared/pages/markdown-read.ts";
import type { Component } from "#shared/pages/schema.ts";
import type { SyncQueue } from "#shared/sync/queue.ts";
import { client } from "#extension/kit/client.ts";
import { fill } from "#shared/messages/fill.ts";
import { words } from "#extension/kit/words.ts";
import { readArticle } from "./article.ts";
import { noteName, type PlaceIds, placeIds } from "./ids.ts";
import { type Capture, changeCapture, readRaw } from "./store.ts";

interface Delivery {
  queue: SyncQueue;
  accountId: string;
  ids: PlaceIds;
}

const isMissing = (error: unknown) => error instanceof Failure && error.code === "not_found";

/** What a call answers, or undefined where there is no such thing. */
async function found<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

type Content = Pick<Component, "type"> & { content: unknown };

function component(id: string, pageId: string, made: Content): Component {
  const now = Date.now();
  const base = { _id: id, pageId, createdAt: now, modifiedAt: now, createdBy: "", lastOpenedAt: null, version: 1 };
  return { ...base, ...made } as Component;
}

const place = ({ queue, ids }: Delivery, id: string, made: Content) =>
  queue.enqueue("component_create", id, { component: component(id, ids.pageId, made), parentId: ids.pageId });

const line = (text: { content: string; reference?: { kind: "link"; target: string } }[]) => ({
  text,
  subType: "normal" as const,
  metadata: { indents: 0, highlightColor: null },
});

/** The page of an address, with the line that says where it is from; made where it is not there yet. */
async function ensurePage(delivery: Delivery, capture: Capture): Promise<void> {
  const { queue, ids } = delivery;
  const isQueued = queue.pendingFor(ids.pageId).some(({ type }) => type === "page_create");
  if (isQueued || (await found(client.pages.getPage({ id: ids.pageId })))) return;
  const { address, title, author, capturedAt } = capture;
  await queue.enqueue("page_create", ids.pageId, { title: title || address, createdAt: capturedAt });
  const when = new Intl.DateTimeFormat("en", { dateStyle: "long" }).format(capturedAt);
  const about = fill(author === null ? words.head : words.head_by, { when, author: author ?? "" });
  const link = { content: address, reference: { kind: "link" as const, target: address } };
  await place(delivery, ids.headId, { type: "text", content: line([link, { content: about }]) });
}

const cardOf = ({ id, card, address, locator }: Capture): Flashcard => ({
  id,
  question: card?.question ?? "",
  answer: card?.answer ?? "",
  questionImage: null,
  citation: webCitation(placeOfAddress(address), locator?.quote),
});

/** The deck as it will be once everything queued has arrived, and the version that this stands on. */
async function deckNow({ queue, ids }: Delivery): Promise<{ content: DeckContent; version: number } | undefined> {
  const pending = queue.pendingFor(ids.deckId).findLast(({ type }) => type.startsWith("component_c"));
  if (pending?.type === "component_content_update")
    return { content: DeckContent.parse(pending.data.newContent), version: pending.baseVersion ?? 1 };
  if (pending?.type === "component_create")
    return { content: DeckContent.parse(pending.data.component.content), version: 1 };
  const held = (await found(client.pages.getComponent({ id: ids.deckId })))?.component;
  return held?.type === "flash_cards" ? { content: held.content, version: held.version } : undefined;
}

async function deliverCards(delivery: Delivery, captures: readonly Capture[]): Promise<void> {
  const { queue, ids } = delivery;
  const held = await deckNow(delivery);
  const added = new Map(captures.map((capture) => [capture.id, cardOf(capture)]));
  const kept = (held?.content.cards ?? []).filter(({ id }) => !added.has(id));
  const cards = [...kept, ...added.values()];
  if (held) {
    const newContent = { ...held.content, cards };
    await queue.enqueue("component_content_update", ids.deckId, { newContent }, { baseVersion: held.version });
  } else {
    const title = captures[0]?.title || words.cards_title;
    await place(delivery, ids.deckId, { type: "flash_cards", content: DeckContent.parse({ title, cards }) });
  }
}

function contentOf(block: NewBlock): Content | undefined {
  switch (block.type) {
    case "file": {
      const { address, name } = block.content;
      const isOfWeb = /^https?:/.test(address);
      const link = { content: name || address, reference: { kind: "link" as const, target: address } };
      return isOfWeb ? { type: "text", content: line([link]) } : undefined;
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

async function deliverNote(delivery: Delivery, capture: Capture): Promise<string[]> {
  const raw = await readRaw(capture.id);
  const { blocks, isDoubtful } = readArticle(raw?.html ?? "", capture.address);
  const contents = blocks.flatMap((block) => contentOf(block) ?? []);
  if (contents.length === 0) throw new Failure("bad_input", words.no_article);
  const name = await noteName(delivery.accountId, capture.address, JSON.stringify(contents));
  const ids = contents.map((_, at) => `${name}${at}`);
  const there = await found(client.pages.getComponent({ id: ids[0] ?? "" }));
  if (!there) await Promise.all(contents.map((made, at) => place(delivery, ids[at] ?? "", made)));
  if (isDoubtful) await changeCapture(capture.id, { notice: words.doubtful });
  return there ? [] : ids;
}

/** Hands captures of one address to the sync queue: on disk there when it resolves. */
export async function deliverGroup(
  queue: SyncQueue,
  accountId: string,
  captures: readonly [Capture, ...Capture[]],
): Promise<void> {
  const ids = await placeIds(accountId, captures[0].address);
  const delivery = { queue, accountId, ids };
  await ensurePage(delivery, captures[0]);
  const cards = captures.filter(({ kind }) => kind === "card");
  if (cards.length > 0) await deliverCards(delivery, cards);
  for (const capture of captures) {
    const blocks = capture.kind === "note" ? await deliverNote(delivery, capture) : [];
    const ofCard = capture.kind === "card" ? [ids.deckId] : [];
    await changeCapture(capture.id, {
      state: "sending",
      accountId,
      pageId: ids.pageId,
      componentId: ofCard[0] ?? blocks[0] ?? null,
      resources: [ids.pageId, ids.headId, ...ofCard, ...blocks],
    });
  }
}
