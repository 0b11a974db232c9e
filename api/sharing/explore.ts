import type { ExploreItem, ShareType, Topic } from "#shared/sharing/schema.ts";
import { findListed, type ListingDeps } from "./listing.ts";
import { isStanding } from "./shown.ts";
import { listListed, type ShareDoc } from "./store.ts";

const SHOWN = 30;

interface Wanted {
  q: string;
  topic?: Topic | undefined;
  type?: ShareType | undefined;
  before?: number | undefined;
}

/** Listed shares that can be opened: the newest, or those matching the words. */
export async function explore(deps: ListingDeps, { q, topic, type, before }: Wanted) {
  const { store } = deps;
  const found =
    q === ""
      ? await listListed(store, { topic, type, before, limit: SHOWN + 1 })
      : (await findListed(deps, q)).filter(
          (share) => (topic === undefined || share.topic === topic) && (type === undefined || share.type === type),
        );
  const shown = found.slice(0, SHOWN);
  // Content that its owner deleted stays shared, but cannot be opened until it is restored.
  const standing = await Promise.all(shown.map((share) => isStanding(store, share)));
  const items = shown.filter((_, at) => standing[at]).map(presentItem);
  const more = q === "" && found.length > SHOWN;
  return { items, more, next: more ? (shown.at(-1)?.createdAt ?? null) : null };
}

/** Public information about a share. */
export function presentItem(share: ShareDoc): ExploreItem {
  const { _id, type, title, emoji, description, topic, views, duplicates, createdAt } = share;
  return { _id, type, title, emoji, description, topic, views, duplicates, createdAt };
}
