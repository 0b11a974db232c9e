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
import { applyPatch, checkPatch, valueAt } from "./sqlite/apply-patch.ts";
import { asStored } from "./sqlite/document-text.ts";
import { checkName, checkPath } from "./sqlite/field-path.ts";
import { fromMongo, mongoFilter, mongoOptions, mongoSame, mongoUpdate, toMongo } from "./mongo-document.ts";
import {
  BadDocument,
  DuplicateValue,
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
/** BadValue, TypeMismatch, PathNotViable, ConflictingUpdateOperators, too large before and after an update. */
const REFUSED = new Set<unknown>([2, 14, 28, 40, 10334, 17419, 17420]);
/** How often a write may lose a race before it fails. */
const MAX_TURNS = 100;

/** FerretDB passes on the error message of its own database. */
const isDuplicate = (cause: unknown): cause is MongoServerError =>
  cause instanceof MongoServerError &&
  (cause.code === DUPLICATE_KEY || (cause.code === 1 && cause.message.includes("UNIQUE constraint failed")));

const isTakenId = (cause: unknown) =>
  isDuplicate(cause) && /[ .$]_id_|keyPattern.*_id/.test(`${cause.message} ${JSON.stringify(cause["keyPattern"])}`);

function translate(cause: unknown): never {
  if (isDuplicate(cause)) throw new DuplicateValue("Taken", { cause });
  if (cause instanceof MongoServerError && REFUSED.has(cause.code)) throw new BadDocument(cause.message, { cause });
  if (cause instanceof RangeError) throw new BadDocument("A document is larger than MongoDB holds", { cause });
  throw cause;
}

/** Only documents in which every indexed field has a value are unique, like NULL in SQLite. */
function indexOf({ fields, unique = false }: IndexSpec) {
  const key = Object.fromEntries(fields.map((field) => [checkPath(field), 1 as const]));
  const holdsValue = Object.fromEntries(fields.map((field) => [field, { $type: ["string", "number"] }]));
  return { key, ...(unique && { unique, partialFilterExpression: holdsValue }) };
}

/**
 * Created one at a time: FerretDB 1 fails if several exist already. It also lacks partial indexes, so its unique
 * indexes treat null as a value and reject more than they should.
 */
async function makeIndexes<T extends Doc>(collection: Stored<T>, specs: readonly IndexSpec[]): Promise<void> {
  for (const index of specs.map(indexOf)) {
    try {
      await collection.createIndexes([index]);
    } catch (cause) {
      if (!(cause instanceof MongoServerError && cause.code === NOT_IMPLEMENTED)) throw cause;
      await collection.createIndexes([{ key: index.key, unique: true }]);
    }
  }
}

class MongoCollection<T extends Doc> implements Collection<T> {
  readonly #collection: Stored<T>;
  readonly #indexes: readonly IndexSpec[];
  #ready: Promise<unknown> | undefined;

  constructor(collection: Stored<T>, indexes: readonly IndexSpec[]) {
    this.#collection = collection;
    this.#indexes = indexes;
  }

  async get(id: string): Promise<T | undefined> {
    return (await this.find({ _id: id }, { limit: 1 }))[0];
  }

  async find(filter: Filter<T>, options: FindOptions<T> = {}): Promise<T[]> {
    const asked = mongoOptions(options);
    const query = this.#query(filter);
    // For MongoDB, a limit of 0 means no limit.
    if (options.limit === 0) return [];
    const found = await (await this.#stored()).find(query, asked).toArray();
    return found.map((doc) => fromMongo(doc as unknown as T));
  }

  async insert(doc: T): Promise<"inserted" | "duplicate"> {
    const stored = await this.#stored();
    try {
      await stored.insertOne(toMongo(doc) as OptionalUnlessRequiredId<T>);
      return "inserted";
    } catch (cause) {
      return isDuplicate(cause) ? "duplicate" : translate(cause);
    }
  }

  async patch(filter: Filter<T>, patch: Patch<T>): Promise<T | undefined> {
    const clean = checkPatch(patch);
    if (clean.keepLast) return this.#patchAndCut(filter, clean, Object.keys(clean.keepLast));
    const update = mongoUpdate(clean);
    const query = this.#query(filter);
    if (Object.keys(update).length === 0) return (await this.find(filter, { limit: 1 }))[0];
    return this.#change(query, update);
  }

  async patchOrInsert(fresh: T, patch: Patch<T>): Promise<T> {
    const made = applyPatch(asStored(fresh), checkPatch(patch));
    for (let turn = 0; turn < MAX_TURNS; turn += 1) {
      const patched = await this.patch({ _id: fresh._id }, patch);
      if (patched) return patched;
      if ((await this.insert(made)) === "inserted") return made;
      // Either another writer was faster, or a value of a unique index is taken.
      if (!(await this.get(fresh._id))) throw new DuplicateValue("Taken");
    }
    throw new Error("Could not patch a document: too many concurrent changes");
  }

  async upsert(doc: T): Promise<void> {
    const stored = await this.#stored();
    const { _id, ...rest } = toMongo(doc);
    for (let turn = 0; turn < MAX_TURNS; turn += 1) {
      try {
        await stored.replaceOne(this.#query({ _id }), rest, { upsert: true });
        return;
      } catch (cause) {
        // Two writers may both find nothing and insert.
        if (!isTakenId(cause)) translate(cause);
      }
    }
    throw new Error("Could not write a document: too many concurrent changes");
  }

  async remove(filter: Filter<T>): Promise<number> {
    const query = this.#query(filter);
    return (await (await this.#stored()).deleteMany(query)).deletedCount;
  }

  async count(filter: Filter<T>): Promise<number> {
    const query = this.#query(filter);
    return (await this.#stored()).countDocuments(query);
  }

  async groupCount(field: keyof T & string, filter: Filter<T>): Promise<ReadonlyMap<string, number>> {
    const group = { _id: `$${checkPath(field)}`, total: { $sum: 1 } };
    const stages = [{ $match: this.#query(filter) }, { $group: group }];
    const rows = await (await this.#stored()).aggregate<{ _id: unknown; total: number }>(stages).toArray();
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
  async #patchAndCut(filter: Filter<T>, patch: Patch<T>, cut: readonly string[]): Promise<T | undefined> {
    const { push, keepLast: _, set, ...rest } = patch;
    for (let turn = 0; turn < MAX_TURNS; turn += 1) {
      const [old] = await this.find(filter, { limit: 1 });
      if (!old) return undefined;
      const same = Object.fromEntries(cut.map((path) => [path, mongoSame(valueAt(old, path))]));
      const made = applyPatch(structuredClone(old), patch);
      const lists = Object.fromEntries(cut.map((path) => [path, valueAt(made, path)]));
      const others = Object.entries(push ?? {}).filter(([path]) => !cut.includes(path));
      const update = {
        ...rest,
        set: { ...set, ...lists } as Patch<T>["set"] & object,
        push: Object.fromEntries(others),
      };
      const after = await this.#change(
        { ...this.#query(filter), ...this.#query({ _id: old._id }), ...same },
        mongoUpdate(update),
      );
      if (after) return after;
      // Random delay, so that writers that lost the same race do not collide again.
      await wait(Math.random() * Math.min(turn, 20));
    }
    throw new Error("Could not patch a document: too many concurrent changes");
  }

  async #change(query: Query<T>, update: object): Promise<T | undefined> {
    const stored = await this.#stored();
    const after = await stored
      .findOneAndUpdate(query, update as UpdateFilter<T>, { returnDocument: "after" })
      .catch(translate);
    return after ? fromMongo(after as unknown as T) : undefined;
  }

  #query(filter: Filter<T>): Query<T> {
    return mongoFilter(filter) as Query<T>;
  }

  /** Creates the indexes before the first query, once per process; after a failure, the next query tries again. */
  async #stored(): Promise<Stored<T>> {
    this.#ready ??= makeIndexes(this.#collection, this.#indexes);
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
  return { client, db: client.db(isNamed ? undefined : "lamplight") };
}

/** A document store on MongoDB, one MongoDB collection per collection; needs no transactions. */
export function mongoStore({ client, db }: MongoConnection): DocumentStore {
  const known = new Map<string, unknown>();
  return {
    kind: "MongoDB",
    collection<T extends Doc>(spec: CollectionSpec<T>): Collection<T> {
      const name = `${spec.name}:${spec.indexes.length}`;
      const before = known.get(name);
      if (before) return before as Collection<T>;
      const made = new MongoCollection<T>(db.collection<T>(checkName(spec.name)), spec.indexes);
      known.set(name, made);
      return made;
    },
    async removeOwned(ownerId) {
      let gone = 0;
      for (const { name } of await db.listCollections({}, { nameOnly: true }).toArray())
        if (!name.startsWith("system.")) gone += (await db.collection(name).deleteMany({ ownerId })).deletedCount;
      return gone;
    },
    async check() {
      await db.command({ ping: 1 });
    },
    close: () => client.close(),
  };
}
