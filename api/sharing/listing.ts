import type { Deps } from "#api/http/handler.ts";
import type { IndexedPassage, PassageIndex } from "#api/store/search/port.ts";
import { findShareNotTakenDown, listListed, type ShareDoc } from "./store.ts";

/** Pseudo account under which listed shares are indexed, separate from account content. */
const EXPLORE_INDEX = "explore";
const MAX_LISTED = 200_000;
const MAX_HITS = 200;

export type ListingDeps = Pick<Deps, "store" | "index" | "log">;

/** Indexes that this process has already compared with the store. */
const comparedIndexes = new WeakMap<PassageIndex, Promise<void>>();

/** The indexed fields of a share as a version string; undefined if it is not listed. */
const listingVersion = ({ visibility, takenDownAt, title, description, topic }: ShareDoc) =>
  visibility === "listed" && takenDownAt === null ? JSON.stringify([title, description, topic]) : undefined;

const toPassage = ({ _id, title, description, topic }: ShareDoc): IndexedPassage => ({
  id: _id,
  componentId: _id,
  text: `${title}. ${description} ${topic}`,
  kind: "paragraph",
  locator: { page: 1 },
});

/**
 * Updates the index after a change of a share. A failure does not affect the share, and the next search compares
 * everything.
 */
export async function updateListing({ index, log }: ListingDeps, share: ShareDoc): Promise<void> {
  const version = listingVersion(share);
  try {
    if (version === undefined) await index.remove(EXPLORE_INDEX, [share._id]);
    else await index.put(EXPLORE_INDEX, { id: share._id, version }, [toPassage(share)]);
  } catch (error) {
    comparedIndexes.delete(index);
    log.error({ err: error }, "a listing could not be indexed");
  }
}

/** Removes a share from the index. */
export const removeListing = (deps: ListingDeps, share: ShareDoc) =>
  updateListing(deps, { ...share, visibility: "unlisted" });

/** Searches listed shares, best match first. */
export async function findListed(deps: ListingDeps, text: string): Promise<ShareDoc[]> {
  const { store, index } = deps;
  await ensureCompared(deps);
  const hits = await index.search(EXPLORE_INDEX, { text, limit: MAX_HITS });
  const ids = [...new Set(hits.map(({ sourceId }) => sourceId))];
  const found = await Promise.all(ids.map((id) => findShareNotTakenDown(store, id)));
  const listed = found.flatMap((share) => (share?.visibility === "listed" ? [share] : []));
  // Deleting an account does not update the index, so clean it up here.
  const removedIds = ids.filter((_, position) => found[position] === undefined);
  if (removedIds.length > 0) await index.remove(EXPLORE_INDEX, removedIds);
  return listed;
}

/** The index may be lost or miss writes from a crash, so it is compared once per process. */
async function ensureCompared(deps: ListingDeps): Promise<void> {
  const { index } = deps;
  const comparison = comparedIndexes.get(index) ?? compareWithStore(deps);
  comparedIndexes.set(index, comparison);
  try {
    await comparison;
  } catch (error) {
    comparedIndexes.delete(index);
    throw error;
  }
}

async function compareWithStore(deps: ListingDeps): Promise<void> {
  const { store, index } = deps;
  const [indexedVersions, listed] = await Promise.all([
    index.versions(EXPLORE_INDEX),
    listListed(store, { limit: MAX_LISTED }),
  ]);
  const current = new Set(listed.map(({ _id }) => _id));
  const removedIds = [...indexedVersions.keys()].filter((id) => !current.has(id));
  if (removedIds.length > 0) await index.remove(EXPLORE_INDEX, removedIds);
  for (const share of listed)
    if (indexedVersions.get(share._id) !== listingVersion(share)) await updateListing(deps, share);
}
