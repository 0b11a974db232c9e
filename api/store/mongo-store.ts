import { setTimeout as wait } from "node:timers/promises";
import {
  MongoClient,
  MongoServerError,
  type Collection as Stored,
  type Db,
  type Filter as Query,
  type OptionalUnlessRequiredId,
  type UpdateFilter,
} from "mongodb";
import { applyPatch, checkPatch, getAt } from "./sqlite/apply-patch.ts";
import { roundTrip } from "./sqlite/document-text.ts";
import { createPinger, MongoWatchdog, watchCollection } from "./mongo-watchdog.ts";
import { requireCollectionName, requirePath } from "./sqlite/field-path.ts";
import {
  fromMongo,
  toMongoFilter,
  toMongoOptions,
  toEqualityCondition,
  toMongoUpdate,
  toMongo,
} from "./mongo-encoding.ts";
import {
  InvalidDocumentError,
  DuplicateValueError,
  type Collection,
  type CollectionSpec,
  type Doc,
  type DocumentStore,
  type Filter,
  type FindOptions,
  type IndexSpec,
  type Patch,
} from "./port.ts";

const DUPLICATE_KEY = 11000;
const NOT_IMPLEMENTED = 238;
/** Of a collection or of an index. */
const NOT_FOUND_CODES = new Set<unknown>([26, 27]);
/** BadValue, TypeMismatch, PathNotViable, ConflictingUpdateOperators, too large before and after an update. */
const REFUSED_CODES = new Set<unknown>([2, 14, 28, 40, 10334, 17419, 17420]);
/** How often a write may lose a race before it fails. */
const MAX_ATTEMPTS = 100;

/** FerretDB passes on the error message of its own database. */
const isDuplicate = (cause: unknown): cause is MongoServerError =>
  cause instanceof MongoServerError &&
  (cause.code === DUPLICATE_KEY || (cause.code === 1 && cause.message.includes("UNIQUE constraint failed")));

const isDuplicateId = (cause: unknown) =>
  isDuplicate(cause) && /[ .$]_id_|keyPattern.*_id/.test(`${cause.message} ${JSON.stringify(cause["keyPattern"])}`);

function throwTranslated(cause: unknown): never {
  if (isDuplicate(cause)) throw new DuplicateValueError("Taken", { cause });
  if (cause instanceof MongoServerError && REFUSED_CODES.has(cause.code))
    throw new InvalidDocumentError(cause.message, { cause });
  if (cause instanceof RangeError) throw new InvalidDocumentError("A document is larger than MongoDB holds", { cause });
  throw cause;
}

/** Uniqueness applies only to documents in which every indexed field has a value, as with NULL in SQLite. */
function toMongoIndex({ fields, unique = false }: IndexSpec) {
  const key = Object.fromEntries(fields.map((field) => [requirePath(field), 1 as const]));
  const hasValue = Object.fromEntries(fields.map((field) => [field, { $type: ["string", "number"] }]));
  return { key, ...(unique && { unique, partialFilterExpression: hasValue }) };
}

/**
 * Created one at a time: FerretDB 1 fails if several exist already. It also lacks partial indexes, so its unique
 * indexes treat null as a value and reject more than they should.
 */
async function createIndexes<T extends Doc>(collection: Stored<T>, specs: readonly IndexSpec[]): Promise<void> {
  for (const index of specs.map(toMongoIndex)) {
    try {
      await collection.createIndexes([index]);
    } catch (cause) {
      if (!(cause instanceof MongoServerError && cause.code === NOT_IMPLEMENTED)) throw cause;
      await collection.createIndexes([{ key: index.key, unique: true }]);
    }
  }
}

async function dropIndexes<T extends Doc>(collection: Stored<T>, specs: readonly IndexSpec[]): Promise<void> {
  for (const { fields } of specs)
    await collection.dropIndex(fields.map((field) => `${field}_1`).join("_")).catch((cause: unknown) => {
      if (!(cause instanceof MongoServerError && NOT_FOUND_CODES.has(cause.code))) throw cause;
    });
}

class MongoCollection<T extends Doc> implements Collection<T> {
  readonly #collection: Stored<T>;
  readonly #indexes: readonly IndexSpec[];
  readonly #formerIndexes: readonly IndexSpec[];
  #ready: Promise<unknown> | undefined;

