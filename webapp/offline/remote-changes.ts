import type { Change } from "#shared/sync/schema.ts";

type Heard = (changes: readonly Change[]) => void;

const listeners = new Set<Heard>();

/** Subscribes to changes made by another tab, another device or a job; returns the unsubscribe function. */
export function onRemoteChanges(listener: Heard): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function tellRemoteChanges(changes: readonly Change[]): void {
  for (const listener of listeners) listener(changes);
}
