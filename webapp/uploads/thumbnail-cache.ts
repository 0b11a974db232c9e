import { Failure } from "#shared/contract/failure.ts";
import { client } from "#webapp/app/client.ts";
import { accountIdAtom } from "#webapp/app/session/account-atom.ts";
import { store } from "#webapp/app/store.ts";

/** Thumbnails in memory; about 10 KB each. */
const MAX_CACHED = 200;
/** Fetched at a time, so that a long list does not delay what else the screen needs. */
const MAX_CONCURRENT = 4;

type ThumbnailKind = "document" | "video";

/** Object URLs by component, least recently used first; undefined inside if there is no thumbnail. */
const cached = new Map<string, Promise<string | undefined>>();
const waiting: (() => void)[] = [];
let running = 0;

store.sub(accountIdAtom, () => {
  for (const id of cached.keys()) forget(id);
});

function forget(id: string): void {
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
    // Without a connection there may still be one later.
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
  if (cached.size > MAX_CACHED && oldest !== undefined) forget(oldest);
  return url;
}
