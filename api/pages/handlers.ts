import { Failure } from "#shared/contract/failure.ts";
import type { pages } from "#shared/pages/contract.ts";
import { logDeck } from "#shared/pages/deck-merge.ts";
import type { DeckContent } from "#shared/flashcards/schema.ts";
import { groupBy, VERY_RECENT_MS } from "#shared/pages/rules.ts";
import { wordsOf } from "#shared/pages/words.ts";
import { ulid } from "ulid";
import { noteChanges } from "#api/store/changes.ts";
import { changeOnce } from "#api/store/change-once.ts";
import type { Handlers } from "#api/http/handler.ts";
import type { Own } from "#api/store/owned.ts";
import { completionHandlers } from "./completing.ts";
import { contentFields } from "./apply-component.ts";
import { noSuchPage } from "./apply-page.ts";
import { markdownHandlers } from "./markdown-zip.ts";
import { presentComponent, presentPage, presentSummary } from "./present.ts";
import {
  componentsOf,
  findLiveComponent,
  findPage,
  findVersion,
  listChildren,
  listEverOnPage,
  listHistoryOf,
  listHistoryOfMany,
  listOnPage,
  listPages,
  listSummaries,
  saveVersion,
  type ComponentDoc,
} from "./store.ts";
import { uploadHandlers } from "./uploads.ts";

const MAX_WORDS_CHARS = 160;

const noSuchComponent = () => new Failure("not_found", "no_component");

async function requireComponent(own: Own, id: string): Promise<ComponentDoc> {
  const doc = await findLiveComponent(own, id);
  if (!doc) throw noSuchComponent();
  return doc;
}

async function readPage(own: Own, id: string) {
  const page = await findPage(own, id);
  if (!page) throw noSuchPage();
  return { page, components: await listOnPage(own, page) };
}

export const handlers: Handlers<typeof pages> = {
  ...uploadHandlers,
  ...completionHandlers,
  ...markdownHandlers,

  async getContent({ own }) {
    const [held, summaries] = await Promise.all([listPages(own), listSummaries(own)]);
    const onPage = groupBy(summaries, ({ pageId }) => pageId);
    const children = groupBy(held, ({ parent }) => parent);
    const present = new Set(held.map(({ _id }) => _id));
    const sent = held.map((page) => {
      const known = new Set(onPage.get(page._id)?.map(({ _id }) => _id));
      const ordered = page.components.filter((id) => known.delete(id));
      return presentPage(page, [...ordered, ...known], children.get(page._id)?.map(({ _id }) => _id) ?? []);
    });
    const components = summaries.filter(({ pageId }) => present.has(pageId)).map(presentSummary);
    return { content: { pages: sent, components, podcasts: [] } };
  },

  async getPage({ own }, { id }) {
    const [{ page, components }, children] = await Promise.all([readPage(own, id), listChildren(own, id)]);
    const ids = components.map(({ _id }) => _id);
    return { page: presentPage(page, ids, children), components: components.map(presentComponent) };
  },

  async listComponents({ own }, { id }) {
    return { components: (await readPage(own, id)).components.map(presentComponent) };
  },

  async getComponent({ own }, { id }) {
    return { component: presentComponent(await requireComponent(own, id)) };
  },

  async getFileName({ own }, { id }) {
    const { content, fileId } = await requireComponent(own, id);
    if (fileId === null) throw noSuchComponent();
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
    const held = await componentsOf(own).get(id);
    if (!held) throw noSuchComponent();
    const versions = await listHistoryOf(own, id, clock.now());
    // A version is saved before the write that replaces it: leave out the one that is still current.
    const isEarlier = (v: (typeof versions)[number]) => v._id !== `${id}.${held.version}` || held.deletedAt !== null;
    return { versions: versions.filter(isEarlier).map(({ ...v }) => presentVersion(v)) };
  },

  async listPageHistory({ own, clock }, { id }) {
    if (!(await findPage(own, id))) throw noSuchPage();
    const components = new Map((await listEverOnPage(own, id)).map((held) => [held._id, held]));
    const versions = await listHistoryOfMany(own, [...components.keys()], clock.now());
    const entries = versions.flatMap(({ content, ...version }) => {
      const held = components.get(version.componentId);
      const isDeleted = held?.deletedAt !== null;
      if (!held || (version._id === `${held._id}.${held.version}` && !isDeleted)) return [];
      const { _id, componentId, version: number, savedAt, reason } = version;
      const words = wordsOf(content as Record<string, unknown>).slice(0, MAX_WORDS_CHARS);
      return { _id, componentId, version: number, savedAt, reason, type: held.type, isDeleted, words };
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
      change: (held) => ({
        set: {
          ...contentFields(held, content, now),
          deletedAt: null,
          deckLog: held.deckLog && logDeck(held.deckLog, content as DeckContent, held.version + 1),
        },
        before: () =>
          saveVersion(own, {
            _id: `${id}.${held.version}`,
            componentId: id,
            version: held.version,
            content: held.content,
            savedAt: now,
            reason: "restored",
          }),
      }),
    });
    await noteChanges(own, [{ kind: "page", ids: [doc.pageId, id] }]);
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
