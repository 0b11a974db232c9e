import type { ExploreItem, ShareType, Topic } from "#shared/sharing/schema.ts";
import type { DocumentStore } from "#api/store/port.ts";
import { findListed, type ListingDeps } from "./listing.ts";
import { readExcerpt } from "./excerpt.ts";
import { presentPublicFields } from "./own-shares.ts";
import { findSharedHead } from "./shared-content.ts";
import { findListedTopics, isOwnerInactive, listListed, type ShareDoc } from "./store.ts";

const PAGE_SIZE = 30;

interface ExploreQuery {
  q: string;
  topic?: Topic | undefined;
  type?: ShareType | undefined;
  language?: string | undefined;
  before?: number | undefined;
}

/**
 * Listed shares that can be opened. Without a query, the newest come first, and on each page those in the reader's
 * language; with a query, the best matches come first.
 */
export async function exploreShares(deps: ListingDeps, { q, topic, type, language, before }: ExploreQuery) {
  const { store } = deps;
  const found =
    q === ""
      ? await listListed(store, { topic, type, before, limit: PAGE_SIZE + 1 })
      : (await findListed(deps, q)).filter(
          (share) => (topic === undefined || share.topic === topic) && (type === undefined || share.type === type),
        );
  const isSearch = q !== "";
  const read = await readItems(deps, isSearch ? found : found.slice(0, PAGE_SIZE));
  const hasMore = read.count < found.length;
  return {
    items: isSearch ? read.items : sortOwnLanguageFirst(read.items, language),
    more: hasMore,
    // Only the best matches of a search are listed.
    next: hasMore && !isSearch ? (found[read.count - 1]?.createdAt ?? null) : null,
    topics: before === undefined ? await findListedTopics(store) : [],
  };
}

/**
 * A page of the shares that can be read, and how many shares were tried. They are read one after the other, because
 * anyone may call this, and an item may have much to read until its excerpt is cached.
 */
async function readItems({ store, log }: ListingDeps, found: readonly ShareDoc[]) {
  const items: ExploreItem[] = [];
  let count = 0;
  for (const share of found) {
    if (items.length === PAGE_SIZE) break;
    count += 1;
    const item = await presentItem(store, share).catch((error: unknown) => {
      log.error({ err: error, share: share._id }, "an item of Explore could not be read");
      return undefined;
    });
    if (item) items.push(item);
  }
  return { items, count };
}

const sortOwnLanguageFirst = (items: readonly ExploreItem[], language: string | undefined): ExploreItem[] =>
  items.toSorted((a, b) => Number(b.excerpt.language === language) - Number(a.excerpt.language === language));

/**
 * Undefined if the share cannot be opened. Content that its owner deleted stays shared, but cannot be opened until it
 * is restored.
 */
async function presentItem(store: DocumentStore, share: ShareDoc): Promise<ExploreItem | undefined> {
  if (await isOwnerInactive(store, share)) return undefined;
  const head = await findSharedHead(store, share);
  if (!head) return undefined;
  return { ...presentPublicFields(share), emoji: share.emoji, excerpt: await readExcerpt(store, share, head) };
}
