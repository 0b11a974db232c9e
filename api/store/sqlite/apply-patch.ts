import { roundTrip } from "./document-text.ts";
import { requirePath } from "./field-path.ts";
import { InvalidDocumentError, type Doc, type Patch } from "../port.ts";

type JsonObject = Record<string, unknown>;

const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const getOwn = (target: JsonObject, key: string): unknown => (Object.hasOwn(target, key) ? target[key] : undefined);

/** Assigning to `__proto__` would change the prototype and store nothing. */
function setOwn(target: JsonObject, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
}

/** The object that contains the path's last segment. With `create`, missing objects are created. */
function findHolder(doc: JsonObject, parts: readonly string[], mode: "create" | "read"): JsonObject | undefined {
  let target = doc;
  for (const part of parts.slice(0, -1)) {
    const next = getOwn(target, part);
    if (isJsonObject(next)) target = next;
    else if (mode === "read") return undefined;
    else if (next !== undefined)
      throw new InvalidDocumentError(`There is no object at ${JSON.stringify(part)} to change a field of`);
    else {
      const created: JsonObject = {};
      setOwn(target, part, created);
      target = created;
    }
  }
  return target;
}

function changeAt(doc: JsonObject, path: string, compute: (old: unknown) => unknown): void {
  const parts = path.split(".");
  const last = parts.at(-1) ?? path;
  const holder = findHolder(doc, parts, "create");
  if (holder) setOwn(holder, last, compute(getOwn(holder, last)));
}

function removeAt(doc: JsonObject, path: string): void {
  const parts = path.split(".");
  const holder = findHolder(doc, parts, "read");
  if (holder) delete holder[parts.at(-1) ?? path];
}

function requireList(path: string, value: unknown): unknown[] {
  if (value === undefined) return [];
  if (Array.isArray(value)) return value as unknown[];
  throw new InvalidDocumentError(`There is no list at ${JSON.stringify(path)}`);
}

function removeValues(list: unknown[], values: readonly unknown[]): unknown[] {
  const removed = new Set(values.map((value) => JSON.stringify(value)));
  return list.filter((item) => !removed.has(JSON.stringify(item)));
}

function increase(path: string, old: unknown, by: number): number {
  if (old !== undefined && typeof old !== "number")
    throw new InvalidDocumentError(`There is no number at ${JSON.stringify(path)}`);
  return (old ?? 0) + by;
}

/** The patch as it will be stored, after checking that no path is used twice or is inside another. */
export function checkPatch<T extends Doc>(patch: Patch<T>): Patch<T> {
  const clean = roundTrip(patch);
  const lists = new Set([...Object.keys(clean.push ?? {}), ...Object.keys(clean.keepLast ?? {})]);
  const paths = [
    ...Object.keys(clean.set ?? {}),
    ...(clean.unset ?? []),
    ...Object.keys(clean.increment ?? {}),
    ...Object.keys(clean.pull ?? {}),
    ...lists,
  ].toSorted();
  for (const path of paths)
    if (requirePath(path) === "_id") throw new InvalidDocumentError("The _id of a document never changes");
  const conflicting = paths.find((path, index) =>
    paths.some((other, otherIndex) => otherIndex !== index && `${other}.`.startsWith(`${path}.`)),
  );
  if (conflicting !== undefined) throw new InvalidDocumentError(`A patch changes ${JSON.stringify(conflicting)} twice`);
  return clean;
}

const entries = <V>(record: Readonly<Record<string, V>> | undefined) => Object.entries(record ?? {});

/** Applies a checked patch to `doc` in place. */
export function applyPatch<T extends Doc>(doc: T, patch: Patch<T>): T {
  const target = doc as unknown as JsonObject;
  for (const [path, value] of entries<unknown>(patch.set)) changeAt(target, path, () => value);
  for (const path of patch.unset ?? []) removeAt(target, path);
  for (const [path, by] of entries(patch.increment)) changeAt(target, path, (old) => increase(path, old, by));
  for (const [path, values] of entries(patch.push))
    changeAt(target, path, (old) => [...requireList(path, old), ...values]);
  for (const [path, count] of entries(patch.keepLast))
    changeAt(target, path, (old) => takeLast(requireList(path, old), count));
  for (const [path, values] of entries(patch.pull)) pullAt(target, path, values);
  return doc;
}

const takeLast = (list: unknown[], count: number) => (count > 0 ? list.slice(-count) : []);

/** The value at a path, or undefined. */
export function getAt(doc: Doc, path: string): unknown {
  const parts = path.split(".");
  const holder = findHolder(doc as unknown as JsonObject, parts, "read");
  return holder && getOwn(holder, parts.at(-1) ?? path);
}

/** A missing list is left missing. */
function pullAt(doc: JsonObject, path: string, values: readonly unknown[]): void {
  const parts = path.split(".");
  const holder = findHolder(doc, parts, "read");
  const last = parts.at(-1) ?? path;
  if (holder && getOwn(holder, last) !== undefined)
    setOwn(holder, last, removeValues(requireList(path, holder[last]), values));
}
