import { asStored } from "./document-text.ts";
import { checkPath } from "./field-path.ts";
import { BadDocument, type Doc, type Patch } from "../port.ts";

type Bag = Record<string, unknown>;

const isBag = (value: unknown): value is Bag => typeof value === "object" && value !== null && !Array.isArray(value);

const own = (bag: Bag, key: string): unknown => (Object.hasOwn(bag, key) ? bag[key] : undefined);

/** Assigning to `__proto__` would change the prototype and store nothing. */
function put(bag: Bag, key: string, value: unknown): void {
  Object.defineProperty(bag, key, { value, writable: true, enumerable: true, configurable: true });
}

/** The object that contains the path's last segment; missing objects are created with `make`. */
function holderOf(doc: Bag, parts: readonly string[], make: "make" | "look"): Bag | undefined {
  let bag = doc;
  for (const part of parts.slice(0, -1)) {
    const next = own(bag, part);
    if (isBag(next)) bag = next;
    else if (make === "look") return undefined;
    else if (next !== undefined)
      throw new BadDocument(`There is no object at ${JSON.stringify(part)} to change a field of`);
    else {
      const made: Bag = {};
      put(bag, part, made);
      bag = made;
    }
  }
  return bag;
}

function change(doc: Bag, path: string, to: (old: unknown) => unknown): void {
  const parts = path.split(".");
  const last = parts.at(-1) ?? path;
  const holder = holderOf(doc, parts, "make");
  if (holder) put(holder, last, to(own(holder, last)));
}

function remove(doc: Bag, path: string): void {
  const parts = path.split(".");
  const holder = holderOf(doc, parts, "look");
  if (holder) delete holder[parts.at(-1) ?? path];
}

function listAt(path: string, value: unknown): unknown[] {
  if (value === undefined) return [];
  if (Array.isArray(value)) return value as unknown[];
  throw new BadDocument(`There is no list at ${JSON.stringify(path)}`);
}

function pulled(list: unknown[], values: readonly unknown[]): unknown[] {
  const gone = new Set(values.map((value) => JSON.stringify(value)));
  return list.filter((item) => !gone.has(JSON.stringify(item)));
}

function increase(path: string, old: unknown, by: number): number {
  if (old !== undefined && typeof old !== "number")
    throw new BadDocument(`There is no number at ${JSON.stringify(path)}`);
  return (old ?? 0) + by;
}

/** The patch as it will be stored, after checking that no path is used twice or lies inside another. */
export function checkPatch<T extends Doc>(patch: Patch<T>): Patch<T> {
  const clean = asStored(patch);
  const lists = new Set([...Object.keys(clean.push ?? {}), ...Object.keys(clean.keepLast ?? {})]);
  const paths = [
    ...Object.keys(clean.set ?? {}),
    ...(clean.unset ?? []),
    ...Object.keys(clean.increment ?? {}),
    ...Object.keys(clean.pull ?? {}),
    ...lists,
  ].toSorted();
  for (const path of paths) if (checkPath(path) === "_id") throw new BadDocument("The _id of a document never changes");
  const doubled = paths.find((path, at) =>
    paths.some((other, there) => there !== at && `${other}.`.startsWith(`${path}.`)),
  );
  if (doubled !== undefined) throw new BadDocument(`A patch changes ${JSON.stringify(doubled)} twice`);
  return clean;
}

const entries = <V>(record: Readonly<Record<string, V>> | undefined) => Object.entries(record ?? {});

/** Applies a checked patch to `doc` in place. */
export function applyPatch<T extends Doc>(doc: T, patch: Patch<T>): T {
  const bag = doc as unknown as Bag;
  for (const [path, value] of entries<unknown>(patch.set)) change(bag, path, () => value);
  for (const path of patch.unset ?? []) remove(bag, path);
  for (const [path, by] of entries(patch.increment)) change(bag, path, (old) => increase(path, old, by));
  for (const [path, values] of entries(patch.push)) change(bag, path, (old) => [...listAt(path, old), ...values]);
  for (const [path, count] of entries(patch.keepLast)) change(bag, path, (old) => lastOf(listAt(path, old), count));
  for (const [path, values] of entries(patch.pull)) pullAt(bag, path, values);
  return doc;
}

const lastOf = (list: unknown[], count: number) => (count > 0 ? list.slice(-count) : []);

/** The value at a path, or undefined. */
export function valueAt(doc: Doc, path: string): unknown {
  const parts = path.split(".");
  const holder = holderOf(doc as unknown as Bag, parts, "look");
  return holder && own(holder, parts.at(-1) ?? path);
}

/** A missing list is left missing. */
function pullAt(doc: Bag, path: string, values: readonly unknown[]): void {
  const parts = path.split(".");
  const holder = holderOf(doc, parts, "look");
  const last = parts.at(-1) ?? path;
  if (holder && own(holder, last) !== undefined) put(holder, last, pulled(listAt(path, holder[last]), values));
}
