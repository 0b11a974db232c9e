import { changeKeptPage, listKeptPages, newestKeptAt } from "#shared/sync/local-store.ts";
import { settlePage } from "#shared/sync/overlay.ts";
import type { ToldOutcome } from "#shared/sync/tell.ts";

interface Homes {
  /** When the newest of the pages was kept that this was read from. */
  readUpTo: number;
  byComponent: Map<string, string>;
}

/** Where the components of kept pages stand, by account. */
const read = new Map<string, Homes>();

/** From the disk when it is first asked for, and again where pages were kept since that may hold what is not known. */
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

/**
 * Brings pages that lie on this disk, and that no screen of this tab shows, up to what the server has taken: what was
 * written on the train and sent from another screen is there on the next train.
 */
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
