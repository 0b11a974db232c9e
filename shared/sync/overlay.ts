import { DeckContent } from "#shared/flashcards/schema.ts";
import { applyStatusChanges } from "#shared/flashcards/card-status.ts";
import { mergeDecks } from "#shared/pages/deck-merge.ts";
import { applyPageUpdate, buildPage, summariseComponent } from "#shared/pages/present.ts";
import { sortByIds, insertInOrder, mergeOrder } from "#shared/pages/rules.ts";
import { isSameContent } from "#shared/pages/update.ts";
import type { Component, ComponentSummary, Page } from "#shared/pages/schema.ts";
import type { SyncRequest, SyncRequestOf } from "./schema.ts";
import type { ClientOutcome } from "./outcomes.ts";

/** A page from the server or the cache; `page` is undefined if neither has it. */
export interface PageState {
  page: Page | undefined;
  components: Component[];
}

/** Pages and components from the server or the cache, by id. */
interface PageDraft {
  accountId: string;
  pages: Map<string, Page>;
  components: Map<string, Component>;
}

const emptyBase = { hasKey: () => false, hasValue: () => false };

/**
 * Applies unsaved content to the server's component. If it was based on another version, the next edit names that older
 * base, so that the server can detect the conflict. If both contents are decks, the cards of both are shown.
 */
function withUnsavedContent(component: Component, request: SyncRequestOf<"component_content_update">): Component {
  const { baseVersion, data, createdAt } = request;
  const plain = { ...component, content: data.newContent, modifiedAt: createdAt } as Component;
  if (baseVersion === component.version || isSameContent(data.newContent, component.content)) return plain;
  const version = Math.min(baseVersion ?? 0, component.version);
  const unsavedDeck = component.type === "flash_cards" ? DeckContent.safeParse(data.newContent).data : undefined;
  if (component.type !== "flash_cards" || !unsavedDeck) return { ...plain, version };
  const { content } = mergeDecks(emptyBase, unsavedDeck, component.content);
  return { ...component, content, modifiedAt: createdAt, version };
}

function reorder({ pages }: PageDraft, pageId: string, change: (order: readonly string[]) => string[]): void {
  const page = pages.get(pageId);
  if (page) pages.set(pageId, { ...page, components: change(page.components) });
}

type Applier<T extends SyncRequest["type"]> = (draft: PageDraft, request: SyncRequestOf<T>) => void;
const appliers: { [T in SyncRequest["type"]]?: Applier<T> } = {
  page_create: (draft, request) => {
    if (!draft.pages.has(request.resourceId)) draft.pages.set(request.resourceId, buildPage(request, draft.accountId));
  },
  page_delete: ({ pages }, { resourceId }) => {
    pages.delete(resourceId);
  },
  page_update: ({ pages }, request) => {
    const page = pages.get(request.resourceId);
    if (page) pages.set(page._id, applyPageUpdate(page, request));
  },
  page_component_sort: (draft, { resourceId, data }) =>
    reorder(draft, resourceId, (order) => mergeOrder(order, data.componentIds)),
  component_create: (draft, { resourceId, data }) => {
    const pageId = data.parentType === "page" ? data.parentId : data.component.pageId;
    if (!draft.components.has(resourceId))
      draft.components.set(resourceId, { ...data.component, _id: resourceId, pageId });
    reorder(draft, pageId, (order) => insertInOrder(order, resourceId, data.index));
  },
  component_delete: ({ components }, { resourceId }) => {
    components.delete(resourceId);
  },
  component_content_update: ({ components }, request) => {
    const component = components.get(request.resourceId);
    if (!component) return;
    components.set(component._id, withUnsavedContent(component, request));
  },
  card_standing: ({ components }, { resourceId, data }) => {
    const deck = components.get(resourceId);
    if (deck?.type !== "flash_cards") return;
    components.set(resourceId, {
      ...deck,
      content: { ...deck.content, cards: applyStatusChanges(deck.content.cards, data.cards) },
    });
  },
  component_move: (draft, { resourceId, data }) => {
    const component = draft.components.get(resourceId);
    if (!component) return;
    draft.components.set(resourceId, { ...component, pageId: data.toPageId });
    reorder(draft, data.fromPageId ?? component.pageId, (order) => order.filter((id) => id !== resourceId));
    reorder(draft, data.toPageId, (order) => insertInOrder(order, resourceId, data.index));
  },
};

