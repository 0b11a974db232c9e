import { type DBSchema, type IDBPDatabase, openDB } from "idb";

interface Wanted<S extends DBSchema> {
  name: string;
  version: number;
  upgrade: (db: IDBPDatabase<S>) => void;
}

/**
 * A browser's database, opened when it is first asked for and held open. One that was closed is opened again: by a newer
 * version of the app elsewhere that wants to upgrade, by the system, or because opening failed. What is on disk stays.
 */
export function openOnce<S extends DBSchema>({ name, version, upgrade }: Wanted<S>): () => Promise<IDBPDatabase<S>> {
  let opening: Promise<IDBPDatabase<S>> | undefined;
  const forget = () => {
    opening = undefined;
  };
  return () => {
    opening ??= openDB<S>(name, version, {
      upgrade,
      blocking: (_old, _next, event) => {
        (event.target as IDBDatabase).close();
        forget();
      },
      terminated: forget,
    }).catch((error: unknown) => {
      forget();
      throw error;
    });
    return opening;
  };
}
