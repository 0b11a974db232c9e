import { DeckContent } from "#shared/flashcards/schema.ts";
import { standCards } from "#shared/flashcards/standing.ts";
import { mergeDecks } from "#shared/pages/deck-merge.ts";
import { changePage, freshPage, summarize } from "#shared/pages/present.ts";
import { inOrder, insertInOrder, mergeOrder } from "#shared/pages/rules.ts";
import { isSameContent } from "#shared/pages/update.ts";
import type { Component, ComponentSummary, Page } from "#shared/pages/schema.ts";
import type { SyncRequest, SyncRequestOf } from "./schema.ts";
import type { ToldOutcome } from "./tell.ts";

/** A page from the server or the cache; `page` is undefined if neither has it. */
export interface PageState {
  page: Page | undefined;
  components: Component[];
}

/** Pages and components from the server or the cache, by id. */
interface Held {
  accountId: string;
  pages: Map<string, Page>;
  components: Map<string, Component>;
}

const nothingKnown = { had: () => false, held: () => false };

/**
 * Applies an unsaved content to the server's component. If it was based on another version, the next edit names the
 * unsaved one's base, so that the server can detect the conflict. Cards that only one of two decks has are both shown.
 */
function laidOver(component: Component, request: SyncRequestOf<"component_content_update">): Component {
  const { baseVersion, data, createdAt } = request;
  const plain = { ...component, content: data.newContent, modifiedAt: createdAt } as Component;
  if (baseVersion === component.version || isSameContent(data.newContent, component.content)) return plain;
  const version = Math.min(baseVersion ?? 0, component.version);
  const mine = component.type === "flash_cards" ? DeckContent.safeParse(data.newContent).data : undefined;
  if (component.type !== "flash_cards" || !mine) return { ...plain, version };
  const { content } = mergeDecks(nothingKnown, mine, component.content);
  return { ...component, content, modifiedAt: createdAt, version };
}

function reorder({ pages }: Held, pageId: string, change: (order: readonly string[]) => string[]): void {
  const page = pages.get(pageId);
  if (page) pages.set(pageId, { ...page, components: change(page.components) });
}

type Applier<T extends SyncRequest["type"]> = (held: Held, request: SyncRequestOf<T>) => void;
const appliers: { [T in SyncRequest["type"]]?: Applier<T> } = {
  page_create: (held, request) => {
    if (!held.pages.has(request.resourceId)) held.pages.set(request.resourceId, freshPage(request, held.accountId));
  },
  page_delete: ({ pages }, { resourceId }) => void pages.delete(resourceId),
  page_update: ({ pages }, request) => {
    const page = pages.get(request.resourceId);
    if (page) pages.set(page._id, changePage(page, request));
  },
  page_component_sort: (held, { resourceId, data }) =>
    reorder(held, resourceId, (order) => mergeOrder(order, data.componentIds)),
  component_create: (held, { resourceId, data }) => {
    const pageId = data.parentType === "page" ? data.parentId : data.component.pageId;
    if (!held.components.has(resourceId))
      held.components.set(resourceId, { ...data.component, _id: resourceId, pageId });
    reorder(held, pageId, (order) => insertInOrder(order, resourceId, data.index));
  },
  component_delete: ({ components }, { resourceId }) => void components.delete(resourceId),
  component_content_update: ({ components }, request) => {
    const component = components.get(request.resourceId);
    if (!component) return;
    components.set(component._id, laidOver(component, request));
  },
  card_standing: ({ components }, { resourceId, data }) => {
    const deck = components.get(resourceId);
    if (deck?.type !== "flash_cards") return;
    components.set(resourceId, {
      ...deck,
      content: { ...deck.content, cards: standCards(deck.content.cards, data.cards) },
    });
  },
  component_move: (held, { resourceId, data }) => {
    const component = held.components.get(resourceId);
    if (!component) return;
    held.components.set(resourceId, { ...component, pageId: data.toPageId });
    reorder(held, data.fromPageId, (order) => order.filter((id) => id !== resourceId));
    reorder(held, data.toPageId, (order) => insertInOrder(order, resourceId, data.index));
  },
};

