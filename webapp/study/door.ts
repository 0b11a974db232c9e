import type { SyncInput } from "#shared/sync/queue.ts";
import type { SyncRequest, SyncType } from "#shared/sync/schema.ts";

/** What studying needs from around it: whose it is, where answers are kept, and the time. */
export interface StudyDoor {
  accountId(): string | undefined;
  enqueue<T extends SyncType>(type: T, resourceId: string, data: SyncInput<T>): Promise<unknown>;
  unsaved(): readonly SyncRequest[];
  flush(): Promise<void>;
  now(): number;
  newId(): string;
}

let door: StudyDoor;

export function openStudyDoor(next: StudyDoor): void {
  door = next;
}

export const studyDoor = (): StudyDoor => door;
