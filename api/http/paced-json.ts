import { Pacer } from "#api/store/pacer.ts";

/** Shorter lists are serialised at once. */
const LONG_LIST = 50;
/** Depth at which answers have their long lists: `{content: {components: […]}}`. */
const MAX_DEPTH = 2;

const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !("toJSON" in value);

function hasLongList(value: unknown, depth = MAX_DEPTH): boolean {
  if (Array.isArray(value)) return value.length > LONG_LIST;
  return depth > 0 && isPlainObject(value) && Object.values(value).some((inner) => hasLongList(inner, depth - 1));
}

/** Like `JSON.stringify`, but other requests run while a long list is serialised. */
export async function stringifyPaced(value: unknown): Promise<string> {
  return hasLongList(value) ? writeValue(value, new Pacer(), MAX_DEPTH) : JSON.stringify(value);
}

async function writeValue(value: unknown, pacer: Pacer, depth: number): Promise<string> {
  if (!hasLongList(value, depth)) return JSON.stringify(value);
  return Array.isArray(value)
    ? writeList(value, pacer)
    : writeObject(value as Readonly<Record<string, unknown>>, pacer, depth);
}

async function writeList(list: readonly unknown[], pacer: Pacer): Promise<string> {
  const parts: string[] = [];
  for (const element of list) {
    // JSON has null for an element that it cannot express, such as undefined.
    parts.push(JSON.stringify(element) ?? "null");
    if (pacer.isOver()) await pacer.nextTurn();
  }
  return `[${parts.join(",")}]`;
}

async function writeObject(object: Readonly<Record<string, unknown>>, pacer: Pacer, depth: number): Promise<string> {
  const parts: string[] = [];
  for (const [key, value] of Object.entries(object)) {
    const text = (await writeValue(value, pacer, depth - 1)) as string | undefined;
    if (text !== undefined) parts.push(`${JSON.stringify(key)}:${text}`);
  }
  return `{${parts.join(",")}}`;
}
