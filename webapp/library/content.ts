import { atom } from "jotai/vanilla";
import { ulid } from "ulid";
import { t } from "#shared/messages/translate.ts";
import { VERY_RECENT_MS } from "#shared/sync/just-created.ts";
import type { ComponentSummary, Page } from "#shared/pages/schema.ts";
import { applyToContent, changesPage } from "#shared/sync/overlay.ts";
import type { Podcast } from "#shared/podcasts/schema.ts";
import type { ResearchListItem } from "#shared/research/schema.ts";
import type { SyncRequest } from "#shared/sync/schema.ts";
import { accountAtom, accountIdAtom } from "#webapp/app/session/account-atom.ts";
import { loadForAccount } from "#webapp/app/session/load-for-account.ts";
import { waitForAccount } from "#webapp/app/session/session.ts";
import { notify } from "#webapp/app/alerts.ts";
import { client } from "#webapp/app/client.ts";
import { cacheOnChange, loadListCache, readCachedIfOffline } from "#webapp/offline/cache-lists.ts";
import { logWarning } from "#webapp/app/log.ts";
import { store } from "#webapp/app/store.ts";
import { queue } from "#webapp/offline/sync.ts";

export type Content =
  | { state: "loading" }
  | { state: "failed" }
  | {
      state: "ready";
      pages: readonly Page[];
      components: readonly ComponentSummary[];
      /** Missing in the cached list. */
      podcasts?: readonly Podcast[];
      /** In the cached list, only those that can be read offline. */
      research_sessions?: readonly ResearchListItem[] | undefined;
    };
export type ReadyContent = Extract<Content, { state: "ready" }>;

/** The content that the server returned. */
const fetchedAtom = accountAtom<Content>({ state: "loading" });
const unsavedAtom = accountAtom<readonly SyncRequest[]>([]);
const listedState = accountAtom<readonly Podcast[] | undefined>(undefined);
/** All of the account's podcasts as the server last listed them; undefined until it has. */
export const listedPodcastsAtom = atom((get) => get(listedState));

/** All of the account's pages and components, without text and cards. Includes unsaved changes. */
export const contentAtom = atom((get): Content => withRequests(get(fetchedAtom), get(unsavedAtom), get(accountIdAtom)));

function withRequests(content: Content, requests: readonly SyncRequest[], accountId: string | undefined): Content {
  if (content.state !== "ready" || accountId === undefined) return content;
  return { ...content, ...applyToContent(requests, accountId, content) };
}

/** Pages that are not deleted, most recently opened first. */
export const livePagesAtom = atom((get) => {
  const content = get(contentAtom);
  if (content.state !== "ready") return [];
  return content.pages.filter((page) => !page.archived).toSorted((a, b) => touchedAt(b) - touchedAt(a));
});

const touchedAt = (page: Page) => Math.max(page.lastOpened ?? 0, page.lastUpdated);

export function loadContent(): Promise<void> {
  const accountId = store.get(accountIdAtom);
  return loadForAccount(
    () => client.pages.getContent({}),
    ({ content }) => {
      store.set(fetchedAtom, { state: "ready", ...content });
      store.set(listedState, content.podcasts);
    },
    async (error, isCurrent) => {
      logWarning("Failed to load content", error);
      if (store.get(fetchedAtom).state === "ready") return;
      const cached = await readCachedIfOffline(accountId, error, async (id) =>
        (await loadListCache()).findCachedContent(id),
      );
      if (!isCurrent() || store.get(fetchedAtom).state === "ready") return;
      store.set(fetchedAtom, cached ? { state: "ready", ...cached } : { state: "failed" });
    },
  );
}

// The list is cached after every change.
cacheOnChange("content", fetchedAtom, (content) =>
  content.state === "ready" ? { pages: content.pages, components: content.components } : undefined,
);

/** Changes the list of podcasts. It stays missing in the cached list, because one podcast is not the whole list. */
function changePodcasts(change: (podcasts: readonly Podcast[]) => readonly Podcast[]): void {
  store.set(fetchedAtom, (content) =>
    content.state === "ready" && content.podcasts ? { ...content, podcasts: change(content.podcasts) } : content,
  );
}

/** Adds or replaces a podcast that the server has just sent, or loads the whole list if only the cached one is shown. */
export function showPodcast(podcast: Podcast): void {
  const content = store.get(fetchedAtom);
  if (content.state === "ready" && !content.podcasts) void loadContent();
  changePodcasts((podcasts) =>
    [podcast, ...podcasts.filter(({ _id }) => _id !== podcast._id)].toSorted((a, b) => b.created_at - a.created_at),
  );
}

/** Removes a podcast that was deleted permanently. */
export function hidePodcast(id: string): void {
  changePodcasts((podcasts) => podcasts.filter(({ _id }) => _id !== id));
}

/** Adds or replaces a research session that the server has just sent. */
export function showResearch({
  _id,
  conversation_title,
  created_at,
  last_opened,
  is_archived,
  archived_at,
}: ResearchListItem): void {
  const item = { _id, conversation_title, created_at, last_opened, is_archived, archived_at };
  store.set(fetchedAtom, (content) => {
    if (content.state !== "ready") return content;
    const others = (content.research_sessions ?? []).filter((other) => other._id !== _id);
    return { ...content, research_sessions: [item, ...others] };
  });
}

/** Shows when a component was last opened, unless it was created only moments before. */
export function showOpened(componentId: string, lastOpenedAt: number): void {
  store.set(fetchedAtom, (content) => {
    const opened = content.state === "ready" && content.components.find(({ _id }) => _id === componentId);
    if (!opened || lastOpenedAt - opened.createdAt < VERY_RECENT_MS) return content;
    return {
      ...content,
      components: content.components.map((component) =>
        component === opened ? { ...component, lastOpenedAt } : component,
      ),
    };
  });
}

/** Keeps the content up to date with queued and acknowledged changes. Returns a function that stops this. */
export function followChanges(accountId: string): () => void {
  const syncQueue = queue();
  const show = () =>
    store.set(unsavedAtom, (previous) => {
      const next = syncQueue.unsaved().filter(changesPage);
      // The same empty array avoids rendering the lists again on every review.
      return next.length === 0 && previous.length === 0 ? previous : next;
    });
  show();
  const stopCallbacks = [
    syncQueue.subscribe(show),
    syncQueue.onOutcomes((outcomes) => {
      const requests = outcomes.map(({ request }) => request).filter(changesPage);
      if (requests.length === 0) return;
      store.set(fetchedAtom, (content) => withRequests(content, requests, accountId));
    }),
  ];
  return () => {
    for (const stop of stopCallbacks) stop();
  };
}

/** Resolves to the new page's id once the page is stored on disk. It is synced when the server is reachable. */
export async function createPage(): Promise<string> {
  const id = ulid();
  await waitForAccount();
  await queue().enqueue("page_create", id, { createdAt: Date.now() });
  return id;
}

/** Archives a page. It can be restored from the notice, or later from the trash. */
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
