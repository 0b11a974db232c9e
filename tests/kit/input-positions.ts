import { z } from "zod";
import { plainInput } from "./plain-input.ts";

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
