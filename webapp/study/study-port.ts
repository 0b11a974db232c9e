import { ulid } from "ulid";
import type { PageState } from "#shared/sync/overlay.ts";
import type { SyncInput } from "#shared/sync/queue.ts";
import type { SyncRequest, SyncType } from "#shared/sync/schema.ts";
import { userAtom } from "#webapp/app/session/session.ts";
import { serverNow } from "#webapp/app/server-clock.ts";
import { store } from "#webapp/app/store.ts";
import { knownVersion, loadPage, queue } from "#webapp/offline/sync.ts";

/** The account, storage, sync queue and clock that studying needs. */
export interface StudyPort {
  accountId(): string | undefined;
  /** The page with local changes applied; resolves after the stored queue has been read. */
  loadPage(pageId: string): Promise<PageState>;
  enqueue<T extends SyncType>(type: T, resourceId: string, data: SyncInput<T>): Promise<unknown>;
  unsaved(): readonly SyncRequest[];
  flush(): Promise<void>;
  now(): number;
  newId(): string;
}

/** Changes to a deck carry their base version; reviews do not. */
function baseVersionFor(type: SyncType, componentId: string): { baseVersion?: number } {
  const version = type === "card_standing" ? knownVersion(componentId) : undefined;
  return version === undefined ? {} : { baseVersion: version };
}

let port: StudyPort = {
  accountId: () => store.get(userAtom)?._id,
  loadPage,
  enqueue: (type, resourceId, data) => queue().enqueue(type, resourceId, data, baseVersionFor(type, resourceId)),
  unsaved: () => queue().unsaved(),
  flush: () => queue().flush(),
  now: serverNow,
  newId: () => ulid(),
};

/** Lets tests replace the browser and the network. */
export function setStudyPort(next: StudyPort): void {
  port = next;
}

export const getStudyPort = (): StudyPort => port;
