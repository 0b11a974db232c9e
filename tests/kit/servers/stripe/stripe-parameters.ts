import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A parameter as Stripe's specification describes it: a type, the allowed values, or what it contains. */
interface ObjectShape {
  keys: Readonly<Record<string, Shape>>;
  required?: readonly string[];
}
type Shape = string | readonly string[] | { list: Shape } | { any: readonly Shape[] } | ObjectShape;

const { calls } = JSON.parse(readFileSync(join(import.meta.dirname, "stripe-parameters.json"), "utf8")) as {
  calls: Record<string, Shape>;
};

const patterns = Object.entries(calls).map(([name, shape]) => ({
  pattern: new RegExp(`^${name.replaceAll(/\{\w+\}/g, String.raw`\w+`)}$`),
  shape,
}));

/** Why Stripe would refuse a call's parameters; undefined if they fit its published specification. */
export function findFault(name: string, params: unknown): string | undefined {
  const found = patterns.find(({ pattern }) => pattern.test(name));
  return found ? faultOf(found.shape, params, "") : `Unrecognized request URL (${name})`;
}

function faultOf(shape: Shape, value: unknown, path: string): string | undefined {
  if (typeof shape === "string") return faultOfText(shape, value, path);
  if (isEnumeration(shape))
    return shape.includes(String(value)) ? undefined : `Invalid ${path}: must be one of ${shape.join(", ")}`;
  if ("list" in shape) return faultOfList(shape.list, value, path);
  if ("any" in shape) {
    const faults = shape.any.map((each) => faultOf(each, value, path));
    return faults.includes(undefined) ? undefined : faults[0];
  }
  return faultOfObject(shape, value, path);
}

const isEnumeration = (shape: Shape): shape is readonly string[] => Array.isArray(shape);

function faultOfText(type: string, value: unknown, path: string): string | undefined {
  if (type === "any" || type === "map" || type === "object") return undefined;
  if (typeof value !== "string") return `Invalid ${path}: not a ${type}`;
  if (type === "integer" && !/^-?\d+$/.test(value)) return `Invalid integer: ${path}`;
  if (type === "boolean" && !/^(true|false)$/.test(value)) return `Invalid boolean: ${path}`;
  return undefined;
}

function faultOfList(shape: Shape, value: unknown, path: string): string | undefined {
  if (!Array.isArray(value)) return `Invalid array: ${path}`;
  return value.map((each, at) => faultOf(shape, each, `${path}[${at}]`)).find((fault) => fault !== undefined);
}

function faultOfObject(shape: ObjectShape, value: unknown, path: string): string | undefined {
  if (typeof value !== "object" || value === null) return `Invalid object: ${path}`;
  const missing = shape.required?.find((key) => !(key in value));
  if (missing !== undefined) return `Missing required param: ${path}${missing}.`;
  for (const [key, inner] of Object.entries(value)) {
    const expected = shape.keys[key];
    if (expected === undefined) return `Received unknown parameter: ${path}${key}`;
    const fault = faultOf(expected, inner, `${path}${key}.`);
    if (fault !== undefined) return fault;
  }
  return undefined;
}
