import type { Component } from "#shared/pages/schema.ts";
import { type Own, ownedBy } from "#api/store/owned-store.ts";
import type { DocumentStore } from "#api/store/port.ts";
import { listFileIds } from "#api/pages/create/copy-page.ts";
import {
  type ComponentHead,
  findActiveHead,
  isFileShownIn,
  listHeadsOnPage,
  readComponents,
} from "#api/pages/find-component.ts";
import { isFileOfEpisode } from "#api/podcasts/shared-episode.ts";
import { listCanvasComponents } from "#api/research/canvas-components.ts";
import { listContentIds, presentShared } from "./shared-content.ts";
import type { ShareDoc } from "./store.ts";
import { cacheKey, VersionCache } from "./version-cache.ts";

/** Limits of one part; a larger component is sent alone. */
const MAX_COMPONENTS = 100;
const MAX_CHARS = 500_000;

/** A part of a shared item. `next` is the position at which the next part begins; undefined for the last part. */
interface SharedPart {
  components: Component[];
  next: number | undefined;
  sizeChars: number;
}

/** Caches for all shares, in this process. */
const contentIds = new VersionCache<readonly string[]>(400_000, (ids) => ids.length + 1);
const parts = new VersionCache<SharedPart>(16_000_000, ({ sizeChars }) => sizeChars + 1);
const fileIds = new VersionCache<ReadonlySet<string>>(400_000, (ids) => ids.size + 1);

export function clearSharedParts(ownerId: string): void {
  for (const cache of [contentIds, parts, fileIds]) cache.removePrefix(cacheKey({ ownerId, _id: "" }));
}

/** Ids of the components that this version of a share shows, in order. */
export const readContentIds = (store: DocumentStore, share: ShareDoc, version: string) =>
  contentIds.get(cacheKey(share), version, () => listContentIds(ownedBy(store, share.ownerId), share));

/** The decks of a share, in order, without their cards. */
export async function listSharedDeckHeads(own: Own, { type, targetId }: ShareDoc): Promise<ComponentHead[]> {
  if (type === "component_flashcards") {
    const head = await findActiveHead(own, targetId);
    return head ? [head] : [];
  }
  if (type !== "page") return [];
  const heads = await listHeadsOnPage(own, targetId);
  return heads.filter((head) => head.type === "flash_cards" && !head.isArchived);
}

/** The components from a position on, as visitors see them. `version` is the version of the shared item. */
export const readSharedPart = (store: DocumentStore, share: ShareDoc, version: string, from: number) =>
  parts.get(`${cacheKey(share)}:${from}`, version, async (): Promise<SharedPart> => {
    if (share.type === "research_session") return readSharedCanvas(store, share);
    const ids = await readContentIds(store, share, version);
    const includedIds = new Set([share.targetId, ...ids]);
    const wantedIds = ids.slice(from, from + MAX_COMPONENTS);
    const components: Component[] = [];
    let sizeChars = 0;
    let next = from + wantedIds.length;
    for await (const component of readComponents(ownedBy(store, share.ownerId), wantedIds)) {
      const presented = presentShared(component, share, includedIds);
      if (components.length > 0 && sizeChars + presented.sizeChars > MAX_CHARS) {
        next = from + wantedIds.indexOf(component._id);
        break;
      }
      components.push(presented.component);
      sizeChars += presented.sizeChars;
    }
    return { components, next: next < ids.length ? next : undefined, sizeChars };
  });

/** A canvas is short enough for one part. */
async function readSharedCanvas(store: DocumentStore, { ownerId, targetId }: ShareDoc): Promise<SharedPart> {
  const components = await listCanvasComponents(ownedBy(store, ownerId), targetId);
  return { components, next: undefined, sizeChars: JSON.stringify(components).length };
}

/** Whether the file appears in the shared item, even if only in a card or a text. */
export async function isFileShared(
  store: DocumentStore,
  share: ShareDoc,
  version: string,
  fileId: string,
): Promise<boolean> {
  const own = ownedBy(store, share.ownerId);
  const { type, targetId } = share;
  if (type === "podcast") return isFileOfEpisode(own, targetId, fileId);
  if (await isFileShownIn(own, type === "page" ? { pageId: targetId } : { _id: targetId }, fileId)) return true;
  const shown = await fileIds.get(cacheKey(share), version, async () => {
    const found = new Set<string>();
    const ids = await readContentIds(store, share, version);
    for await (const component of readComponents(own, ids)) for (const id of listFileIds([component])) found.add(id);
    return found;
  });
  return shown.has(fileId);
}
