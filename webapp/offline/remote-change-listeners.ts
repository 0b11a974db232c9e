import type { Change } from "#shared/sync/schema.ts";

type ChangeListener = (changes: readonly Change[]) => void;

const listeners = new Set<ChangeListener>();

/** Subscribes to changes made by another tab, another device or a job. Returns the unsubscribe function. */
export function onRemoteChanges(listener: ChangeListener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function notifyRemoteChanges(changes: readonly Change[]): void {
  for (const listener of listeners) listener(changes);
}
