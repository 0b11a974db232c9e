import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A schema of Google's discovery documents (https://developers.google.com/discovery/v1/type-format). */
interface Schema {
  $ref?: string;
  type?: "object" | "array" | "string" | "boolean" | "integer" | "number" | "any";
  format?: string;
  enum?: readonly string[];
  items?: Schema;
  properties?: Readonly<Record<string, Schema>>;
  additionalProperties?: Schema;
  /** Names of the methods that need this field. */
  required?: readonly string[];
}

interface Method {
  method: string;
  path: string;
  query: Readonly<Record<string, Schema>>;
  request?: string;
  response?: string;
}

const { methods, schemas } = JSON.parse(
  readFileSync(join(import.meta.dirname, "google-calendar-schemas.json"), "utf8"),
) as { methods: Record<string, Method>; schemas: Record<string, Schema> };

const patterns = Object.entries(methods).map(([name, method]) => ({
  name,
  method,
  pattern: new RegExp(`^/calendar/v3/${method.path.replaceAll(/\{\w+\}/g, "[^/]+")}$`),
}));

interface CalendarRequest {
  method: string;
  url: URL;
  body: unknown;
}

/** Why Google would refuse a call; undefined if it fits the discovery document. */
export function findRequestFault({ method, url, body }: CalendarRequest): string | undefined {
  const found = patterns.find((each) => each.method.method === method && each.pattern.test(url.pathname));
  if (!found) return `no method ${method} ${url.pathname}`;
  const { query, request } = found.method;
  const unknown = [...url.searchParams.keys()].find((key) => query[key] === undefined);
  if (unknown !== undefined) return `unknown parameter ${unknown}`;
  for (const [key, value] of url.searchParams) {
    const fault = faultOfText(query[key] ?? {}, value, key);
    if (fault !== undefined) return fault;
  }
  return request === undefined ? undefined : faultOf({ $ref: request }, body, found.name);
}

/** Throws if an answer of the stub server does not match Google's schema. */
export function requireSchema(name: string, value: unknown): void {
  const fault = faultOf({ $ref: name }, value, "");
  if (fault !== undefined) throw new Error(`The stub server's ${name} does not match Google's schema: ${fault}`);
}

function faultOf(schema: Schema, value: unknown, method: string, path = ""): string | undefined {
  const { $ref, type = "any", items = {} } = schema;
  if ($ref !== undefined) return faultOf(schemas[$ref] ?? {}, value, method, path);
  if (type === "any") return undefined;
  if (type === "object") return faultOfObject(schema, value, method, path);
  if (type !== "array") return faultOfScalar(schema, value, path);
  if (!Array.isArray(value)) return `${path} is no array`;
  return firstFault(value.map((item, at) => faultOf(items, item, method, `${path}[${at}]`)));
}

function faultOfScalar(schema: Schema, value: unknown, path: string): string | undefined {
  const { type } = schema;
  if (typeof value !== (type === "integer" ? "number" : type)) return `${path} is no ${type}`;
  return typeof value === "string" ? faultOfText(schema, value, path) : undefined;
}

const firstFault = (faults: readonly (string | undefined)[]) => faults.find((fault) => fault !== undefined);

function faultOfObject(
  { properties, additionalProperties }: Schema,
  value: unknown,
  method: string,
  path: string,
): string | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return `${path} is no object`;
  const missing = Object.entries(properties ?? {}).find(
    ([key, { required }]) => required?.includes(method) && !(key in value),
  );
  if (missing) return `${path}.${missing[0]} is missing`;
  return firstFault(
    Object.entries(value).map(([key, inner]) => {
      const expected = properties?.[key] ?? additionalProperties;
      return expected === undefined ? `unknown ${path}.${key}` : faultOf(expected, inner, method, `${path}.${key}`);
    }),
  );
}

/** RFC 3339, with its offset. */
const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

function faultOfText(schema: Schema, value: string, path: string): string | undefined {
  if (schema.format === "date-time" && !DATE_TIME.test(value)) return `${path} is no time`;
  if (schema.type === "boolean" && !/^(true|false)$/.test(value)) return `${path} is no boolean`;
  return schema.enum && !schema.enum.includes(value) ? `${path} is none of ${schema.enum.join(", ")}` : undefined;
}
