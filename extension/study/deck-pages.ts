import { NoAnswer } from "#shared/client/client.ts";
import { Failure } from "#shared/contract/failure.ts";
import { readPage, writePage } from "#shared/sync/local-store.ts";
import { applyToPage, type PageState } from "#shared/sync/overlay.ts";
import type { SyncQueue } from "#shared/sync/queue.ts";
import { client } from "#extension/app/client.ts";

const isUnreached = (error: unknown) => error instanceof NoAnswer || (error instanceof Failure && error.status >= 500);

async function fetchOrKept(accountId: string, pageId: string): Promise<PageState> {
  try {
    const fetched = await client.pages.getPage({ id: pageId });
    // A full disk only makes the page unavailable offline.
    await writePage(accountId, pageId, fetched).catch(() => undefined);
    return fetched;
  } catch (error) {
    const kept = isUnreached(error) ? await readPage(accountId, pageId) : undefined;
    if (kept) return kept;
    throw error;
  }
}

/** The page from the server, or the cached copy if the server cannot be reached, with unsaved changes applied. */
export async function loadPage(queue: SyncQueue, pageId: string): Promise<PageState> {
  const { accountId } = queue;
  return applyToPage(queue.unsaved(), { accountId, pageId }, await fetchOrKept(accountId, pageId));
}
