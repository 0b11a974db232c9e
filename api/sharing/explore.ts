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

/** Listed things that can be opened: the newest, or those whose title and description have the words. */
export async function explore(deps: ListingDeps, { q, topic, type, before }: Wanted) {
  const { store } = deps;
  const found =
    q === ""
      ? await listListed(store, { topic, type, before, limit: SHOWN + 1 })
      : (await findListed(deps, q)).filter(
          (share) => (topic === undefined || share.topic === topic) && (type === undefined || share.type === type),
        );
  const shown = found.slice(0, SHOWN);
  // What its owner deleted is still shared, and cannot be opened until it is restored.
  const standing = await Promise.all(shown.map((share) => isStanding(store, share)));
  const items = shown.filter((_, at) => standing[at]).map(presentItem);
  const more = q === "" && found.length > SHOWN;
  return { items, more, next: more ? (shown.at(-1)?.createdAt ?? null) : null };
}

/** What anyone may know of a share before it is opened. */
export function presentItem(share: ShareDoc): ExploreItem {
  const { _id, type, title, emoji, description, topic, views, duplicates, createdAt } = share;
  return { _id, type, title, emoji, description, topic, views, duplicates, createdAt };
}
