import { Failure } from "#shared/contract/failure.ts";

/**
 * Real bodies have at most 25 levels. The limit is higher, so that a single change that is nested deeper is refused by
 * its schema and the rest of its batch is applied. Up to this limit, levels cost no time.
 */
const MAX_DEPTH = 2000;
/** More than the densest real body of 16 MB, a deck of 50,000 cards. */
const MAX_VALUES = 500_000;

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** What each byte means outside a string; 0 for everything else. */
const KINDS = new Uint8Array(256);
KINDS[QUOTE] = 1;
KINDS[COMMA] = 2;
KINDS[OPEN_LIST] = 3;
KINDS[OPEN_OBJECT] = 3;
KINDS[CLOSE_LIST] = 4;
KINDS[CLOSE_OBJECT] = 4;

/**
 * Refuses JSON that is nested too deeply or has too many values. Reads its bytes, because parsing 16 MB of `[` takes
 * seconds and hundreds of megabytes. Does not check that the JSON is valid.
 */
export function checkJsonShape(bytes: Uint8Array): void {
  const { length } = bytes;
  let depth = 0;
  let values = 1;
  for (let index = 0; index < length; index += 1) {
    const kind = KINDS[bytes[index] ?? 0] ?? 0;
    if (kind === 0) continue;
    if (kind === 1) index = findStringEnd(bytes, index);
    else if (kind === 4) depth -= 1;
    else {
      values += 1;
      if (kind === 3) depth += 1;
      if (depth > MAX_DEPTH) throw new Failure("bad_input", "body_too_deep", { depth: MAX_DEPTH });
      if (values > MAX_VALUES) throw new Failure("too_large", "body_too_many_values", { count: MAX_VALUES });
    }
  }
}

/** Long strings, such as files in base64, are searched natively. */
const SHORT_STRING = 64;

/** Position of the quote that ends the string which begins at `start`. */
function findStringEnd(bytes: Uint8Array, start: number): number {
  for (let index = start + 1; index < bytes.length;) {
    // The loop ends at the beginning of a character, because it skips an escape as a whole.
    for (const end = index + SHORT_STRING; index < end; index += 1) {
      const byte = bytes[index];
      if (byte === BACKSLASH) index += 1;
      else if (byte === QUOTE) return index;
    }
    const quote = bytes.indexOf(QUOTE, index);
    if (quote === -1) return bytes.length;
    let escapes = 0;
    while (quote - escapes > index && bytes[quote - escapes - 1] === BACKSLASH) escapes += 1;
    if (escapes % 2 === 0) return quote;
    index = quote + 1;
  }
  return bytes.length;
}
