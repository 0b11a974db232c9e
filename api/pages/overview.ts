import type { Own } from "#api/store/owned-store.ts";
import { presentSummary } from "./present.ts";
import { listActivePageIds, listDeckHeadsOf, listPages, listSummaries } from "./store.ts";

/** Decks on active pages, without their cards. */
export async function listDeckHeads(own: Own) {
  const [pageIds, decks] = await Promise.all([listActivePageIds(own), listDeckHeadsOf(own)]);
  return decks.filter(({ pageId }) => pageIds.has(pageId));
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
