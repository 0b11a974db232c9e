import { changeKeptPage, listKeptPages } from "#shared/sync/local-store.ts";
import { settlePage } from "#shared/sync/overlay.ts";
import type { ToldOutcome } from "#shared/sync/tell.ts";

/** Where the components of kept pages stand, by account; read from the disk once, when it is first asked for. */
const homes = new Map<string, Promise<Map<string, string>>>();

async function readHomes(accountId: string): Promise<Map<string, string>> {
  const pages = await listKeptPages(accountId);
  return new Map(pages.flatMap(({ components }) => components.map(({ _id, pageId }) => [_id, pageId] as const)));
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
  const reading = homes.get(accountId) ?? readHomes(accountId);
  homes.set(accountId, reading);
  const known = await reading;
  const byPage = new Map<string, ToldOutcome[]>();
  for (const outcome of outcomes) {
    const pageId = pageOf(outcome, known);
    if (pageId !== undefined) byPage.set(pageId, [...(byPage.get(pageId) ?? []), outcome]);
  }
  for (const [pageId, taken] of byPage)
    await changeKeptPage(accountId, pageId, (state) => settlePage(taken, { accountId, pageId }, state));
}
