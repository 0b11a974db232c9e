import { z } from "zod";

interface Schema {
  type?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  minItems?: number;
  minLength?: number;
  minimum?: number;
  exclusiveMinimum?: number;
  format?: string;
}

const formats: Readonly<Record<string, string>> = {
  email: "somebody@example.org",
  uri: "https://example.org/",
  date: "2026-01-01",
  "date-time": "2026-01-01T00:00:00.000Z",
};

function plainNumber({ type, minimum, exclusiveMinimum }: Schema): number {
  const lowest = Math.max(minimum ?? 0, exclusiveMinimum === undefined ? 0 : exclusiveMinimum + 1);
  return type === "integer" ? Math.ceil(Math.max(lowest, 1)) : lowest;
}

const plainText = ({ format = "", minLength = 1 }: Schema, name: string): string =>
  name === "language" ? "en" : (formats[format] ?? "a".repeat(Math.max(minLength, 1)));

/** The smallest value of each type; a string that names a thing is `id`. */
const plainByType: Readonly<Record<string, (schema: Schema, name: string, id: string) => unknown>> = {
  object: (schema, _name, id) => plainObject(schema, id),
  array: ({ items = {}, minItems = 1 }, name, id) =>
    Array.from({ length: minItems }, () => plainValue(items, name, id)),
  number: plainNumber,
  integer: plainNumber,
  boolean: () => false,
  null: () => null,
  string: (schema, name, id) => (isIdName(name) ? id : plainText(schema, name)),
};

/** The first value that a schema lists, or the smallest of its type. */
function plainValue(schema: Schema, name: string, id: string): unknown {
  const [listed] = schema.const === undefined ? (schema.enum ?? []) : [schema.const];
  if (listed !== undefined) return listed;
  const [first] = schema.anyOf ?? schema.oneOf ?? schema.allOf ?? [];
  return first ? plainValue(first, name, id) : plainByType[schema.type ?? "string"]?.(schema, name, id);
}

function plainObject({ properties = {}, required = [] }: Schema, id: string): Record<string, unknown> {
  const wanted = Object.entries(properties).filter(([name]) => required.includes(name) || isIdName(name));
  return Object.fromEntries(wanted.map(([name, schema]) => [name, plainValue(schema, name, id)]));
}

/** Whether a field names a thing by its id. */
export const isIdName = (name: string): boolean => /^_?id$|Ids?$|_id$/.test(name);

/** A small input that an endpoint's schema accepts in most cases, with `id` for every id. */
export function plainInput(input: z.ZodType, id: string): Record<string, unknown> {
  return plainObject(z.toJSONSchema(input, { io: "input", unrepresentable: "any" }) as Schema, id);
}

/** Where a value is in an input: the names and indexes that lead to it. */
export type InputPath = readonly (string | number)[];

function* pathsIn(value: unknown, path: InputPath): Generator<InputPath> {
  if (path.length > 0) yield path;
  if (typeof value !== "object" || value === null) return;
  for (const [name, inner] of Object.entries(value))
    yield* pathsIn(inner, [...path, Array.isArray(value) ? Number(name) : name]);
}

/** Every position of an input: each field that its schema names, and each value inside a plain input. */
export function inputPositions(input: z.ZodType, id: string): InputPath[] {
  const { properties = {} } = z.toJSONSchema(input, { io: "input", unrepresentable: "any" }) as { properties?: object };
  const plain = plainInput(input, id);
  const optional = Object.keys(properties).filter((name) => !(name in plain));
  return [...pathsIn(plain, []), ...optional.map((name) => [name])];
}

/** A copy of an input with another value at one position. */
export function placeAt(input: unknown, [step, ...rest]: InputPath, value: unknown): unknown {
  if (step === undefined) return value;
  if (Array.isArray(input)) return input.map((item, n) => (n === step ? placeAt(item, rest, value) : item) as unknown);
  const fields = (input ?? {}) as Record<string, unknown>;
  return { ...fields, [step]: placeAt(fields[step], rest, value) };
}
