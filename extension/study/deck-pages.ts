import { NoResponseError } from "#shared/client/client.ts";
import { Failure } from "#shared/contract/failure.ts";
import { readCachedPage, writeCachedPage } from "#shared/sync/storage/local-store.ts";
import { applyToPage, type PageState } from "#shared/sync/overlay.ts";
import type { SyncQueue } from "#shared/sync/queue.ts";
import { client } from "#extension/app/client.ts";

const isServerUnreachable = (error: unknown) =>
  error instanceof NoResponseError || (error instanceof Failure && error.status >= 500);

async function fetchOrReadCached(accountId: string, pageId: string): Promise<PageState> {
  try {
    const fetched = await client.pages.getPage({ id: pageId });
    // A full disk only makes the page unavailable offline.
    await writeCachedPage(accountId, pageId, fetched).catch(() => undefined);
    return fetched;
  } catch (error) {
    const cached = isServerUnreachable(error) ? await readCachedPage(accountId, pageId) : undefined;
    if (cached) return cached;
    throw error;
  }
}

/** The page from the server, or the cached copy if the server cannot be reached, with unsaved changes applied. */
export async function loadPage(queue: SyncQueue, pageId: string): Promise<PageState> {
  const { accountId } = queue;
  return applyToPage(queue.unsaved(), { accountId, pageId }, await fetchOrReadCached(accountId, pageId));
}
