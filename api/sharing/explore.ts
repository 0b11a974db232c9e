import type { ExploreItem, ShareType, Topic } from "#shared/sharing/schema.ts";
import type { Deps } from "#api/kit/handler.ts";
import type { IndexedPassage } from "#api/kit/search/port.ts";
import { findShare, listListed, type ShareDoc } from "./store.ts";

const SHOWN = 30;
/** As many of the newest as are searched. */
const SEARCHED = 20_000;
/** No account has this name: what is listed is searched apart from what anyone owns. */
const EVERYONE = "explore";

interface Wanted {
  q: string;
  topic?: Topic | undefined;
  type?: ShareType | undefined;
  before?: number | undefined;
}

type ExploreDeps = Pick<Deps, "store" | "index">;

/** Listed things: the newest, or those whose title and description have the words. */
export async function explore(deps: ExploreDeps, { q, topic, type, before }: Wanted) {
  if (q !== "") return { items: (await searched(deps, { q, topic, type })).map(presentItem), more: false };
  const found = await listListed(deps.store, { topic, type, before, limit: SHOWN + 1 });
  return { items: found.slice(0, SHOWN).map(presentItem), more: found.length > SHOWN };
}

async function searched({ store, index }: ExploreDeps, { q, topic, type }: Omit<Wanted, "before">) {
  await catchUp({ store, index });
  const hits = await index.search(EVERYONE, { text: q, limit: 200 });
  const ids = [...new Set(hits.map(({ sourceId }) => sourceId))];
  const found = await Promise.all(ids.map((id) => findShare(store, id)));
  const fits = (share: ShareDoc | undefined): share is ShareDoc =>
    share?.visibility === "listed" &&
    (topic === undefined || share.topic === topic) &&
    (type === undefined || share.type === type);
  return found.filter(fits).slice(0, SHOWN);
}

/** Reads into the index what changed since it was last asked. */
async function catchUp({ store, index }: ExploreDeps): Promise<void> {
  const [known, listed] = await Promise.all([index.versions(EVERYONE), listListed(store, { limit: SEARCHED })]);
  const current = new Set(listed.map(({ _id }) => _id));
  const gone = [...known.keys()].filter((id) => !current.has(id));
  if (gone.length > 0) await index.remove(EVERYONE, gone);
  for (const share of listed) {
    const version = JSON.stringify([share.title, share.description, share.topic]);
    if (known.get(share._id) !== version) await index.put(EVERYONE, { id: share._id, version }, [passageOf(share)]);
  }
}

const passageOf = ({ _id, title, description, topic }: ShareDoc): IndexedPassage => ({
  id: _id,
  componentId: _id,
  text: `${title}. ${description} ${topic}`,
  kind: "paragraph",
  locator: { page: 1 },
});

/** What anyone may know of a share before it is opened. */
export function presentItem(share: ShareDoc): ExploreItem {
  const { _id, type, title, emoji, description, topic, views, duplicates, createdAt } = share;
  return { _id, type, title, emoji, description, topic, views, duplicates, createdAt };
}
