import type { Deps } from "#api/http/handler.ts";
import type { IndexedPassage, PassageIndex } from "#api/store/search/port.ts";
import { findHeldShare, listListed, type ShareDoc } from "./store.ts";

/** Pseudo account under which listed shares are indexed, separate from account content. */
const EVERYONE = "explore";
const MAX_LISTED = 200_000;
const MAX_HITS = 200;

export type ListingDeps = Pick<Deps, "store" | "index" | "log">;

/** Indexes that were compared with the store since this process started. */
const compared = new WeakMap<PassageIndex, Promise<void>>();

/** The indexed fields of a share as a version string; undefined if it is not listed. */
const versionOf = ({ visibility, takenDownAt, title, description, topic }: ShareDoc) =>
  visibility === "listed" && takenDownAt === null ? JSON.stringify([title, description, topic]) : undefined;

const passageOf = ({ _id, title, description, topic }: ShareDoc): IndexedPassage => ({
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
export async function noteListing({ index, log }: ListingDeps, share: ShareDoc): Promise<void> {
  const version = versionOf(share);
  try {
    if (version === undefined) await index.remove(EVERYONE, [share._id]);
    else await index.put(EVERYONE, { id: share._id, version }, [passageOf(share)]);
  } catch (error) {
    compared.delete(index);
    log.error({ err: error }, "a listing could not be indexed");
  }
}

/** Removes a share from the index. */
export const forgetListing = (deps: ListingDeps, share: ShareDoc) =>
  noteListing(deps, { ...share, visibility: "unlisted" });

/** Searches listed shares, best match first. */
export async function findListed(deps: ListingDeps, text: string): Promise<ShareDoc[]> {
  const { store, index } = deps;
  await compareOnce(deps);
  const hits = await index.search(EVERYONE, { text, limit: MAX_HITS });
  const ids = [...new Set(hits.map(({ sourceId }) => sourceId))];
  const found = await Promise.all(ids.map((id) => findHeldShare(store, id)));
  const listed = found.flatMap((share) => (share?.visibility === "listed" ? [share] : []));
  // Deleting an account does not update the index, so clean it up here.
  const gone = ids.filter((_, at) => found[at] === undefined);
  if (gone.length > 0) await index.remove(EVERYONE, gone);
  return listed;
}

/** The index may be lost or miss writes from a crash, so it is compared once per process. */
async function compareOnce(deps: ListingDeps): Promise<void> {
  const { index } = deps;
  const running = compared.get(index) ?? compare(deps);
  compared.set(index, running);
  try {
    await running;
  } catch (error) {
    compared.delete(index);
    throw error;
  }
}

async function compare(deps: ListingDeps): Promise<void> {
  const { store, index } = deps;
  const [known, listed] = await Promise.all([index.versions(EVERYONE), listListed(store, { limit: MAX_LISTED })]);
  const current = new Set(listed.map(({ _id }) => _id));
  const gone = [...known.keys()].filter((id) => !current.has(id));
  if (gone.length > 0) await index.remove(EVERYONE, gone);
  for (const share of listed) if (known.get(share._id) !== versionOf(share)) await noteListing(deps, share);
}
