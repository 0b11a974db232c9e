import { applyPatch, checkPatch, getAt } from "#api/store/sqlite/apply-patch.ts";
import type { Collection, CollectionSpec, Condition, Doc, DocumentStore, Filter, Patch } from "#api/store/port.ts";

function isMatch(value: unknown, condition: Condition | undefined): boolean {
  if (condition === null || typeof condition !== "object") return (value ?? null) === condition;
  if ("in" in condition) return condition.in.includes(value as string);
  if ("not" in condition) return (value ?? null) !== condition.not;
  const bounds = Object.entries(condition) as [keyof typeof tests, number][];
  return bounds.every(([name, bound]) => typeof value === typeof bound && tests[name](value as number, bound));
}

const tests = {
  gt: (value: number, bound: number) => value > bound,
  gte: (value: number, bound: number) => value >= bound,
  lt: (value: number, bound: number) => value < bound,
  lte: (value: number, bound: number) => value <= bound,
};

/** A store in memory, for simulations that run too often to use a disk. */
export function memoryDocuments(): DocumentStore {
  const documents = new Map<string, Map<string, Doc>>();
  return {
    kind: "memory",
    collection: (spec) => collectionOf(spec, documents),
    checkHealth: () => Promise.resolve(),
    removeOwned: () => Promise.resolve(0),
    close: () => Promise.resolve(),
  };
}

function collectionOf<T extends Doc>(
  { name, indexes }: CollectionSpec<T>,
  documents: Map<string, Map<string, Doc>>,
): Collection<T> {
  const docs = (documents.get(name) ?? new Map<string, Doc>()) as Map<string, T>;
  documents.set(name, docs);
  const matches = (filter: Filter<T>) =>
    [...docs.values()].filter((doc) =>
      Object.entries(filter).every(([path, condition]) => isMatch(getAt(doc, path), condition)),
    );
  const isTaken = (doc: T) =>
    docs.has(doc._id) ||
    indexes.some(
      ({ unique, fields }) =>
        unique === true &&
        [...docs.values()].some((existing) => fields.every((field) => getAt(existing, field) === getAt(doc, field))),
    );
  const change = (doc: T, patch: Patch<T>): T => {
    const after = applyPatch(structuredClone(doc), checkPatch(patch));
    docs.set(after._id, after);
    return structuredClone(after);
  };
  return {
    get: async (id) => structuredClone(docs.get(id)),
    find: async (filter, { order = [], limit } = {}) => {
      const found = matches(filter).toSorted((a, b) => {
        for (const [field, direction] of order) {
          const [left, right] = [getAt(a, field) as number, getAt(b, field) as number];
          if (left !== right) return (left < right ? -1 : 1) * (direction === "asc" ? 1 : -1);
        }
        return 0;
      });
      return structuredClone(found.slice(0, limit));
    },
    insert: async (doc) => {
      if (isTaken(doc)) return "duplicate";
      docs.set(doc._id, structuredClone(doc));
      return "inserted";
    },
    patch: async (filter, patch) => {
      const [doc] = matches(filter);
      return doc && change(doc, patch);
    },
    patchOrInsert: async (fresh, patch) => change(docs.get(fresh._id) ?? fresh, patch),
    upsert: async (doc) => void docs.set(doc._id, structuredClone(doc)),
    remove: async (filter) => {
      const gone = matches(filter);
      for (const { _id } of gone) docs.delete(_id);
      return gone.length;
    },
    count: async (filter) => matches(filter).length,
    groupCount: async (field, filter) => {
      const counts = new Map<string, number>();
      for (const doc of matches(filter)) {
        const value = String(getAt(doc, field));
        counts.set(value, (counts.get(value) ?? 0) + 1);
      }
      return counts;
    },
  };
}
