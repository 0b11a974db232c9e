import type { Condition, Filter, Patch } from "#api/store/port.ts";

type Scalar = string | number | boolean | null;

/** The documents of the property test, with one field for each kind of value. */
export interface Thing {
  _id: string;
  ownerId: string;
  word?: string | null;
  count?: number | null;
  mixed?: string | number | null;
  flag?: boolean | null;
  unique?: string;
  list?: Scalar[];
  inner?: { word?: string | null; count?: number };
}

/** SQLite and MongoDB compare strings byte by byte in UTF-8. */
function compareText(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

const rank = (value: unknown) => (value === undefined || value === null ? 0 : typeof value === "number" ? 1 : 2);

function compare(a: unknown, b: unknown): number {
  if (rank(a) !== rank(b)) return rank(a) - rank(b);
  if (typeof a === "number" && typeof b === "number") return a - b;
  return typeof a === "string" && typeof b === "string" ? compareText(a, b) : 0;
}

const valueAt = (thing: Thing, path: string): unknown =>
  path.split(".").reduce<unknown>((value, part) => (value as Record<string, unknown> | undefined)?.[part], thing);

function isWithin(value: unknown, range: object): boolean {
  return Object.entries(range).every(([name, bound]) => {
    if (typeof value !== typeof bound) return false;
    const order = compare(value, bound);
    return name === "gt" ? order > 0 : name === "gte" ? order >= 0 : name === "lt" ? order < 0 : order <= 0;
  });
}

function meets(value: unknown, condition: Condition): boolean {
  if (condition === null) return value === null || value === undefined;
  if (typeof condition !== "object") return value === condition;
  if ("in" in condition) return condition.in.includes(value as string);
  if ("not" in condition) return (value ?? null) !== condition.not;
  return isWithin(value, condition);
}

/** The simplest correct store: an array of documents. */
export class ModelStore {
  things: Thing[] = [];

  find(filter: Filter<Thing>, order: readonly (readonly [string, "asc" | "desc"])[], limit = Infinity): Thing[] {
    const found = this.#matching(filter).toSorted((a, b) => {
      for (const [path, way] of order) {
        const difference = compare(valueAt(a, path), valueAt(b, path));
        if (difference !== 0) return way === "asc" ? difference : -difference;
      }
      return 0;
    });
    return found.slice(0, limit);
  }

  insert(thing: Thing): "inserted" | "duplicate" {
    if (this.things.some((existing) => existing._id === thing._id) || this.#isTaken(thing)) return "duplicate";
    this.things.push(structuredClone(thing));
    return "inserted";
  }

  upsert(thing: Thing): "written" | "taken" {
    if (this.#isTaken(thing)) return "taken";
    this.things = [...this.things.filter((existing) => existing._id !== thing._id), structuredClone(thing)];
    return "written";
  }

  patch(filter: Filter<Thing>, patch: Patch<Thing>): Thing | undefined | "taken" {
    const [old] = this.#matching(filter);
    if (!old) return undefined;
    const after = patched(old, patch);
    return this.upsert(after) === "taken" ? "taken" : after;
  }

  patchOrInsert(fresh: Thing, patch: Patch<Thing>): Thing | undefined | "taken" {
    if (this.things.some((existing) => existing._id === fresh._id)) return this.patch({ _id: fresh._id }, patch);
    const made = patched(fresh, patch);
    return this.insert(made) === "duplicate" ? "taken" : made;
  }

  remove(filter: Filter<Thing>): number {
    const gone = this.#matching(filter);
    this.things = this.things.filter((thing) => !gone.includes(thing));
    return gone.length;
  }

  groupCount(field: "mixed" | "flag" | "word", filter: Filter<Thing>): Map<string, number> {
    const counts = new Map<string, number>();
    for (const thing of this.#matching(filter)) {
      const key = String(thing[field] ?? null);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    return counts;
  }

  #matching(filter: Filter<Thing>): Thing[] {
    return this.things.filter((thing) =>
      Object.entries(filter).every(([path, condition]) => meets(valueAt(thing, path), condition)),
    );
  }

  #isTaken(thing: Thing): boolean {
    return this.things.some(
      (existing) => existing._id !== thing._id && existing.unique !== undefined && existing.unique === thing.unique,
    );
  }
}

type Bag = Thing & Record<string, unknown>;

function setAt(made: Bag, path: string, to: (old: unknown) => unknown): void {
  const [head = "", tail] = path.split(".");
  const inner = made[head] as Record<string, unknown> | undefined;
  made[head] = tail === undefined ? to(inner) : { ...inner, [tail]: to(inner?.[tail]) };
}

function patchedList(old: Scalar[] | undefined, { push, keepLast, pull }: Patch<Thing>): Scalar[] | undefined {
  const keep = keepLast?.["list"];
  const added = push?.["list"] as Scalar[] | undefined;
  const list = added || keep !== undefined ? [...(old ?? []), ...(added ?? [])] : old;
  const gone = pull?.["list"] ?? [];
  return list?.slice(Math.max(0, list.length - (keep ?? list.length))).filter((item) => !gone.includes(item));
}

function patched(old: Thing, patch: Patch<Thing>): Thing {
  const made = structuredClone(old) as Bag;
  for (const [path, value] of Object.entries<unknown>(patch.set ?? {})) setAt(made, path, () => value);
  for (const path of patch.unset ?? []) delete made[path];
  for (const [path, by] of Object.entries(patch.increment ?? {}))
    setAt(made, path, (was) => ((was as number | undefined) ?? 0) + by);
  const list = patchedList(made.list, patch);
  return list ? { ...made, list } : made;
}