/** Whether a request changes what a page shows: an answer to a card, for one, does not change its deck. */
export const changesPage = ({ type }: Pick<SyncRequest, "type">): boolean => Object.hasOwn(appliers, type);

function applyAll(requests: readonly SyncRequest[], held: Held): void {
  for (const request of requests) (appliers[request.type] as Applier<typeof request.type> | undefined)?.(held, request);
}

const byId = <T extends { _id: string }>(things: readonly T[]) => new Map(things.map((thing) => [thing._id, thing]));

interface Subject {
  accountId: string;
  pageId: string;
}

function within({ accountId, pageId }: Subject, state: PageState, work: (held: Held) => void): PageState {
  const pages = new Map(state.page ? [[pageId, state.page]] : []);
  const held: Held = { accountId, pages, components: byId(state.components) };
  work(held);
  const page = held.pages.get(pageId);
  if (!page) return { page: undefined, components: [] };
  const mine = [...held.components.values()].filter((component) => component.pageId === pageId);
  const components = inOrder(mine, page.components);
  return { page: { ...page, components: components.map(({ _id }) => _id) }, components };
}

/** A page with all unsaved changes applied to the version of the server or the cache. */
export const applyToPage = (requests: readonly SyncRequest[], subject: Subject, state: PageState): PageState =>
  within(subject, state, (held) => applyAll(requests, held));

/** A request that the server has acknowledged, with the outcome as far as it is known here. */
type Taken = Pick<ToldOutcome, "request" | "version" | "held">;

function settleOne(held: Held, { request, version, held: content }: Taken): void {
  const before = held.components.get(request.resourceId);
  // A response newer than this acknowledgement includes it already.
  if (before && version !== undefined && before.version >= version) return;
  applyAll([request], held);
  const after = held.components.get(request.resourceId);
  if (!after || request.type === "component_delete") return;
  const isContent = request.type === "component_content_update";
  if (version !== undefined) {
    const settled = content ?? (isContent ? request.data.newContent : after.content);
    held.components.set(after._id, { ...after, version, content: settled } as Component);
  } else if (isContent && before) {
    // The new version is not known yet: the next edit names this one's base, and the server can detect a conflict.
    held.components.set(after._id, { ...after, version: Math.min(request.baseVersion ?? 0, before.version) });
  }
}

/**
 * A page from the server or the cache with acknowledged changes applied, in the order in which they were made. A page
 * may be fetched before a change is acknowledged and arrive afterwards.
 */
export const settlePage = (taken: readonly Taken[], subject: Subject, state: PageState): PageState =>
  within(subject, state, (held) => {
    for (const one of taken.toSorted((a, b) => a.request.seq - b.request.seq)) settleOne(held, one);
  });

/** The list of all content with unsaved changes applied. */
export function applyToContent(
  requests: readonly SyncRequest[],
  accountId: string,
  content: { pages: readonly Page[]; components: readonly ComponentSummary[] },
): { pages: Page[]; components: ComponentSummary[] } {
  const held: Held = { accountId, pages: byId(content.pages), components: new Map() };
  applyAll(requests, held);
  const isDeleted = new Set(requests.filter((r) => r.type === "component_delete").map((r) => r.resourceId));
  const made = [...held.components.values()].map(summarize);
  const moved = new Map(
    requests.flatMap((r) => (r.type === "component_move" ? [[r.resourceId, r.data.toPageId]] : [])),
  );
  const known = content.components.map((summary) => {
    const updated = requests.findLast((r) => r.resourceId === summary._id && r.type === "component_content_update");
    const pageId = moved.get(summary._id) ?? summary.pageId;
    if (updated?.type !== "component_content_update") return { ...summary, pageId };
    return summarize({ ...summary, content: updated.data.newContent, pageId, createdBy: accountId, version: 1 });
  });
  const components = [...byId([...known, ...made]).values()].filter(
    ({ _id, pageId }) => held.pages.has(pageId) && (!isDeleted.has(_id) || held.components.has(_id)),
  );
  return { pages: [...held.pages.values()], components };
}
