import { roundTrip } from "./sqlite/document-text.ts";
import { requirePath } from "./sqlite/field-path.ts";
import { InvalidDocumentError, type Condition, type Doc, type Filter, type FindOptions, type Patch } from "./port.ts";

/** In MongoDB field names, "$" and "." have a special meaning and U+0000 is not allowed. */
const needsEscape = /^$|^\$|[.%\0]/;

const escapeName = (name: string) =>
  name === "" ? "%" : name.replaceAll(/[.$%\0]/g, (char) => `%${char.charCodeAt(0).toString(16).padStart(2, "0")}`);

const unescapeName = (name: string) =>
  name === "%"
    ? ""
    : name.replaceAll(/%([0-9a-f]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

/** A nested list is stored in a field of this name: some MongoDB-compatible servers do not support nested arrays. */
const LIST = "%list";

function encode(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => (Array.isArray(item) ? { [LIST]: encode(item) } : encode(item)));
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value);
  return Object.fromEntries(
    fields.map(([name, inner]) => [needsEscape.test(name) ? escapeName(name) : name, encode(inner)]),
  );
}

function decode(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(decode);
  if (typeof value !== "object" || value === null) return value;
  if (Object.hasOwn(value, LIST)) return decode((value as Record<string, unknown>)[LIST]);
  const fields = Object.entries(value);
  return Object.fromEntries(
    fields.map(([name, inner]) => [name.includes("%") ? unescapeName(name) : name, decode(inner)]),
  );
}

/** A document as MongoDB stores it. */
export function toMongo<T extends Doc>(doc: T): T {
  if (typeof doc._id !== "string" || doc._id === "") throw new InvalidDocumentError("A document needs an _id");
  return encode(roundTrip(doc)) as T;
}

export function fromMongo<T extends Doc>(doc: T): T {
  return decode(doc) as T;
}

const requirePlainValue = (value: string | number) => {
  if (typeof value === "string") return value.toWellFormed();
  if (typeof value === "number" && Number.isFinite(value)) return value;
  throw new InvalidDocumentError("A condition compares strings and finite numbers");
};

const bounds = { gt: "$gt", gte: "$gte", lt: "$lt", lte: "$lte" } as const;

function toRange(path: string, range: object): Record<string, unknown> {
  const entries = Object.entries(range).filter(([, bound]) => bound !== undefined);
  if (entries.length === 0 || entries.some(([name]) => !Object.hasOwn(bounds, name)))
    throw new InvalidDocumentError(`No such condition on ${path}`);
  if (new Set(entries.map(([, bound]) => typeof bound)).size > 1)
    throw new InvalidDocumentError(`A range on ${path} mixes types`);
  return Object.fromEntries(
    entries.map(([name, bound]) => [bounds[name as keyof typeof bounds], requirePlainValue(bound as string | number)]),
  );
}

function toCondition(path: string, condition: Condition | undefined): unknown {
  if (condition === undefined) throw new InvalidDocumentError(`A condition on ${path} is undefined`);
  if (condition === null || typeof condition === "boolean") return { $eq: condition };
  if (typeof condition !== "object") return { $eq: requirePlainValue(condition) };
  if ("in" in condition) return { $in: condition.in.map(requirePlainValue) };
  if ("not" in condition) return { $ne: condition.not === null ? null : requirePlainValue(condition.not) };
  return toRange(path, condition);
}

export function toMongoFilter<T extends Doc>(filter: Filter<T>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(filter).map(([path, condition]) => [requirePath(path), toCondition(path, condition)]),
  );
}

export function toMongoOptions<T extends Doc>({ order, limit, fields }: FindOptions<T>) {
  if (limit !== undefined && (!Number.isInteger(limit) || limit < 0))
    throw new InvalidDocumentError("A limit is a whole number");
  return {
    ...(order &&
      order.length > 0 && {
        sort: order.map(([path, direction]): [string, 1 | -1] => [requirePath(path), direction === "asc" ? 1 : -1]),
      }),
    ...(limit !== undefined && { limit }),
    ...(fields && { projection: Object.fromEntries(["_id", ...fields].map((field) => [requirePath(field), 1])) }),
  };
}

type Update = Partial<Record<"$set" | "$unset" | "$inc" | "$push" | "$pullAll", object>>;

const optionalOperator = (name: keyof Update, fields: object): Update =>
  Object.keys(fields).length > 0 ? { [name]: fields } : {};

/** A patch as MongoDB update operators; empty if it changes nothing. Ignores `keepLast`. */
export function toMongoUpdate<T extends Doc>(patch: Patch<T>): Update {
  const { set = {}, unset = [], increment = {}, push = {}, pull = {} } = patch;
  return {
    ...optionalOperator("$set", encodeEach(set)),
    ...optionalOperator("$unset", Object.fromEntries(unset.map((path) => [path, ""]))),
    ...optionalOperator("$inc", increment),
    ...optionalOperator(
      "$push",
      Object.fromEntries(Object.entries(push).map(([path, values]) => [path, { $each: encode(values) }])),
    ),
    ...optionalOperator("$pullAll", encodeEach(pull)),
  };
}

const encodeEach = (fields: object) =>
  Object.fromEntries(Object.entries(fields).map(([path, value]) => [path, encode(value)]));

/** Matches if the value at a path equals this value; for undefined, if the path has no value. */
export const toEqualityCondition = (value: unknown) =>
  value === undefined ? { $exists: false } : { $eq: encode(value) };
