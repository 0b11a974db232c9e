import type { ExploreItem, ShareType, Topic } from "#shared/sharing/schema.ts";
import { findListed, type ListingDeps } from "./listing.ts";
import { canOpenShare } from "./shared-content.ts";
import { listListed, type ShareDoc } from "./store.ts";

const PAGE_SIZE = 30;

interface ExploreQuery {
  q: string;
  topic?: Topic | undefined;
  type?: ShareType | undefined;
  before?: number | undefined;
}

/** Listed shares that can be opened: the newest, or those matching the words. */
export async function exploreShares(deps: ListingDeps, { q, topic, type, before }: ExploreQuery) {
  const { store } = deps;
  const found =
    q === ""
      ? await listListed(store, { topic, type, before, limit: PAGE_SIZE + 1 })
      : (await findListed(deps, q)).filter(
          (share) => (topic === undefined || share.topic === topic) && (type === undefined || share.type === type),
        );
  const page = found.slice(0, PAGE_SIZE);
  // Content that its owner deleted stays shared, but cannot be opened until it is restored.
  const canOpen = await Promise.all(page.map((share) => canOpenShare(store, share)));
  const items = page.filter((_, index) => canOpen[index]).map(presentItem);
  const hasMore = q === "" && found.length > PAGE_SIZE;
  return { items, more: hasMore, next: hasMore ? (page.at(-1)?.createdAt ?? null) : null };
}

/** Public information about a share. */
export function presentItem(share: ShareDoc): ExploreItem {
  const { _id, type, title, emoji, description, topic, views, duplicates, createdAt } = share;
  return { _id, type, title, emoji, description, topic, views, duplicates, createdAt };
}
