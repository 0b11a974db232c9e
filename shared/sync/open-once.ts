import { type DBSchema, type IDBPDatabase, type IDBPTransaction, openDB, type StoreNames } from "idb";

/** What one version of a database has more than the one before; in one transaction with those that follow. */
type Step<S extends DBSchema> = (
  db: IDBPDatabase<S>,
  made: IDBPTransaction<S, StoreNames<S>[], "versionchange">,
) => void;

interface Wanted<S extends DBSchema> {
  name: string;
  /** From an empty database on, in their order; a browser that has seen the first of them begins behind these. */
  steps: readonly Step<S>[];
}

/**
 * A browser's database, opened when it is first asked for and held open. One that was closed is opened again: by a newer
 * version of the app elsewhere that wants to upgrade, by the system, or because opening failed. What is on disk stays.
 */
export function openOnce<S extends DBSchema>({ name, steps }: Wanted<S>): () => Promise<IDBPDatabase<S>> {
  let opening: Promise<IDBPDatabase<S>> | undefined;
  const forget = () => {
    opening = undefined;
  };
  return () => {
    opening ??= openDB<S>(name, steps.length, {
      upgrade: (db, from, _to, made) => {
        for (const step of steps.slice(from)) step(db, made);
      },
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
