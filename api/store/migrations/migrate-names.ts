import type { Collection, CollectionSpec, Doc, DocumentStore, Filter, IndexSpec } from "../port.ts";
import {
  type Fields,
  isFields,
  RENAMED_COLLECTIONS,
  RENAMED_FIELDS,
  RENAMED_VALUES,
  applyRenames,
  findRenames,
  renamedTopFields,
} from "./stored-names.ts";

interface AnyDoc extends Doc {
  [field: string]: unknown;
}

/** Documents read, and then written together, so that they share commits. */
const BATCH_SIZE = 100;

/** Indexes of version 2 on fields that are renamed; the collections have others for the new names. */
const FORMER_INDEXES: Readonly<Record<string, readonly IndexSpec[]>> = {
  document_analyses: [{ fields: ["ownerId", "askedAt"] }],
  payers: [{ fields: ["lookAt"] }],
  schedules: [
    { fields: ["ownerId", "componentId", "isAsked", "kind", "dueAt"] },
    { fields: ["ownerId", "isAsked", "kind", "dueAt"] },
  ],
  uploads: [{ fields: ["touchedAt"] }],
};

const anySpec = (name: string): CollectionSpec<AnyDoc> => ({
  name,
  shardKey: "_id",
  indexes: [],
  formerIndexes: FORMER_INDEXES[name] ?? [],
});

/**
 * Version 3: collections and fields have the names of `stored-names.ts`. A document is written in one change, so an
 * interrupted migration may be repeated.
 */
export async function migrateNames(store: DocumentStore): Promise<void> {
  for (const [from, to] of Object.entries(RENAMED_COLLECTIONS)) await moveCollection(store, from, to);
  for (const name of Object.keys({ ...RENAMED_FIELDS, ...RENAMED_VALUES })) await renameFields(store, name);
}

async function moveCollection(store: DocumentStore, from: string, to: string): Promise<void> {
  const [old, moved] = [store.collection(anySpec(from)), store.collection(anySpec(to))];
  for await (const docs of readBatches(old))
    await Promise.all(
      docs.map(async (doc) => {
        await moved.insert(doc);
        await old.remove({ _id: doc._id });
      }),
    );
}

async function renameFields(store: DocumentStore, name: string): Promise<void> {
  const collection = store.collection(anySpec(name));
  for await (const docs of readBatches(collection, renamedTopFields(name)))
    await Promise.all(docs.map((doc) => renameFieldsOf(collection, name, doc)));
}

/** Changes nothing if another process has renamed the fields since the document was read. */
async function renameFieldsOf(collection: Collection<AnyDoc>, name: string, doc: AnyDoc): Promise<void> {
  const renames = findRenames(name, doc);
  if (renames.length === 0) return;
  const renamed = applyRenames(doc, renames);
  const { set, unset } = diff(doc, renamed);
  const added = Object.keys(renamed).filter((field) => !Object.hasOwn(doc, field));
  const unchanged = Object.fromEntries(added.map((field) => [field, null]));
  await collection.patch({ _id: doc._id, ...unchanged }, { set: Object.fromEntries(set), unset });
}

interface Difference {
  set: [path: string, value: unknown][];
  unset: string[];
}

/** Leads into objects, because FerretDB takes objects with other names and the same values for equal. */
function diff(before: Fields, after: Fields): Difference {
  const difference: Difference = {
    set: [],
    unset: Object.keys(before).filter((field) => !Object.hasOwn(after, field)),
  };
  for (const [field, value] of Object.entries(after)) {
    const former = before[field];
    if (value === former) continue;
    if (!isFields(value) || !isFields(former)) {
      difference.set.push([field, value]);
      continue;
    }
    const inner = diff(former, value);
    difference.set.push(...inner.set.map(([path, changed]): [string, unknown] => [`${field}.${path}`, changed]));
    difference.unset.push(...inner.unset.map((path) => `${field}.${path}`));
  }
  return difference;
}

/** All documents in the order of their ids. */
async function* readBatches(collection: Collection<AnyDoc>, fields?: string[]): AsyncGenerator<AnyDoc[]> {
  for (let after: string | undefined; ;) {
    const filter: Filter<AnyDoc> = after === undefined ? {} : { _id: { gt: after } };
    const docs = await collection.find(filter, {
      order: [["_id", "asc"]],
      limit: BATCH_SIZE,
      ...(fields && { fields }),
    });
    if (docs.length > 0) yield docs;
    after = docs.at(-1)?._id;
    if (after === undefined || docs.length < BATCH_SIZE) return;
  }
}
