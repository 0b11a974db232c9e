import type { IncomingMessage } from "node:http";
import rawBody from "raw-body";
import { Failure } from "#shared/contract/failure.ts";
import { checkJsonShape } from "./json-shape.ts";

/** Parses a JSON body; an empty body becomes `{}`. Anything but an object is refused. */
export async function readJsonBody(request: IncomingMessage, maxBytes: number): Promise<Record<string, unknown>> {
  const bytes = await readBytes(request, maxBytes);
  if (bytes.length === 0) return {};
  checkJsonShape(bytes);
  return requireObject(parse(decodeUtf8(bytes)));
}

/** Reads a body as text, without parsing it. */
export const readTextBody = async (request: IncomingMessage, maxBytes: number): Promise<string> =>
  decodeUtf8(await readBytes(request, maxBytes));

async function readBytes(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  try {
    return await rawBody(request, { limit: maxBytes, length: request.headers["content-length"] ?? null });
  } catch (error) {
    if (error instanceof Error && "type" in error && error.type === "entity.too.large")
      throw new Failure("too_large", "request_too_large", {}, { maxBytes });
    throw new Failure("bad_input", "request_incomplete");
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

function decodeUtf8(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new Failure("bad_input", "body_not_text");
  }
}

/** Parses a field that contains JSON. */
export function parseJson(text: string): unknown {
  checkJsonShape(Buffer.from(text));
  return parse(text);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new Failure("bad_input", "body_not_json");
  }
}

function requireObject(value: unknown): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Failure("bad_input", "body_not_object");
  return value as Record<string, unknown>;
}
