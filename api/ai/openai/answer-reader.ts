import { jsonrepair } from "jsonrepair";
import { z } from "zod";

/** A card as a model wrote it, before any check. */
export const WrittenCard = z.object({
  question: z.string().min(1).max(2000),
  answer: z.union([z.string().min(1).max(2000), z.number().transform(String)]),
  quote: z.string().min(1).max(4000),
});
export type WrittenCard = z.infer<typeof WrittenCard>;

/** A card is small: an object that does not end within this is no card. */
const MAX_OBJECT = 12_000;
const MAX_RESYNCS = 5;

function parseLoosely(text: string): unknown {
  for (const read of [JSON.parse, (broken: string) => JSON.parse(jsonrepair(broken)) as unknown])
    try {
      return read(text) as unknown;
    } catch {
      // The next way may do.
    }
  return readByFields(text);
}

/** Behind a brace or a comma: the name of a field. */
const FIELD = /(?:^\s*\{|,)\s*"([A-Za-z_]\w{0,30})"\s*:\s*/g;

/**
 * A flat object whose texts hold quote marks that nobody escaped, and which therefore nothing can parse: what stands
 * between the names of two fields is the text of the first.
 */
function readByFields(text: string): unknown {
  const found = [...text.matchAll(FIELD)];
  const fields = found.map(({ 0: whole, 1: key = "", index }, i): [string, string] => {
    const value = text.slice(index + whole.length, found[i + 1]?.index ?? text.lastIndexOf("}")).trim();
    return [
      key,
      value
        .replace(/^"([\s\S]*)"$/u, "$1")
        .replaceAll(String.raw`\"`, '"')
        .replaceAll(String.raw`\n`, "\n"),
    ];
  });
  // A name that comes twice is one of the words.
  return new Set(fields.map(([key]) => key)).size === fields.length ? Object.fromEntries(fields) : undefined;
}

/** Finds objects of a form anywhere in a parsed value: bare, in an array, or under whatever name the model gave the array. */
function objectsIn<T>(schema: z.ZodType<T>, value: unknown, depth = 0): T[] {
  if (depth > 4 || typeof value !== "object" || value === null) return [];
  const object = schema.safeParse(value);
  if (object.success) return [object.data];
  return Object.values(value).flatMap((inner) => objectsIn(schema, inner, depth + 1));
}

/**
 * Reads objects of a form out of an answer while it is still being written. It looks for the objects themselves, so
 * that fences, talk around the JSON, wrappers and missing commas do not matter; an object that is not quite JSON is
 * repaired.
 */
export class ObjectReader<T> {
  readonly #schema: z.ZodType<T>;
  #text = "";
  #start = -1;
  #at = 0;
  #inString = false;
  #isEscaped = false;

  constructor(schema: z.ZodType<T>) {
    this.#schema = schema;
  }

  /** The objects that this piece completes. */
  push(piece: string): T[] {
    this.#text += piece;
    const found: T[] = [];
    for (; this.#at < this.#text.length; this.#at++) {
      if (!this.#step(this.#text.charAt(this.#at))) continue;
      found.push(...objectsIn(this.#schema, parseLoosely(this.#text.slice(this.#start, this.#at + 1))));
      this.#forget(this.#at + 1);
      this.#at = -1;
    }
    if (this.#start === -1) this.#forget(this.#text.length);
    else if (this.#text.length - this.#start > MAX_OBJECT) this.#forget(this.#start + 1);
    return found;
  }

  /** What can be repaired of the rest, once the model has ended by itself. A stream that was cut is not asked this: half a quote is no quote. */
  end(): T[] {
    for (let tries = 0; tries < MAX_RESYNCS && this.#start !== -1; tries++) {
      const rest = this.#text.slice(this.#start);
      const found = objectsIn(this.#schema, parseLoosely(rest));
      this.#forget(this.#text.length);
      if (found.length > 0) return found;
      // A stray quote mark hid the end of the first object: go on behind its brace.
      const later = this.push(rest.slice(1));
      if (later.length > 0) return [...later, ...this.end()];
    }
    return [];
  }

  /** True where this character ends an object. */
  #step(character: string): boolean {
    if (this.#inString) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (character === "\\") this.#isEscaped = true;
      else if (character === '"') this.#inString = false;
      return false;
    }
    // What is read holds no objects, so an inner brace begins it and what was open is a wrapper.
    if (character === "{") this.#start = this.#at;
    else if (character === '"' && this.#start !== -1) this.#inString = true;
    return character === "}" && this.#start !== -1;
  }

  #forget(upTo: number) {
    this.#text = this.#text.slice(upTo);
    this.#start = -1;
    this.#at = 0;
    this.#inString = false;
    this.#isEscaped = false;
  }
}

/** Reads cards. */
export class AnswerReader extends ObjectReader<WrittenCard> {
  constructor() {
    super(WrittenCard);
  }
}
