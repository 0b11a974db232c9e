import { requirePath } from "./field-path.ts";
import { InvalidDocumentError, type Condition, type Doc, type Filter, type FindOptions, type Range } from "../port.ts";

export type Value = string | number | null;
export interface Query {
  readonly sql: string;
  readonly values: Value[];
}

const jsonPath = (path: string) =>
  `'$${requirePath(path)
    .split(".")
    .map((part) => `."${part}"`)
    .join("")}'`;

/** A field in SQL; queries and indexes must use the same text for the index to be used. */
export const fieldSql = (path: string): string => (path === "_id" ? "_id" : `json_extract(doc, ${jsonPath(path)})`);

/** A field as JSON text; NULL if it is missing. */
export const fieldJson = (path: string): string => (path === "_id" ? "json_quote(_id)" : `doc -> ${jsonPath(path)}`);

/**
 * The alias of a field in SELECT. It differs from the field's name, because otherwise `ORDER BY _id` would sort by the
 * JSON-quoted alias, without the index.
 */
export const selectAlias = (path: string): string => `:${path}`;

const typeSql = (path: string) => `json_type(doc, ${jsonPath(path)})`;

const symbols = { gt: ">", gte: ">=", lt: "<", lte: "<=" } as const;

function requirePlainValue(value: string | number): string | number {
  if (typeof value === "string") return value.toWellFormed();
  if (typeof value === "number" && Number.isFinite(value)) return value;
  throw new InvalidDocumentError("A condition compares strings and finite numbers");
}

/** A field as a condition compares it. */
interface Column {
  readonly path: string;
  readonly sql: string;
}

/**
 * SQLite reads true as 1 and false as 0, so conditions on these numbers must exclude booleans. The number is compared
 * first, because it is in the index: the document's JSON is parsed only for 0 and 1.
 */
const notBoolean = ({ path, sql }: Column) =>
  path === "_id" ? "" : ` AND (${sql} NOT IN (0, 1) OR ${typeSql(path)} NOT IN ('true', 'false'))`;

const isZeroOrOne = (value: unknown) => value === 0 || value === 1;

function equalSql(column: Column, value: string | number | boolean | null, values: Value[]): string {
  const { path, sql } = column;
  if (value === null) return `${sql} IS NULL`;
  if (typeof value === "boolean") {
    // An id is never a boolean.
    if (path === "_id") return "0";
    values.push(value ? 1 : 0);
    return `${sql} = ? AND ${typeSql(path)} = '${value}'`;
  }
  values.push(requirePlainValue(value));
  return `${sql} = ?${isZeroOrOne(value) ? notBoolean(column) : ""}`;
}

function inSql(column: Column, members: readonly (string | number)[], values: Value[]): string {
  const clean = members.map(requirePlainValue);
  const guard = clean.some(isZeroOrOne) ? notBoolean(column) : "";
  // Long lists are passed as one JSON value, so that the statement's text, and its cache entry, stay the same.
  if (clean.length > 40) {
    values.push(JSON.stringify(clean));
    return `${column.sql} IN (SELECT value FROM json_each(?))${guard}`;
  }
  values.push(...clean);
  return `${column.sql} IN (${clean.map(() => "?").join(", ")})${guard}`;
}

/**
 * SQLite orders numbers before strings, so a range that is open on one side is bounded at "" to exclude the other type.
 */
function rangeSql(column: Column, range: Range, values: Value[]): string {
  const { path, sql: field } = column;
  const bounds = (["gt", "gte", "lt", "lte"] as const).flatMap((name) => {
    const bound = range[name];
    return bound === undefined ? [] : [{ name, bound: requirePlainValue(bound) }];
  });
  const [first] = bounds;
  if (!first || Object.keys(range).length !== bounds.length)
    throw new InvalidDocumentError(`No such condition on ${path}`);
  const type = typeof first.bound;
  if (bounds.some(({ bound }) => typeof bound !== type))
    throw new InvalidDocumentError(`A range on ${path} mixes types`);
  values.push(...bounds.map(({ bound }) => bound));
  const sql = bounds.map(({ name }) => `${field} ${symbols[name]} ?`);
  const hasLower = range.gt !== undefined || range.gte !== undefined;
  const hasUpper = range.lt !== undefined || range.lte !== undefined;
  if (type === "string") return [...sql, ...(hasLower ? [] : [`${field} >= ''`])].join(" AND ");
  return [...sql, ...(hasUpper ? [] : [`${field} < ''`])].join(" AND ") + notBoolean(column);
}

function conditionSql(column: Column, condition: Condition | undefined, values: Value[]): string {
  const { path, sql } = column;
  if (condition === undefined) throw new InvalidDocumentError(`A condition on ${path} is undefined`);
  if (condition === null || typeof condition !== "object") return equalSql(column, condition, values);
  if ("in" in condition) return inSql(column, condition.in, values);
  if (!("not" in condition)) return rangeSql(column, condition, values);
  if (condition.not === null) return `${sql} IS NOT NULL`;
  values.push(requirePlainValue(condition.not));
  return `${sql} IS NOT ?`;
}

/**
 * The unary plus keeps SQLite from using the field's index. It would prefer the index of the owner to a list of ids, and
 * read every document of the account for the few that are asked for.
 */
const withoutIndex = (path: string): string => `+${fieldSql(path)}`;

const namesIds = (condition: Condition | undefined) =>
  typeof condition === "string" || (typeof condition === "object" && condition !== null && "in" in condition);

/** " WHERE …", or nothing for an empty filter. */
export function whereSql<T extends Doc>(filter: Filter<T>): Query {
  const values: Value[] = [];
  const hasIds = namesIds(filter._id);
  const parts = Object.entries(filter).map(([path, condition]) => {
    const sql = hasIds && path !== "_id" ? withoutIndex(path) : fieldSql(path);
    return conditionSql({ path, sql }, condition, values);
  });
  return { sql: parts.length === 0 ? "" : ` WHERE ${parts.join(" AND ")}`, values };
}

/** " ORDER BY … LIMIT ?". */
export function orderSql<T extends Doc>(options: FindOptions<T>, values: Value[]): string {
  const order = (options.order ?? []).map(
    ([path, direction]) => `${fieldSql(path)} ${direction === "desc" ? "DESC" : "ASC"}`,
  );
  const sql = order.length === 0 ? "" : ` ORDER BY ${order.join(", ")}`;
  if (options.limit === undefined) return sql;
  if (!Number.isInteger(options.limit) || options.limit < 0)
    throw new InvalidDocumentError("A limit is a whole number");
  values.push(options.limit);
  return `${sql} LIMIT ?`;
}