  constructor(collection: Stored<T>, { indexes, formerIndexes = [] }: CollectionSpec<T>) {
    this.#collection = collection;
    this.#indexes = indexes;
    this.#formerIndexes = formerIndexes;
  }

  async get(id: string): Promise<T | undefined> {
    return (await this.find({ _id: id }, { limit: 1 }))[0];
  }

  async find(filter: Filter<T>, options: FindOptions<T> = {}): Promise<T[]> {
    const findOptions = toMongoOptions(options);
    const query = this.#query(filter);
    // For MongoDB, a limit of 0 means no limit.
    if (options.limit === 0) return [];
    const found = await (await this.#withIndexes()).find(query, findOptions).toArray();
    return found.map((doc) => fromMongo(doc as unknown as T));
  }

  async insert(doc: T): Promise<"inserted" | "duplicate"> {
    const withIndexes = await this.#withIndexes();
    try {
      await withIndexes.insertOne(toMongo(doc) as OptionalUnlessRequiredId<T>);
      return "inserted";
    } catch (cause) {
      return isDuplicate(cause) ? "duplicate" : throwTranslated(cause);
    }
  }

  async patch(filter: Filter<T>, patch: Patch<T>): Promise<T | undefined> {
    const clean = checkPatch(patch);
    if (clean.keepLast) return this.#patchAndTrim(filter, clean, Object.keys(clean.keepLast));
    const update = toMongoUpdate(clean);
    const query = this.#query(filter);
    if (Object.keys(update).length === 0) return (await this.find(filter, { limit: 1 }))[0];
    return this.#change(query, update);
  }

  async patchOrInsert(initial: T, patch: Patch<T>): Promise<T> {
    const created = applyPatch(roundTrip(initial), checkPatch(patch));
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const patched = await this.patch({ _id: initial._id }, patch);
      if (patched) return patched;
      if ((await this.insert(created)) === "inserted") return created;
      // Either another writer was faster, or a value of a unique index is taken.
      if (!(await this.get(initial._id))) throw new DuplicateValueError("Taken");
    }
    throw new Error("Could not patch a document: too many concurrent changes");
  }

  async upsert(doc: T): Promise<void> {
    const withIndexes = await this.#withIndexes();
    const { _id, ...rest } = toMongo(doc);
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      try {
        await withIndexes.replaceOne(this.#query({ _id }), rest, { upsert: true });
        return;
      } catch (cause) {
        // Two writers may both find nothing and insert.
        if (!isDuplicateId(cause)) throwTranslated(cause);
      }
    }
    throw new Error("Could not write a document: too many concurrent changes");
  }

