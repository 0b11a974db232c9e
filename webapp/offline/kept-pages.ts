import { changeKeptPage, listKeptPages, newestKeptAt } from "#shared/sync/local-store.ts";
import { settlePage } from "#shared/sync/overlay.ts";
import type { ToldOutcome } from "#shared/sync/tell.ts";

interface Homes {
  /** Cache time of the newest page in this index. */
  readUpTo: number;
  byComponent: Map<string, string>;
}

/** The page of each cached component, by account. */
const read = new Map<string, Homes>();

/** Read from disk on first use, and again if pages cached since might contain the missing ids. */
async function readHomes(
  accountId: string,
  isEnough: (known: Homes["byComponent"]) => boolean,
): Promise<Homes["byComponent"]> {
  const held = read.get(accountId);
  if (held && isEnough(held.byComponent)) return held.byComponent;
  const readUpTo = await newestKeptAt(accountId);
  if (held && held.readUpTo >= readUpTo) return held.byComponent;
  const pages = await listKeptPages(accountId);
  const byComponent = new Map(
    pages.flatMap(({ components }) => components.map(({ _id, pageId }) => [_id, pageId] as const)),
  );
  read.set(accountId, { readUpTo, byComponent });
  return byComponent;
}

function pageOf({ request }: ToldOutcome, known: Map<string, string>): string | undefined {
  const { type, resourceId, data } = request;
  if (type === "page_update" || type === "page_component_sort") return resourceId;
  if (type === "component_create") known.set(resourceId, data.parentId);
  return known.get(resourceId);
}

/** Applies acknowledged changes to cached pages that this tab does not show, so that they are up to date offline. */
export async function settleKeptPages(accountId: string, outcomes: readonly ToldOutcome[]): Promise<void> {
  const known = await readHomes(accountId, (homes) =>
    outcomes.every((outcome) => pageOf(outcome, homes) !== undefined),
  );
  const byPage = new Map<string, ToldOutcome[]>();
  for (const outcome of outcomes) {
    const pageId = pageOf(outcome, known);
    if (pageId !== undefined) byPage.set(pageId, [...(byPage.get(pageId) ?? []), outcome]);
  }
  for (const [pageId, taken] of byPage)
    await changeKeptPage(accountId, pageId, (state) => settlePage(taken, { accountId, pageId }, state));
}
