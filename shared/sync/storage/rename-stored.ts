/** Renames a store of an earlier version, if there is one; its data stays. */
export function renameStore(upgrade: IDBTransaction, from: string, to: string): void {
  if (upgrade.objectStoreNames.contains(from)) upgrade.objectStore(from).name = to;
}

/** Renames a field of every value in a store. */
export function renameField(store: IDBObjectStore, from: string, to: string): void {
  const request = store.openCursor();
  request.onsuccess = () => {
    const cursor = request.result;
    if (!cursor) return;
    const { [from]: renamed, ...others } = cursor.value as Readonly<Record<string, unknown>>;
    if (renamed !== undefined) cursor.update({ ...others, [to]: renamed });
    cursor.continue();
  };
}
