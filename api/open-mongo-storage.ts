import { openGridFsBlobs } from "#api/blobs/gridfs-blobs.ts";
import { createDocumentPassageIndex } from "#api/store/search/document-passage-index.ts";
import { StorageUnusableError } from "#api/store/storage-unusable.ts";
import { migrateInSteps, type Migration } from "#api/store/migrations.ts";
import { connectMongo, createMongoStore, type MongoConnection } from "#api/store/mongo-store.ts";

/** Opens and migrates the database at a `mongodb://` address; throws `StorageUnusableError` with a one-line reason. */
export async function openMongoStorage(uri: string, steps: readonly Migration[]) {
  let connection: MongoConnection | undefined;
  try {
    connection = await connectMongo(uri);
    const store = createMongoStore(connection);
    await migrateInSteps(store, steps);
    return { store, blobs: await openGridFsBlobs(connection), index: createDocumentPassageIndex(store) };
  } catch (cause) {
    await connection?.close();
    if (cause instanceof StorageUnusableError) throw cause;
    // The driver's messages contain host names, never the password in the URI.
    const reason = cause instanceof Error ? cause.message.split("\n")[0] : String(cause);
    throw new StorageUnusableError(
      `MongoDB at MONGODB_URI cannot be used: ${reason}. Example: MONGODB_URI=mongodb://127.0.0.1:27017/lamplight`,
      { cause },
    );
  }
}
