/** A quantised vector, small enough to store for every passage: one byte per dimension, and one sign bit. */
export interface PackedVector {
  codes: Int8Array;
  bits: Uint32Array;
}

export function packVector(vector: Float32Array): PackedVector {
  let maxAbs = Number.EPSILON;
  for (const value of vector) maxAbs = Math.max(maxAbs, Math.abs(value));
  const codes = Int8Array.from(vector, (value) => Math.round((value / maxAbs) * 127));
  const bits = new Uint32Array(Math.ceil(vector.length / 32));
  for (const [index, value] of vector.entries())
    if (value > 0) bits[index >> 5] = (bits[index >> 5] ?? 0) | (1 << (index & 31));
  return { codes, bits };
}

function countBits(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** Cosine similarity of a query and a stored vector; 0 if their dimensions differ. */
export function cosine(query: Float32Array, codes: Int8Array): number {
  if (query.length !== codes.length) return 0;
  let dot = 0;
  let queryNorm = 0;
  let codesNorm = 0;
  for (let index = 0; index < codes.length; index += 1) {
    const [a, b] = [query[index] ?? 0, codes[index] ?? 0];
    dot += a * b;
    queryNorm += a * a;
    codesNorm += b * b;
  }
  return dot / Math.max(Number.EPSILON, Math.sqrt(queryNorm * codesNorm));
}

/** The concatenated sign bits of many vectors, with the owner of each. */
export interface SignTable<T> {
  /** 32-bit words per vector. */
  width: number;
  signs: Uint32Array;
  owners: readonly T[];
}

/**
 * The vectors with the smallest Hamming distance between sign bits, nearest first: fast over a hundred thousand
 * vectors, and leaves few enough to compare exactly.
 */
export function closestBySigns<T>(
  table: SignTable<T>,
  { query, limit, isRequested }: { query: Uint32Array; limit: number; isRequested: (owner: T) => boolean },
): T[] {
  const { width, signs, owners } = table;
  if (query.length !== width) return [];
  const found: T[][] = Array.from({ length: width * 32 + 1 }, () => []);
  for (const [n, owner] of owners.entries()) {
    if (!isRequested(owner)) continue;
    let distance = 0;
    for (let word = 0; word < width; word += 1)
      distance += countBits((signs[n * width + word] ?? 0) ^ (query[word] ?? 0));
    found[distance]?.push(owner);
  }
  const closest: T[] = [];
  for (const group of found) {
    if (closest.length >= limit) break;
    closest.push(...group);
  }
  return closest.slice(0, limit);
}
