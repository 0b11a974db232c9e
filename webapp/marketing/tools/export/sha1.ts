const rotate = (value: number, bits: number) => (value << bits) | (value >>> (32 - bits));

/** The message with its padding and length, as big-endian words. */
function padMessage(bytes: Uint8Array): DataView {
  const view = new DataView(new ArrayBuffer(Math.ceil((bytes.length + 9) / 64) * 64));
  new Uint8Array(view.buffer).set(bytes);
  view.setUint8(bytes.length, 0x80);
  view.setUint32(view.byteLength - 4, bytes.length * 8);
  return view;
}

/** The function and the constant of a round. */
function mix(round: number, [, b, c, d]: readonly number[]): number {
  const [x = 0, y = 0, z = 0] = [b, c, d];
  if (round < 20) return ((x & y) | (~x & z)) + 0x5a827999;
  if (round < 40) return (x ^ y ^ z) + 0x6ed9eba1;
  if (round < 60) return ((x & y) | (x & z) | (y & z)) + 0x8f1bbcdc;
  return (x ^ y ^ z) + 0xca62c1d6;
}

/**
 * The first four bytes of the SHA-1 sum of a text (RFC 3174). The browser's own function is missing on pages without
 * HTTPS.
 */
export function startOfSha1(text: string): number {
  const message = padMessage(new TextEncoder().encode(text));
  let sum: readonly number[] = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0];
  for (let block = 0; block < message.byteLength; block += 64) {
    const words: number[] = [];
    let state = sum;
    for (let round = 0; round < 80; round += 1) {
      const expanded = [3, 8, 14, 16].reduce((all, back) => all ^ (words[round - back] ?? 0), 0);
      const next = round < 16 ? message.getInt32(block + round * 4) : rotate(expanded, 1);
      words.push(next);
      const [a = 0, b = 0, c = 0, d = 0, e = 0] = state;
      state = [(rotate(a, 5) + mix(round, state) + e + next) | 0, a, rotate(b, 30), c, d];
    }
    sum = sum.map((value, index) => (value + (state[index] ?? 0)) | 0);
  }
  return (sum[0] ?? 0) >>> 0;
}
