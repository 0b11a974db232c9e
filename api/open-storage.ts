import { join } from "node:path";
import { openFolderBlobs } from "#api/blobs/folder-blobs.ts";
import type { Blobs } from "#api/blobs/port.ts";
import { refuseChanges } from "#api/blobs/read-only-blobs.ts";
import type { PassageIndex } from "#api/store/search/port.ts";
import { toStorageUnusable } from "#api/store/storage-unusable.ts";
import { FILES_FOLDER, openDataFolder } from "#api/store/data-folder.ts";
import { migrations, type Migration } from "#api/store/migrations.ts";
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

/** Opens and migrates the configured storage; throws `StorageUnusableError` with a one-line reason. */
export async function openStorage(
  settings: StorageSettings,
  steps: readonly Migration[] = migrations,
): Promise<Storage> {
  if (settings.MONGODB_URI) {
    // Loaded only if needed, because the driver lengthens the start.
    const { openMongoStorage } = await import("./open-mongo-storage.ts");
    return openMongoStorage(settings.MONGODB_URI, steps);
  }
  const { store, damage, laterDamage } = await openDataFolder(settings.DATA_DIR, steps);
  try {
    let isReadOnly = damage !== undefined;
    const followCheck = async () => {
      isReadOnly = (await laterDamage) !== undefined;
    };
    void followCheck();
    const blobs = refuseChanges(await openFolderBlobs(join(settings.DATA_DIR, FILES_FOLDER)), () => isReadOnly);
    return { store, blobs, index: openSqlitePassages(settings.DATA_DIR), damage, laterDamage };
  } catch (cause) {
    await store.close();
    throw toStorageUnusable(settings.DATA_DIR, cause);
  }
}
