import { asStored } from "./sqlite/document-text.ts";
import { checkPath } from "./sqlite/field-path.ts";
import { BadDocument, type Condition, type Doc, type Filter, type FindOptions, type Patch } from "./port.ts";

/** In MongoDB field names, "$" and "." have a special meaning and U+0000 is not allowed. */
const hidden = /^$|^\$|[.%\0]/;

const hideName = (name: string) =>
  name === "" ? "%" : name.replaceAll(/[.$%\0]/g, (sign) => `%${sign.charCodeAt(0).toString(16).padStart(2, "0")}`);

const showName = (name: string) =>
  name === "%"
    ? ""
    : name.replaceAll(/%([0-9a-f]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

/** A nested list is stored in a field of this name: some MongoDB-compatible servers do not support nested arrays. */
const LIST = "%list";

function hide(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => (Array.isArray(item) ? { [LIST]: hide(item) } : hide(item)));
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value);
  return Object.fromEntries(fields.map(([name, inner]) => [hidden.test(name) ? hideName(name) : name, hide(inner)]));
}

function show(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(show);
  if (typeof value !== "object" || value === null) return value;
  if (Object.hasOwn(value, LIST)) return show((value as Record<string, unknown>)[LIST]);
  const fields = Object.entries(value);
  return Object.fromEntries(fields.map(([name, inner]) => [name.includes("%") ? showName(name) : name, show(inner)]));
}

/** A document as MongoDB stores it. */
export function toMongo<T extends Doc>(doc: T): T {
  if (typeof doc._id !== "string" || doc._id === "") throw new BadDocument("A document needs an _id");
  return hide(asStored(doc)) as T;
}

export function fromMongo<T extends Doc>(doc: T): T {
  return show(doc) as T;
}

const plain = (value: string | number) => {
  if (typeof value === "string") return value.toWellFormed();
  if (typeof value === "number" && Number.isFinite(value)) return value;
  throw new BadDocument("A condition compares strings and finite numbers");
};

const bounds = { gt: "$gt", gte: "$gte", lt: "$lt", lte: "$lte" } as const;

function rangeOf(path: string, range: object): Record<string, unknown> {
  const entries = Object.entries(range).filter(([, bound]) => bound !== undefined);
  if (entries.length === 0 || entries.some(([name]) => !Object.hasOwn(bounds, name)))
    throw new BadDocument(`No such condition on ${path}`);
  if (new Set(entries.map(([, bound]) => typeof bound)).size > 1)
    throw new BadDocument(`A range on ${path} mixes types`);
  return Object.fromEntries(
    entries.map(([name, bound]) => [bounds[name as keyof typeof bounds], plain(bound as string | number)]),
  );
}

function conditionOf(path: string, condition: Condition | undefined): unknown {
  if (condition === undefined) throw new BadDocument(`A condition on ${path} is undefined`);
  if (condition === null || typeof condition === "boolean") return { $eq: condition };
  if (typeof condition !== "object") return { $eq: plain(condition) };
  if ("in" in condition) return { $in: condition.in.map(plain) };
  if ("not" in condition) return { $ne: condition.not === null ? null : plain(condition.not) };
  return rangeOf(path, condition);
}

export function mongoFilter<T extends Doc>(filter: Filter<T>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(filter).map(([path, condition]) => [checkPath(path), conditionOf(path, condition)]),
  );
}

export function mongoOptions<T extends Doc>({ order, limit, fields }: FindOptions<T>) {
  if (limit !== undefined && (!Number.isInteger(limit) || limit < 0))
    throw new BadDocument("A limit is a whole number");
  return {
    ...(order &&
      order.length > 0 && {
        sort: order.map(([path, way]): [string, 1 | -1] => [checkPath(path), way === "asc" ? 1 : -1]),
      }),
    ...(limit !== undefined && { limit }),
    ...(fields && { projection: Object.fromEntries(["_id", ...fields].map((field) => [checkPath(field), 1])) }),
  };
}

type Update = Partial<Record<"$set" | "$unset" | "$inc" | "$push" | "$pullAll", object>>;

const some = (name: keyof Update, fields: object): Update => (Object.keys(fields).length > 0 ? { [name]: fields } : {});

/** A patch as MongoDB update operators; empty if it changes nothing. Ignores `keepLast`. */
export function mongoUpdate<T extends Doc>(patch: Patch<T>): Update {
  const { set = {}, unset = [], increment = {}, push = {}, pull = {} } = patch;
  return {
    ...some("$set", hideEach(set)),
    ...some("$unset", Object.fromEntries(unset.map((path) => [path, ""]))),
    ...some("$inc", increment),
    ...some("$push", Object.fromEntries(Object.entries(push).map(([path, values]) => [path, { $each: hide(values) }]))),
    ...some("$pullAll", hideEach(pull)),
  };
}

const hideEach = (fields: object) =>
  Object.fromEntries(Object.entries(fields).map(([path, value]) => [path, hide(value)]));

/** Matches if the value at a path equals this one; for undefined, if there is none. */
export const mongoSame = (value: unknown) => (value === undefined ? { $exists: false } : { $eq: hide(value) });
