import { atom } from "jotai/vanilla";
import { ulid } from "ulid";
import { t } from "#shared/messages/translate.ts";
import { VERY_RECENT_MS } from "#shared/pages/rules.ts";
import type { ComponentSummary, Page } from "#shared/pages/schema.ts";
import { applyToContent, changesPage } from "#shared/sync/overlay.ts";
import type { SyncRequest } from "#shared/sync/schema.ts";
import { accountAtom, accountIdAtom } from "#webapp/app/session/account-atom.ts";
import { notify } from "#webapp/app/alerts.ts";
import { client } from "#webapp/app/client.ts";
import { keepAsItIs, keptLists, recalled } from "#webapp/offline/keep-lists.ts";
import { logTrouble } from "#webapp/app/log.ts";
import { store } from "#webapp/app/store.ts";
import { queue } from "#webapp/offline/sync.ts";

export type Content =
  | { state: "loading" }
  | { state: "failed" }
  | { state: "ready"; pages: readonly Page[]; components: readonly ComponentSummary[] };

/** As the server told it. */
const fetchedAtom = accountAtom<Content>({ state: "loading" });
const unsavedAtom = accountAtom<readonly SyncRequest[]>([]);

/** Everything the user has, as lists show it: no text and no cards. What is unsaved is in it already. */
export const contentAtom = atom((get): Content => overlaid(get(fetchedAtom), get(unsavedAtom), get(accountIdAtom)));

function overlaid(content: Content, requests: readonly SyncRequest[], accountId: string | undefined): Content {
  if (content.state !== "ready" || accountId === undefined) return content;
  return { state: "ready", ...applyToContent(requests, accountId, content) };
}

/** The pages that are not deleted, the one opened last first. */
export const livePagesAtom = atom((get) => {
  const content = get(contentAtom);
  if (content.state !== "ready") return [];
  return content.pages.filter((page) => !page.archived).toSorted((a, b) => touchedAt(b) - touchedAt(a));
});

const touchedAt = (page: Page) => Math.max(page.lastOpened ?? 0, page.lastUpdated);

export async function loadContent(): Promise<void> {
  const accountId = store.get(accountIdAtom);
  try {
    const { content } = await client.pages.getContent({});
    store.set(fetchedAtom, { state: "ready", pages: content.pages, components: content.components });
  } catch (error) {
    logTrouble("Failed to load content", error);
    if (store.get(fetchedAtom).state === "ready") return;
    const kept = await recalled(accountId, error, async (id) => (await keptLists()).findKeptContent(id));
    if (store.get(accountIdAtom) !== accountId || store.get(fetchedAtom).state === "ready") return;
    store.set(fetchedAtom, kept ? { state: "ready", ...kept } : { state: "failed" });
  }
}

// Whatever changed them, they are kept as they are shown.
keepAsItIs("content", fetchedAtom, (content) => (content.state === "ready" ? content : undefined));

/** The lists that were fetched already say so too, but of what is very recent. */
export function showOpened(componentId: string, lastOpenedAt: number): void {
  store.set(fetchedAtom, (content) => {
    const opened = content.state === "ready" && content.components.find(({ _id }) => _id === componentId);
    if (!opened || lastOpenedAt - opened.createdAt < VERY_RECENT_MS) return content;
    return {
      ...content,
      components: content.components.map((one) => (one === opened ? { ...one, lastOpenedAt } : one)),
    };
  });
}

/** Shows what is made and what the server has taken as it happens; answers how to stop. */
export function followChanges(accountId: string): () => void {
  const mine = queue();
  const show = () =>
    store.set(unsavedAtom, (held) => {
      const next = mine.unsaved().filter(changesPage);
      // Lists are not drawn anew for each answer to a card.
      return next.length === 0 && held.length === 0 ? held : next;
    });
  show();
  const stops = [
    mine.subscribe(show),
    mine.onOutcomes((outcomes) => {
      const requests = outcomes.map(({ request }) => request).filter(changesPage);
      if (requests.length === 0) return;
      store.set(fetchedAtom, (content) => overlaid(content, requests, accountId));
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

/** On disk when this resolves, on the server when it can be reached; answers the new page's id. */
export async function createPage(): Promise<string> {
  const id = ulid();
  await queue().enqueue("page_create", id, { createdAt: Date.now() });
  return id;
}

/** Marks a page as deleted; it can be restored at once, and later from the list of what was deleted. */
export async function archivePage(pageId: string): Promise<void> {
  await queue().enqueue("page_update", pageId, { archived: true });
  notify({
    message: t("library.page_deleted"),
    type: "success",
    action: { label: t("common.undo"), run: () => void restorePage(pageId) },
  });
}

export async function restorePage(pageId: string): Promise<void> {
  await queue().enqueue("page_update", pageId, { archived: false });
  notify({ message: t("library.page_restored"), type: "success" });
}