  async remove(filter: Filter<T>): Promise<number> {
    const query = this.#query(filter);
    return (await (await this.#withIndexes()).deleteMany(query)).deletedCount;
  }

  async count(filter: Filter<T>): Promise<number> {
    const query = this.#query(filter);
    return (await this.#withIndexes()).countDocuments(query);
  }

  async groupCount(field: keyof T & string, filter: Filter<T>): Promise<ReadonlyMap<string, number>> {
    const group = { _id: `$${requirePath(field)}`, total: { $sum: 1 } };
    const stages = [{ $match: this.#query(filter) }, { $group: group }];
    const rows = await (await this.#withIndexes()).aggregate<{ _id: unknown; total: number }>(stages).toArray();
    const counts = new Map<string, number>();
    for (const { _id, total } of rows) {
      const key = String(_id);
      counts.set(key, (counts.get(key) ?? 0) + total);
    }
    return counts;
  }

  /**
   * Some MongoDB-compatible servers lack `$slice` in `$push`, so the trimmed list is set on condition that the old one
   * is unchanged (compare and swap).
   */
  async #patchAndTrim(filter: Filter<T>, patch: Patch<T>, trimmedPaths: readonly string[]): Promise<T | undefined> {
    const { push, keepLast: _, set, ...rest } = patch;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const [current] = await this.find(filter, { limit: 1 });
      if (!current) return undefined;
      const unchanged = Object.fromEntries(
        trimmedPaths.map((path) => [path, toEqualityCondition(getAt(current, path))]),
      );
      const created = applyPatch(structuredClone(current), patch);
      const lists = Object.fromEntries(trimmedPaths.map((path) => [path, getAt(created, path)]));
      const others = Object.entries(push ?? {}).filter(([path]) => !trimmedPaths.includes(path));
      const update = {
        ...rest,
        set: { ...set, ...lists } as Patch<T>["set"] & object,
        push: Object.fromEntries(others),
      };
      const updated = await this.#change(
        { ...this.#query(filter), ...this.#query({ _id: current._id }), ...unchanged },
        toMongoUpdate(update),
      );
      if (updated) return updated;
      // Random delay, so that writers that lost the same race do not collide again.
      await wait(Math.random() * Math.min(attempt, 20));
    }
    throw new Error("Could not patch a document: too many concurrent changes");
  }

  async #change(query: Query<T>, update: object): Promise<T | undefined> {
    const withIndexes = await this.#withIndexes();
    const updated = await withIndexes
      .findOneAndUpdate(query, update as UpdateFilter<T>, { returnDocument: "after" })
      .catch(throwTranslated);
    return updated ? fromMongo(updated as unknown as T) : undefined;
  }

  #query(filter: Filter<T>): Query<T> {
    return toMongoFilter(filter) as Query<T>;
  }

  async #prepareIndexes(): Promise<void> {
    await createIndexes(this.#collection, this.#indexes);
    await dropIndexes(this.#collection, this.#formerIndexes);
  }

  /** Creates the indexes before the first query, once per process; after a failure, the next query tries again. */
  async #withIndexes(): Promise<Stored<T>> {
    this.#ready ??= this.#prepareIndexes();
    try {
      await this.#ready;
    } catch (cause) {
      this.#ready = undefined;
      throw cause;
    }
    return this.#collection;
  }
}

export interface MongoConnection {
  readonly client: MongoClient;
  readonly db: Db;
  readonly watchdog: MongoWatchdog;
  close(): Promise<void>;
}

/** Connects, or rejects after ten seconds. The database is the one in the URI, otherwise "lamplight". */
export async function connectMongo(uri: string): Promise<MongoConnection> {
  const client = new MongoClient(uri, {
    appName: "lamplight",
    // Acknowledged once a majority of the replica set has it on disk.
    writeConcern: { w: "majority", journal: true },
    readConcern: { level: "majority" },
    ...(!uri.includes("serverSelectionTimeoutMS=") && { serverSelectionTimeoutMS: 10_000 }),
  });
  await client.connect();
  const isNamed = /^mongodb(\+srv)?:\/\/[^/]+\/[^?]/.test(uri);
  const db = client.db(isNamed ? undefined : "lamplight");
  const pinger = createPinger(uri);
  // Connect before anything waits, because on a busy machine connecting may take longer than the timeout of a ping.
  await pinger.ping();
  const watchdog = new MongoWatchdog((abandoned) => pinger.ping(abandoned));
  return {
    client,
    db,
    watchdog,
    async close() {
      watchdog.close();
      await Promise.all([client.close(), pinger.close()]);
    },
  };
}

/** A document store on MongoDB, one MongoDB collection per collection; needs no transactions. */
export function createMongoStore(connection: MongoConnection): DocumentStore {
  const { db, watchdog } = connection;
  const collections = new Map<string, unknown>();
  return {
    kind: "MongoDB",
    collection<T extends Doc>(spec: CollectionSpec<T>): Collection<T> {
      const name = `${spec.name}:${spec.indexes.length}`;
      const existing = collections.get(name);
      if (existing) return existing as Collection<T>;
      const created = new MongoCollection<T>(db.collection<T>(requireCollectionName(spec.name)), spec);
      const watched = watchCollection(created, watchdog);
      collections.set(name, watched);
      return watched;
    },
    removeOwned: (ownerId) =>
      watchdog.run(async () => {
        let removedCount = 0;
        for (const { name } of await db.listCollections({}, { nameOnly: true }).toArray())
          if (!name.startsWith("system."))
            removedCount += (await db.collection(name).deleteMany({ ownerId })).deletedCount;
        return removedCount;
      }),
    checkHealth: () => watchdog.run(async () => void (await db.command({ ping: 1 }))),
    close: () => connection.close(),
  };
}
