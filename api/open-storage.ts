import { join } from "node:path";
import { openFolderBlobs } from "#api/blobs/folder-blobs.ts";
import { openGridFsBlobs } from "#api/blobs/gridfs-blobs.ts";
import type { Blobs } from "#api/blobs/port.ts";
import { refuseChanges } from "#api/blobs/read-only-blobs.ts";
import type { PassageIndex } from "#api/store/search/port.ts";
import { createDocumentPassageIndex } from "#api/store/search/document-passage-index.ts";
import { StorageUnusable, toStorageUnusable } from "#api/store/storage-unusable.ts";
import { FILES_FOLDER, openDataFolder } from "#api/store/data-folder.ts";
import { migrateInSteps, migrations, type Migration } from "#api/store/migrations.ts";
import { connectMongo, createMongoStore, type MongoConnection } from "#api/store/mongo-store.ts";
import type { DocumentStore } from "#api/store/port.ts";
import { openSqlitePassages } from "#api/store/sqlite/sqlite-passage-index.ts";

export interface Storage {
  readonly store: DocumentStore;
  readonly blobs: Blobs;
  readonly index: PassageIndex;
  /** Damage of the database, if any; the storage is then read-only. */
  readonly damage?: string | undefined;
  /** Resolves to the damage, if any, when the check of a large database ends after the start. */
  readonly laterDamage?: Promise<string | undefined>;
}

interface StorageSettings {
  readonly DATA_DIR: string;
  readonly MONGODB_URI?: string | undefined;
}

async function openMongoStorage(uri: string, steps: readonly Migration[]): Promise<Storage> {
  let connection: MongoConnection | undefined;
  try {
    connection = await connectMongo(uri);
    const store = createMongoStore(connection);
    await migrateInSteps(store, steps);
    return { store, blobs: await openGridFsBlobs(connection), index: createDocumentPassageIndex(store) };
  } catch (cause) {
    await connection?.close();
    if (cause instanceof StorageUnusable) throw cause;
    // The driver's messages contain host names, never the password in the URI.
    const reason = cause instanceof Error ? cause.message.split("\n")[0] : String(cause);
    throw new StorageUnusable(
      `MongoDB at MONGODB_URI cannot be used: ${reason}. Example: MONGODB_URI=mongodb://127.0.0.1:27017/lamplight`,
      { cause },
    );
  }
}

/** Opens and migrates the configured storage; throws `StorageUnusable` with a one-line reason. */
export async function openStorage(
  settings: StorageSettings,
  steps: readonly Migration[] = migrations,
): Promise<Storage> {
  if (settings.MONGODB_URI) return openMongoStorage(settings.MONGODB_URI, steps);
  const { store, damage, laterDamage } = await openDataFolder(settings.DATA_DIR, steps);
  try {
    let isReadOnly = damage !== undefined;
    void laterDamage.then((found) => (isReadOnly = found !== undefined));
    const blobs = refuseChanges(await openFolderBlobs(join(settings.DATA_DIR, FILES_FOLDER)), () => isReadOnly);
    return { store, blobs, index: openSqlitePassages(settings.DATA_DIR), damage, laterDamage };
  } catch (cause) {
    await store.close();
    throw toStorageUnusable(settings.DATA_DIR, cause);
  }
}
