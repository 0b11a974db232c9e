import { InvalidDocumentError, MAX_DOCUMENT_BYTES } from "../port.ts";

/** MongoDB allows 100 levels of nesting, including the document itself. */
const MAX_DEPTH = 90;

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

function checkDepth(value: unknown, left: number): void {
  if (typeof value !== "object" || value === null) return;
  if (left === 0) throw new InvalidDocumentError(`A document is nested deeper than ${MAX_DEPTH} levels`);
  if (Array.isArray(value)) for (const item of value) checkDepth(item, left - 1);
  else for (const key in value) checkDepth((value as Record<string, unknown>)[key], left - 1);
}

function toWellFormed(value: Json): Json {
  if (typeof value === "string") return value.toWellFormed();
  if (Array.isArray(value)) return value.map(toWellFormed);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key.toWellFormed(), toWellFormed(inner)]));
}

/** JSON escapes an unpaired surrogate, and no other character's escape starts like this. */
const mayContainLoneSurrogate = /\\ud[89a-f]/;

/** Serialises a value, identically for every store; rejects what one of them could not store. */
export function serialize(value: unknown): string {
  checkDepth(value, MAX_DEPTH);
  const text = JSON.stringify(value);
  const clean = mayContainLoneSurrogate.test(text) ? JSON.stringify(toWellFormed(JSON.parse(text) as Json)) : text;
  if (clean.length * 3 > MAX_DOCUMENT_BYTES && Buffer.byteLength(clean) > MAX_DOCUMENT_BYTES)
    throw new InvalidDocumentError(
      `A document of ${Buffer.byteLength(clean)} bytes is larger than ${MAX_DOCUMENT_BYTES}`,
    );
  return clean;
}

/** The value as it will be after storing and reading it back. */
export function roundTrip<T>(value: T): T {
  return JSON.parse(serialize(value)) as T;
}
