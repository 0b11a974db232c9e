import { changeCachedPage, listCachedPages, newestCachedAt } from "#shared/sync/storage/local-store.ts";
import { applyAcknowledgedToPage } from "#shared/sync/overlay.ts";
import type { ClientOutcome } from "#shared/sync/outcomes.ts";

interface ComponentIndex {
  /** When the newest page in this index was cached. */
  newestCachedAt: number;
  byComponent: Map<string, string>;
}

/** The page of each cached component, for each account. */
const indexByAccount = new Map<string, ComponentIndex>();

/** Reads the index from disk on first use, and again if pages that were cached since may contain missing ids. */
async function readComponentIndex(
  accountId: string,
  isEnough: (known: ComponentIndex["byComponent"]) => boolean,
): Promise<ComponentIndex["byComponent"]> {
  const cachedIndex = indexByAccount.get(accountId);
  if (cachedIndex && isEnough(cachedIndex.byComponent)) return cachedIndex.byComponent;
  const readUpTo = await newestCachedAt(accountId);
  if (cachedIndex && cachedIndex.newestCachedAt >= readUpTo) return cachedIndex.byComponent;
  const pages = await listCachedPages(accountId);
  const byComponent = new Map(
    pages.flatMap(({ components }) => components.map(({ _id, pageId }) => [_id, pageId] as const)),
  );
  indexByAccount.set(accountId, { newestCachedAt: readUpTo, byComponent });
  return byComponent;
}

function pageOf({ request }: ClientOutcome, known: Map<string, string>): string | undefined {
  const { type, resourceId, data } = request;
  if (type === "page_update" || type === "page_component_sort") return resourceId;
  if (type === "component_create") known.set(resourceId, data.parentId);
  return known.get(resourceId);
}

/** Applies acknowledged changes to cached pages that this tab does not show, so that they are up to date offline. */
export async function applyToCachedPages(accountId: string, outcomes: readonly ClientOutcome[]): Promise<void> {
  const known = await readComponentIndex(accountId, (index) =>
    outcomes.every((outcome) => pageOf(outcome, index) !== undefined),
  );
  const byPage = new Map<string, ClientOutcome[]>();
  for (const outcome of outcomes) {
    const pageId = pageOf(outcome, known);
    if (pageId !== undefined) byPage.set(pageId, [...(byPage.get(pageId) ?? []), outcome]);
  }
  for (const [pageId, pageOutcomes] of byPage)
    await changeCachedPage(accountId, pageId, (state) =>
      applyAcknowledgedToPage(pageOutcomes, { accountId, pageId }, state),
    );
}
