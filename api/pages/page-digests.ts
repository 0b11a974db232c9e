import { groupBy, pageDigest, sortByIds } from "#shared/pages/rules.ts";
import type { PageDigest } from "#shared/sync/schema.ts";
import type { Own } from "#api/store/owned-store.ts";
import { findPage, listPages, listVersions, listVersionsOnPage } from "./store.ts";

/** Content digests of all pages or one; another account's page is not included. */
export async function listDigests(own: Own, pageId: string | undefined): Promise<PageDigest[]> {
  const page = pageId === undefined ? undefined : await findPage(own, pageId);
  const pages = pageId === undefined ? await listPages(own) : page ? [page] : [];
  const all = pageId === undefined ? await listVersions(own) : await listVersionsOnPage(own, pageId);
  const onPage = groupBy(all, (component) => component.pageId);
  return pages.map(({ _id, components }) => ({
    pageId: _id,
    ...pageDigest(sortByIds(onPage.get(_id) ?? [], components)),
  }));
}
