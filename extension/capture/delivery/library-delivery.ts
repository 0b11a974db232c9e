// Shared by all kinds of capture: creates the page for an address, its components and its deck.
import { Failure } from "#shared/contract/failure.ts";
import { NoResponseError } from "#shared/client/client.ts";
import { DeckContent, type Flashcard } from "#shared/flashcards/schema.ts";
import { interpolate } from "#shared/messages/interpolate.ts";
import type { Component } from "#shared/pages/schema.ts";
import type { SyncQueue } from "#shared/sync/queue.ts";
import { client } from "#extension/app/client.ts";
import { uiLanguage } from "#extension/words/ui-language.ts";
import { words } from "#extension/words/words.ts";
import type { PageIds } from "./derived-ids.ts";
import type { Capture } from "../store.ts";

export interface Delivery {
  queue: SyncQueue;
  accountId: string;
  ids: PageIds;
}

const isMissing = (error: unknown) => error instanceof Failure && error.code === "not_found";

/** The result of a call, or undefined if it fails with `not_found`. */
export async function unlessNotFound<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

export type Content = Pick<Component, "type"> & { content: unknown };

function toComponent(id: string, pageId: string, content: Content): Component {
  const now = Date.now();
  const base = { _id: id, pageId, createdAt: now, modifiedAt: now, createdBy: "", lastOpenedAt: null, version: 1 };
  return { ...base, ...content } as Component;
}

export const createComponent = ({ queue, ids }: Delivery, id: string, content: Content) =>
  queue.enqueue("component_create", id, { component: toComponent(id, ids.pageId, content), parentId: ids.pageId });

export const textLine = (text: { content: string; reference?: { kind: "link"; target: string } }[]) => ({
  text,
  subType: "normal" as const,
  metadata: { indents: 0, highlightColor: null },
});

/** Serialises work per page, because files and other captures are sent in parallel. */
const withPageLock = <T>({ ids }: Delivery, work: () => Promise<T>): Promise<T> =>
  navigator.locks.request(`lamplight-page-${ids.pageId}`, work);

/** Takes a page out of the trash, before anything is added to it: until then its components cannot be read. */
async function restorePage(delivery: Delivery): Promise<void> {
  const { pageId } = delivery.ids;
  await delivery.queue.enqueue("page_update", pageId, { archived: false });
  await ensureSent(delivery, [pageId]);
}

/** Creates the page of an address, with a line about its source, unless it exists; restores it from the trash. */
export const ensurePage = (delivery: Delivery, capture: Capture): Promise<void> =>
  withPageLock(delivery, async () => {
    const { queue, ids } = delivery;
    const isQueued = queue.pendingFor(ids.pageId).some(({ type }) => type === "page_create");
    if (isQueued) return;
    const existing = await unlessNotFound(client.pages.getPage({ id: ids.pageId }));
    if (existing?.page.archived === true) await restorePage(delivery);
    if (existing) return;
    const { address, title, author, capturedAt } = capture;
    await queue.enqueue("page_create", ids.pageId, { title: title || address, createdAt: capturedAt });
    const when = new Intl.DateTimeFormat(uiLanguage, { dateStyle: "long" }).format(capturedAt);
    const sourceText = interpolate(author === null ? words.head : words.head_by, { when, author: author ?? "" });
    const link = { content: address, reference: { kind: "link" as const, target: address } };
    await createComponent(delivery, ids.headId, { type: "text", content: textLine([link, { content: sourceText }]) });
  });

/** Flushes the queue once if these resources have unsaved changes; throws if a change was refused or is still unsaved. */
export async function ensureSent({ queue }: Delivery, ids: readonly string[]): Promise<void> {
  const isRequested = ({ resourceId }: { resourceId: string }) => ids.includes(resourceId);
  if (queue.unsaved().some(isRequested)) await queue.flush();
  for (const { request, parked } of queue.status().parked)
    if (parked?.kind === "refusal" && isRequested(request)) throw new Failure("bad_input", parked);
  if (queue.unsaved().some(isRequested)) throw new NoResponseError("network");
}

/** The deck including queued changes, with its base version. */
async function readDeckWithQueue({
  queue,
  ids,
}: Delivery): Promise<{ content: DeckContent; version: number } | undefined> {
  const pending = queue
    .pendingFor(ids.deckId)
    .findLast(({ type }) => type === "component_create" || type === "component_content_update");
  if (pending?.type === "component_content_update")
    return { content: DeckContent.parse(pending.data.newContent), version: pending.baseVersion ?? 1 };
  if (pending?.type === "component_create")
    return { content: DeckContent.parse(pending.data.component.content), version: 1 };
  const deck = (await unlessNotFound(client.pages.getComponent({ id: ids.deckId })))?.component;
  return deck?.type === "flash_cards" ? { content: deck.content, version: deck.version } : undefined;
}

/** Changes the cards of the page's deck, which is created if it is missing. */
const changeCards = (
  delivery: Delivery,
  title: string,
  change: (cards: readonly Flashcard[]) => Flashcard[],
): Promise<void> =>
  withPageLock(delivery, async () => {
    const { queue, ids } = delivery;
    const deck = await readDeckWithQueue(delivery);
    const existing = deck?.content.cards ?? [];
    const all = change(existing);
    if (deck) {
      if (all.length === existing.length && all.every((card, index) => card === existing[index])) return;
      const newContent = { ...deck.content, cards: all };
      await queue.enqueue("component_content_update", ids.deckId, { newContent }, { baseVersion: deck.version });
    } else {
      const content = DeckContent.parse({ title: title || words.cards_title, cards: all });
      await createComponent(delivery, ids.deckId, { type: "flash_cards", content });
    }
  });

/** The cards of one list whose ids are not in the other. */
const cardsWithout = (cards: readonly Flashcard[], others: readonly Flashcard[]): Flashcard[] => {
  const ids = new Set(others.map(({ id }) => id));
  return cards.filter(({ id }) => !ids.has(id));
};

/** Adds cards to the page's deck; existing ones with the same id are replaced. */
export const addCards = (delivery: Delivery, cards: readonly Flashcard[], title: string): Promise<void> =>
  changeCards(delivery, title, (existing) => [...cardsWithout(existing, cards), ...cards]);

/**
 * Adds generated cards to the page's deck, and returns how many are new; existing ones stay as they are, because the
 * student may have edited them.
 */
export async function addMissingCards(delivery: Delivery, cards: readonly Flashcard[], title: string): Promise<number> {
  let newCards: readonly Flashcard[] = [];
  await changeCards(delivery, title, (existing) => {
    newCards = cardsWithout(cards, existing);
    return [...existing, ...newCards];
  });
  return newCards.length;
}
