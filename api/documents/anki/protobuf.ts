import type { AnkiFault } from "./anki-messages.ts";

/** The bytes of a package are not in the expected format, or exceed a limit. */
export class AnkiFormatError extends Error {
  readonly fault: AnkiFault;

  constructor(fault: AnkiFault) {
    super(`Package unreadable: ${fault}`);
    this.name = "AnkiFormatError";
    this.fault = fault;
  }
}

/** Enough for the media list of the largest allowed package. */
const MAX_FIELDS = 50_000;

/**
 * Decodes a [protobuf message](https://protobuf.dev/programming-guides/encoding/) into field numbers with bytes or
 * integers.
 */
export function readFields(bytes: Uint8Array): { field: number; value: Uint8Array | number }[] {
  const fields: { field: number; value: Uint8Array | number }[] = [];
  let offset = 0;
  const varint = () => {
    let value = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      const byte = bytes[offset];
      if (byte === undefined) throw new AnkiFormatError("broken");
      offset += 1;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
    throw new AnkiFormatError("broken");
  };
  while (offset < bytes.length) {
    if (fields.length > MAX_FIELDS) throw new AnkiFormatError("too_large");
    const tag = varint();
    const [field, wire] = [Math.floor(tag / 8), tag % 8];
    if (wire === 0) fields.push({ field, value: varint() });
    else if (wire === 1 || wire === 5) offset += wire === 1 ? 8 : 4;
    else if (wire === 2) {
      const length = varint();
      fields.push({ field, value: bytes.subarray(offset, offset + length) });
      offset += length;
    } else throw new AnkiFormatError("broken");
  }
  return fields;
}

export const readTextField = (bytes: Uint8Array, fieldNumber: number): string => {
  const found = readFields(bytes).find(({ field }) => field === fieldNumber)?.value;
  return found instanceof Uint8Array ? new TextDecoder().decode(found) : "";
};

/** The supported field values: a non-negative integer, a string, floats or bytes. */
export type ProtoValue = number | string | Uint8Array | { float: number } | { floats: readonly number[] };

function encodeVarint(value: number): number[] {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    bytes.push(rest < 128 ? rest : (rest % 128) + 128);
    if (rest < 128) return bytes;
  }
}

const encodeFloat = (value: number) => [...new Uint8Array(new Float32Array([value]).buffer)];

function encodeField(field: number, value: ProtoValue): Uint8Array {
  const withTag = (wire: number, ...bytes: number[]) => Uint8Array.from([...encodeVarint(field * 8 + wire), ...bytes]);
  if (typeof value === "number") return withTag(0, ...encodeVarint(value));
  if (typeof value === "object" && "float" in value) return withTag(5, ...encodeFloat(value.float));
  const bytes =
    typeof value === "string"
      ? Buffer.from(value.toWellFormed(), "utf8")
      : "floats" in value
        ? Uint8Array.from(value.floats.flatMap(encodeFloat))
        : value;
  return Buffer.concat([withTag(2, ...encodeVarint(bytes.length)), bytes]);
}

/** Encodes a protobuf message with these fields in this order. */
export const writeFields = (...fields: readonly (readonly [field: number, value: ProtoValue])[]): Uint8Array =>
  new Uint8Array(Buffer.concat(fields.map(([field, value]) => encodeField(field, value))));
