import type { Deps } from "#api/http/handler.ts";
import type { IndexedPassage, PassageIndex } from "#api/store/search/port.ts";
import { findHeldShare, listListed, type ShareDoc } from "./store.ts";

/** No account has this name: what is listed is searched apart from what anyone owns. */
const EVERYONE = "explore";
const MAX_LISTED = 200_000;
const MAX_HITS = 200;

export type ListingDeps = Pick<Deps, "store" | "index" | "log">;

/** Indexes that were held against the store since this process began, or are just being so. */
const compared = new WeakMap<PassageIndex, Promise<void>>();

/** What lists say of a share, as the index knows it; undefined where nothing is said of it. */
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
 * Writes what is found of a share, whenever that changes. Where it could not be written the share stands all the same,
 * and the next search compares everything.
 */
export async function noteListing({ index, log }: ListingDeps, share: ShareDoc): Promise<void> {
  const version = versionOf(share);
  try {
    if (version === undefined) await index.remove(EVERYONE, [share._id]);
    else await index.put(EVERYONE, { id: share._id, version }, [passageOf(share)]);
  } catch (error) {
    compared.delete(index);
    log.error({ err: error }, "what is listed could not be written into the index");
  }
}

/** The same for a share that is no more. */
export const forgetListing = (deps: ListingDeps, share: ShareDoc) =>
  noteListing(deps, { ...share, visibility: "unlisted" });

/** Listed things in which the words stand, best first. */
export async function findListed(deps: ListingDeps, text: string): Promise<ShareDoc[]> {
  const { store, index } = deps;
  await compareOnce(deps);
  const hits = await index.search(EVERYONE, { text, limit: MAX_HITS });
  const ids = [...new Set(hits.map(({ sourceId }) => sourceId))];
  const found = await Promise.all(ids.map((id) => findHeldShare(store, id)));
  const listed = found.flatMap((share) => (share?.visibility === "listed" ? [share] : []));
  // Of an account that was deleted nobody told the index.
  const gone = ids.filter((_, at) => found[at] === undefined);
  if (gone.length > 0) await index.remove(EVERYONE, gone);
  return listed;
}

/** An index can be lost, or miss what was written while a process ended: it is drawn anew once for each start. */
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
