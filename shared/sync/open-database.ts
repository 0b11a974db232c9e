import { type DBSchema, type IDBPDatabase, type IDBPTransaction, openDB, type StoreNames } from "idb";

/** One version's schema changes; runs in the same transaction as those after it. */
type MigrationStep<S extends DBSchema> = (
  db: IDBPDatabase<S>,
  transaction: IDBPTransaction<S, StoreNames<S>[], "versionchange">,
) => void;

interface DatabaseSpec<S extends DBSchema> {
  name: string;
  /** In order, starting from an empty database; only steps that a browser has not run yet are run. */
  steps: readonly MigrationStep<S>[];
}

/**
 * Opens an IndexedDB database on first use and keeps it open. It is reopened after it was closed: by a newer version of
 * the app in another tab that needs to upgrade, by the system, or because opening failed. Data on disk stays.
 */
export function openDatabase<S extends DBSchema>({ name, steps }: DatabaseSpec<S>): () => Promise<IDBPDatabase<S>> {
  let opening: Promise<IDBPDatabase<S>> | undefined;
  const reset = () => {
    opening = undefined;
  };
  return () => {
    opening ??= openDB<S>(name, steps.length, {
      upgrade: (db, from, _to, transaction) => {
        for (const step of steps.slice(from)) step(db, transaction);
      },
      blocking: (_old, _next, event) => {
        (event.target as IDBDatabase).close();
        reset();
      },
      terminated: reset,
    }).catch((error: unknown) => {
      reset();
      throw error;
    });
    return opening;
  };
}