/** Whether a request changes what a page shows. An answer to a card, for example, does not change its deck. */
export const changesPage = ({ type }: Pick<SyncRequest, "type">): boolean => Object.hasOwn(appliers, type);

function applyAll(requests: readonly SyncRequest[], draft: PageDraft): void {
  for (const request of requests)
    (appliers[request.type] as Applier<typeof request.type> | undefined)?.(draft, request);
}

const byId = <T extends { _id: string }>(things: readonly T[]) => new Map(things.map((thing) => [thing._id, thing]));

interface PageRef {
  accountId: string;
  pageId: string;
}

function withDraft({ accountId, pageId }: PageRef, state: PageState, work: (draft: PageDraft) => void): PageState {
  const pages = new Map(state.page ? [[pageId, state.page]] : []);
  const draft: PageDraft = { accountId, pages, components: byId(state.components) };
  work(draft);
  const page = draft.pages.get(pageId);
  if (!page) return { page: undefined, components: [] };
  const ofPage = [...draft.components.values()].filter((component) => component.pageId === pageId);
  const components = sortByIds(ofPage, page.components);
  return { page: { ...page, components: components.map(({ _id }) => _id) }, components };
}

/** A page with all unsaved changes applied to the version of the server or the cache. */
export const applyToPage = (requests: readonly SyncRequest[], subject: PageRef, state: PageState): PageState =>
  withDraft(subject, state, (draft) => applyAll(requests, draft));

/** A request that the server has acknowledged, with the known parts of its outcome. */
type Acknowledged = Pick<ClientOutcome, "request" | "version" | "serverContent">;

function applyAcknowledged(draft: PageDraft, { request, version, serverContent: content }: Acknowledged): void {
  const before = draft.components.get(request.resourceId);
  // A response newer than this acknowledgement includes it already.
  if (before && version !== undefined && before.version >= version) return;
  applyAll([request], draft);
  const after = draft.components.get(request.resourceId);
  if (!after || request.type === "component_delete") return;
  const isContent = request.type === "component_content_update";
  if (version !== undefined) {
    const latestContent = content ?? (isContent ? request.data.newContent : after.content);
    draft.components.set(after._id, { ...after, version, content: latestContent } as Component);
  } else if (isContent && before) {
    // The new version is not known yet, so the next edit names this request's base and the server can detect a
    // conflict.
    draft.components.set(after._id, { ...after, version: Math.min(request.baseVersion ?? 0, before.version) });
  }
}

/**
 * A page from the server or the cache with acknowledged changes applied, in the order in which they were made. A page
 * may be fetched before a change is acknowledged and arrive afterwards.
 */
export const applyAcknowledgedToPage = (
  acknowledged: readonly Acknowledged[],
  subject: PageRef,
  state: PageState,
): PageState =>
  withDraft(subject, state, (draft) => {
    for (const outcome of acknowledged.toSorted((a, b) => a.request.seq - b.request.seq))
      applyAcknowledged(draft, outcome);
  });

/** The list of all content with unsaved changes applied. */
export function applyToContent(
  requests: readonly SyncRequest[],
  accountId: string,
  content: { pages: readonly Page[]; components: readonly ComponentSummary[] },
): { pages: Page[]; components: ComponentSummary[] } {
  const draft: PageDraft = { accountId, pages: byId(content.pages), components: new Map() };
  applyAll(requests, draft);
  const isDeleted = new Set(requests.filter((r) => r.type === "component_delete").map((r) => r.resourceId));
  const made = [...draft.components.values()].map(summariseComponent);
  const moved = new Map(
    requests.flatMap((r) => (r.type === "component_move" ? [[r.resourceId, r.data.toPageId]] : [])),
  );
  const known = content.components.map((summary) => {
    const updated = requests.findLast((r) => r.resourceId === summary._id && r.type === "component_content_update");
    const pageId = moved.get(summary._id) ?? summary.pageId;
    if (updated?.type !== "component_content_update") return { ...summary, pageId };
    return summariseComponent({
      ...summary,
      content: updated.data.newContent,
      pageId,
      createdBy: accountId,
      version: 1,
    });
  });
  const components = [...byId([...known, ...made]).values()].flatMap((summary) => {
    if (!draft.pages.has(summary.pageId)) return [];
    if (!isDeleted.has(summary._id) || draft.components.has(summary._id)) return [summary];
    // A deleted deck stays listed, in the trash.
    return summary.type === "flash_cards" ? [{ ...summary, isArchived: true }] : [];
  });
  return { pages: [...draft.pages.values()], components };
}
