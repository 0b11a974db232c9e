import { Failure } from "#shared/contract/failure.ts";
import { client } from "#webapp/app/client.ts";
import { accountIdAtom } from "#webapp/app/session/account-atom.ts";
import { store } from "#webapp/app/store.ts";

/** The number of thumbnails in memory, at about 10 KB each. */
const MAX_CACHED = 200;
/** The number of simultaneous requests, so that a long list does not delay other requests of the screen. */
const MAX_CONCURRENT = 4;

type ThumbnailKind = "document" | "video";

/** Object URLs by component, least recently used first. A promise resolves to undefined if there is no thumbnail. */
const cached = new Map<string, Promise<string | undefined>>();
const waiting: (() => void)[] = [];
let running = 0;

store.sub(accountIdAtom, () => {
  for (const id of cached.keys()) evict(id);
});

function evict(id: string): void {
  const entry = cached.get(id);
  cached.delete(id);
  void entry?.then((url) => url !== undefined && URL.revokeObjectURL(url));
}

async function acquireSlot(): Promise<void> {
  if (running >= MAX_CONCURRENT) await new Promise<void>((start) => waiting.push(start));
  running += 1;
}

async function fetchThumbnail(componentId: string, kind: ThumbnailKind): Promise<string | undefined> {
  await acquireSlot();
  try {
    const { getVideoThumbnail, getPdfThumbnail } = client.uploads;
    return URL.createObjectURL(await (kind === "video" ? getVideoThumbnail : getPdfThumbnail)({ componentId }));
  } catch (error) {
    // Unless the server has no thumbnail, the entry is removed, so that a later call tries again.
    if (!(error instanceof Failure && error.code === "not_found")) cached.delete(componentId);
    return undefined;
  } finally {
    running -= 1;
    waiting.shift()?.();
  }
}

/** A file's thumbnail as an object URL that the cache owns; undefined if there is none. */
export function readThumbnail(componentId: string, kind: ThumbnailKind): Promise<string | undefined> {
  const url = cached.get(componentId) ?? fetchThumbnail(componentId, kind);
  cached.delete(componentId);
  cached.set(componentId, url);
  const [oldest] = cached.keys();
  if (cached.size > MAX_CACHED && oldest !== undefined) evict(oldest);
  return url;
}
