import { type DBSchema, type IDBPDatabase, type IDBPTransaction, openDB, type StoreNames } from "idb";
import { StorageTimeoutError, withStorageTimeout } from "./storage-timeout.ts";

/** The schema changes of one version; all steps that are needed run in one transaction. */
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
 * the app in another tab that needs to upgrade, by the system, or because opening failed. Data on disk stays. If the
 * browser does not answer, every call rejects with a `StorageTimeoutError` until it does.
 */
export function openDatabase<S extends DBSchema>({ name, steps }: DatabaseSpec<S>): () => Promise<IDBPDatabase<S>> {
  let opening: Promise<IDBPDatabase<S>> | undefined;
  const reset = () => {
    opening = undefined;
  };
  const begin = async () => {
    try {
      return await openDB<S>(name, steps.length, {
        upgrade: (db, from, _to, transaction) => {
          for (const step of steps.slice(from)) step(db, transaction);
        },
        blocking: (_old, _next, event) => {
          (event.target as IDBDatabase).close();
          reset();
        },
        terminated: reset,
      });
    } catch (error) {
      // A TypeError is not a refusal by the browser. Its storage is broken, or replaced by an extension.
      throw error instanceof TypeError ? new StorageTimeoutError({ cause: error }) : error;
    }
  };
  const open = () => {
    const request = begin();
    const inTime = withStorageTimeout(request);
    // A late answer is used for later calls.
    const useLate = () => {
      if (opening === inTime) opening = request;
    };
    request.then(useLate, reset);
    inTime.catch(() => undefined);
    return inTime;
  };
  return () => (opening ??= open());
}

/** Bounds an opening for one use: a database that opens too late is closed. */
export async function openInTime<S extends DBSchema>(opening: Promise<IDBPDatabase<S>>): Promise<IDBPDatabase<S>> {
  try {
    return await withStorageTimeout(opening);
  } catch (error) {
    opening.then(
      (db) => db.close(),
      () => undefined,
    );
    throw error;
  }
}
