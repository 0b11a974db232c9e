import { jsonrepair } from "jsonrepair";
import { z } from "zod";

/** A card as a model wrote it, before any check. */
export const WrittenCard = z.object({
  question: z.string().min(1).max(2000),
  answer: z.union([z.string().min(1).max(2000), z.number().transform(String)]),
  quote: z.string().min(1).max(4000),
});
export type WrittenCard = z.infer<typeof WrittenCard>;

/** Maximum characters per allowed token: an answer that exceeds its token limit by far is ended. */
export const MAX_JSON_CHARS_PER_TOKEN = 12;

/** Cards are small, so a longer object cannot be a card. */
const MAX_OBJECT = 12_000;
const MAX_RESYNCS = 5;

function parseLeniently(text: string): unknown {
  for (const read of [JSON.parse, (broken: string) => JSON.parse(jsonrepair(broken)) as unknown])
    try {
      return read(text) as unknown;
    } catch {
      // Try the next parser.
    }
  return parseUnescapedFields(text);
}

/** A field name after a brace or comma. */
const FIELD = /(?:^\s*\{|,)\s*"([A-Za-z_]\w{0,30})"\s*:\s*/g;

/**
 * Reads a flat object whose strings contain unescaped quotation marks, which no parser accepts. The value of a field is
 * the text up to the next field name.
 */
function parseUnescapedFields(text: string): unknown {
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
  // If a name occurs twice, one occurrence is part of a value.
  return new Set(fields.map(([key]) => key)).size === fields.length ? Object.fromEntries(fields) : undefined;
}

/** Finds objects of the schema anywhere in a parsed value: bare, in an array, or under any key the model chose. */
function findObjects<T>(schema: z.ZodType<T>, value: unknown, depth = 0): T[] {
  if (depth > 4 || typeof value !== "object" || value === null) return [];
  const object = schema.safeParse(value);
  if (object.success) return [object.data];
  return Object.values(value).flatMap((inner) => findObjects(schema, inner, depth + 1));
}

/**
 * Reads objects from a response while it streams. It scans for the objects themselves, so code fences, prose around the
 * JSON, wrappers and missing commas do not matter; malformed JSON is repaired.
 */
export class ObjectReader<T> {
  readonly #schema: z.ZodType<T>;
  #text = "";
  #start = -1;
  #position = 0;
  #inString = false;
  #isEscaped = false;

  constructor(schema: z.ZodType<T>) {
    this.#schema = schema;
  }

  /** Returns the objects that this chunk completes. */
  push(chunk: string): T[] {
    this.#text += chunk;
    const found: T[] = [];
    for (; this.#position < this.#text.length; this.#position++) {
      if (!this.#advance(this.#text.charAt(this.#position))) continue;
      found.push(...findObjects(this.#schema, parseLeniently(this.#text.slice(this.#start, this.#position + 1))));
      this.#discardUntil(this.#position + 1);
      this.#position = -1;
    }
    if (this.#start === -1) this.#discardUntil(this.#text.length);
    else if (this.#text.length - this.#start > MAX_OBJECT) this.#discardUntil(this.#start + 1);
    return found;
  }

  /**
   * Repairs and returns the last objects after the model has finished. Do not call it for a truncated stream, because
   * half a quote is not a quote.
   */
  end(): T[] {
    for (let tries = 0; tries < MAX_RESYNCS && this.#start !== -1; tries++) {
      const rest = this.#text.slice(this.#start);
      const found = findObjects(this.#schema, parseLeniently(rest));
      this.#discardUntil(this.#text.length);
      if (found.length > 0) return found;
      // A stray quotation mark hid the end of the first object, so continue after its opening brace.
      const later = this.push(rest.slice(1));
      if (later.length > 0) return [...later, ...this.end()];
    }
    return [];
  }

  /** Returns true if this character ends an object. */
  #advance(character: string): boolean {
    if (this.#inString) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (character === "\\") this.#isEscaped = true;
      else if (character === '"') this.#inString = false;
      return false;
    }
    // The objects are flat, so an inner brace starts a new one and the outer one is a wrapper.
    if (character === "{") this.#start = this.#position;
    else if (character === '"' && this.#start !== -1) this.#inString = true;
    return character === "}" && this.#start !== -1;
  }

  #discardUntil(upTo: number) {
    this.#text = this.#text.slice(upTo);
    this.#start = -1;
    this.#position = 0;
    this.#inString = false;
    this.#isEscaped = false;
  }
}

/** Reads cards from a streamed response. */
export class CardReader extends ObjectReader<WrittenCard> {
  constructor() {
    super(WrittenCard);
  }
}
