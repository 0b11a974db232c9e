import type { Own } from "#api/store/owned-store.ts";
import { presentSummary } from "./present.ts";
import { listDeckHeadsOf, listPages, listSummaries } from "./store.ts";

/** Decks on active pages, without their cards. */
export async function listDeckHeads(own: Own) {
  const [pages, decks] = await Promise.all([listPages(own), listDeckHeadsOf(own)]);
  const shown = new Set(pages.filter((page) => !page.archived).map(({ _id }) => _id));
  return decks.filter(({ pageId }) => shown.has(pageId));
}

/** Titles of all pages, and of the components on active pages. */
export async function listOverview(own: Own) {
  const pages = await listPages(own);
  const activePageIds = new Set(pages.filter((page) => !page.archived).map(({ _id }) => _id));
  const components = (await listSummaries(own)).filter((summary) => activePageIds.has(summary.pageId));
  return {
    pages: pages.map(({ _id, title, emoji, archived }) => ({ _id, title, emoji, archived })),
    components: components.map(presentSummary),
  };
}
