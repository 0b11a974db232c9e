import { Failure } from "#shared/contract/failure.ts";
import type { Podcast } from "#shared/podcasts/schema.ts";
import type { ResearchListItem } from "#shared/research/schema.ts";
import type { pages } from "#shared/pages/contract.ts";
import { logDeck } from "#shared/pages/deck-merge.ts";
import type { DeckContent } from "#shared/flashcards/schema.ts";
import { groupBy } from "#shared/pages/rules.ts";
import { VERY_RECENT_MS } from "#shared/sync/just-created.ts";
import { componentText } from "#shared/pages/text-diff.ts";
import { ulid } from "ulid";
import { publishChanges } from "#api/store/account-changes.ts";
import { changeOnce } from "#api/store/change-once.ts";
import type { Handlers } from "#api/http/handler.ts";
import type { Own } from "#api/store/owned-store.ts";
import { contentFields } from "./sync/apply-component.ts";
import { pageNotFound } from "./sync/apply-page.ts";
import { markdownHandlers } from "./markdown/markdown-zip.ts";
import { presentComponent, presentPage, presentSummary } from "./present.ts";
import {
  bumpPage,
  componentsOf,
  findLiveComponent,
  findPage,
  findVersion,
  listChildren,
  listDeletedDecks,
  listEverOnPage,
  listHistoryOf,
  listHistoryOfMany,
  listOnPage,
  listPages,
  listSummaries,
  saveVersion,
  type ComponentDoc,
} from "./store.ts";

const MAX_EXCERPT_CHARS = 160;

const componentMissing = () => new Failure("not_found", "no_component");

async function requireComponent(own: Own, id: string): Promise<ComponentDoc> {
  const doc = await findLiveComponent(own, id);
  if (!doc) throw componentMissing();
  return doc;
}

async function readPage(own: Own, id: string) {
  const page = await findPage(own, id);
  if (!page) throw pageNotFound();
  return { page, components: await listOnPage(own, page) };
}

interface ContentLists {
  listPodcasts: (own: Own) => Promise<Podcast[]>;
  listResearch: (own: Own) => Promise<ResearchListItem[]>;
}

/** Lists everything in the account. Podcasts and research are passed in because these features use this one. */
export const createContentHandler =
  ({ listPodcasts, listResearch }: ContentLists): Handlers<typeof pages>["getContent"] =>
  async ({ own }) => {
    const [stored, summaries, deletedDecks, podcasts, research] = await Promise.all([
      listPages(own),
      listSummaries(own),
      listDeletedDecks(own),
      listPodcasts(own),
      listResearch(own),
    ]);
    const onPage = groupBy(summaries, ({ pageId }) => pageId);
    const children = groupBy(stored, ({ parent }) => parent);
    const present = new Set(stored.map(({ _id }) => _id));
    const presented = stored.map((page) => {
      const remaining = new Map(onPage.get(page._id)?.map((summary) => [summary._id, summary]));
      const ordered = page.components.flatMap((id) => {
        const found = remaining.get(id);
        remaining.delete(id);
        return found ?? [];
      });
      const childIds = children.get(page._id)?.map(({ _id }) => _id) ?? [];
      return presentPage(page, [...ordered, ...remaining.values()], childIds);
    });
    const components = [...summaries, ...deletedDecks].filter(({ pageId }) => present.has(pageId)).map(presentSummary);
    return { content: { pages: presented, components, podcasts, research_sessions: research } };
  };

/** All handlers except those that need functions of another feature. */
export const handlers: Omit<Handlers<typeof pages>, "completeText" | "countCompletedWords" | "getContent"> = {
  ...markdownHandlers,

  async getPage({ own }, { id }) {
    const [{ page, components }, children] = await Promise.all([readPage(own, id), listChildren(own, id)]);
    return { page: presentPage(page, components, children), components: components.map(presentComponent) };
  },

  async listComponents({ own }, { id }) {
    return { components: (await readPage(own, id)).components.map(presentComponent) };
  },

  async getComponent({ own }, { id }) {
    return { component: presentComponent(await requireComponent(own, id)) };
  },

  async getFileName({ own }, { id }) {
    const { content, fileId } = await requireComponent(own, id);
    if (fileId === null) throw componentMissing();
    return { fileName: (content["file"] as { name: string }).name };
  },

  async markRecentlyOpened({ own, clock }, { id }) {
    const now = clock.now();
    const { createdAt } = await requireComponent(own, id);
    if (now - createdAt >= VERY_RECENT_MS)
      await componentsOf(own).patch({ _id: id, deletedAt: null }, { set: { lastOpenedAt: now } });
    return { success: true };
  },

  async listHistory({ own, clock }, { id }) {
    const stored = await componentsOf(own).get(id);
    if (!stored) throw componentMissing();
    const versions = await listHistoryOf(own, id, clock.now());
    // A version is saved before the write that replaces it: leave out the one that is still current.
    const isEarlier = (version: (typeof versions)[number]) =>
      version._id !== `${id}.${stored.version}` || stored.deletedAt !== null;
    return { versions: versions.filter(isEarlier).map(presentVersion) };
  },

  async listPageHistory({ own, clock }, { id }) {
    if (!(await findPage(own, id))) throw pageNotFound();
    const components = new Map((await listEverOnPage(own, id)).map((stored) => [stored._id, stored]));
    const versions = await listHistoryOfMany(own, [...components.keys()], clock.now());
    const entries = versions.flatMap(({ content, ...version }) => {
      const stored = components.get(version.componentId);
      const isDeleted = stored?.deletedAt !== null;
      if (!stored || (version._id === `${stored._id}.${stored.version}` && !isDeleted)) return [];
      const { _id, componentId, version: number, savedAt, reason } = version;
      const words = componentText(content as Record<string, unknown>).slice(0, MAX_EXCERPT_CHARS);
      return { _id, componentId, version: number, savedAt, reason, type: stored.type, isDeleted, words };
    });
    return { entries };
  },

  async restoreVersion({ own, clock }, { id, versionId }) {
    const version = await findVersion(own, versionId);
    if (version?.componentId !== id) throw new Failure("not_found", "no_version");
    const content = version.content as Record<string, unknown>;
    const now = clock.now();
    const { doc } = await changeOnce(componentsOf(own), {
      id,
      requestId: ulid(),
      change: (stored) => ({
        set: {
          ...contentFields(stored, content, now),
          deletedAt: null,
          deckLog: stored.deckLog && logDeck(stored.deckLog, content as DeckContent, stored.version + 1),
        },
        before: () =>
          saveVersion(own, {
            _id: `${id}.${stored.version}`,
            componentId: id,
            version: stored.version,
            content: stored.content,
            savedAt: now,
            reason: "restored",
          }),
      }),
    });
    await bumpPage(own, doc.pageId);
    await publishChanges(own, [{ kind: "page", ids: [doc.pageId, id] }]);
    return { component: presentComponent(doc) };
  },
};

function presentVersion({
  _id,
  componentId,
  version,
  content,
  savedAt,
  reason,
}: Awaited<ReturnType<typeof listHistoryOf>>[number]) {
  return { _id, componentId, version, content, savedAt, reason };
}
