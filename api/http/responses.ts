import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import type { ParameterizedContext } from "koa";
import { STREAM_TYPE } from "#shared/contract/endpoint.ts";
import { Failure, failures, type FailureCode } from "#shared/contract/failure.ts";
import type { ReasonRef } from "#shared/messages/schema.ts";
import { frameEvent } from "#shared/contract/framing.ts";
import { toKnownFailure } from "#api/store/store-failures.ts";
import type { Ctx, FileAnswer } from "./handler.ts";
import { stringifyPaced } from "./paced-json.ts";

/** Sends JSON with a content-hash ETag, or 304 when the caller already has it. */
export async function answerIfChanged(koa: ParameterizedContext, answer: unknown): Promise<void> {
  const text = await stringifyPaced(answer);
  const etag = `"${createHash("sha256").update(text).digest("base64url")}"`;
  koa.set("etag", etag);
  koa.set("cache-control", "private, no-cache");
  // A compressing server or proxy turns the ETag into a weak one; the content is the same.
  if (koa.get("if-none-match").replace("W/", "") === etag) {
    koa.status = 304;
    return;
  }
  sendJsonText(koa, text);
}

export const acceptsEventStream = (koa: ParameterizedContext) => koa.get("accept").includes(STREAM_TYPE);

/** Serialises once. Given an object, Koa and its middleware would each serialise it again to learn its length. */
export async function answerJson(koa: ParameterizedContext, value: unknown, status?: number): Promise<void> {
  const text = await stringifyPaced(value);
  if (status !== undefined) koa.status = status;
  sendJsonText(koa, text);
}

function sendJsonText(koa: ParameterizedContext, text: string): void {
  koa.type = "application/json; charset=utf-8";
  koa.body = text;
}

/**
 * Streams events. Waits for the first before sending the headers, so that an early failure still gets its own status; a
 * later failure is sent as the last event.
 */
export async function answerStream(koa: ParameterizedContext, events: AsyncGenerator, ctx: Ctx): Promise<void> {
  const first = await events.next();
  koa.type = `${STREAM_TYPE}; charset=utf-8`;
  koa.set("cache-control", "no-store");
  koa.set("x-accel-buffering", "no");
  koa["compress"] = false;
  koa.body = Readable.from(frameEvents(first, events, ctx), { objectMode: false });
}

/** Streams plain text. The status cannot change once the text has started, so a failure then cuts the response off. */
export async function answerText(koa: ParameterizedContext, chunks: AsyncGenerator<string>, ctx: Ctx): Promise<void> {
  const first = await chunks.next();
  koa.type = "text/plain; charset=utf-8";
  koa.set("cache-control", "no-store");
  koa.set("x-accel-buffering", "no");
  koa["compress"] = false;
  koa.body = Readable.from(streamText(first, chunks, ctx), { objectMode: false });
}

async function* streamText(
  first: IteratorResult<string>,
  chunks: AsyncGenerator<string>,
  ctx: Ctx,
): AsyncGenerator<string> {
  try {
    if (first.done) return;
    yield first.value;
    yield* chunks;
  } catch (error) {
    if (!ctx.signal.aborted) ctx.log.error({ requestId: ctx.requestId, err: error }, "text response failed");
    throw error;
  } finally {
    await chunks.return(undefined);
  }
}

async function* frameEvents(first: IteratorResult<unknown>, events: AsyncGenerator, ctx: Ctx): AsyncGenerator<string> {
  try {
    if (first.done) return;
    yield frameEvent(first.value);
    for await (const event of events) yield frameEvent(event);
  } catch (error) {
    if (ctx.signal.aborted) return;
    const failure = toKnownFailure(error);
    if (!failure) ctx.log.error({ requestId: ctx.requestId, err: error }, "a stream broke");
    yield frameEvent({ type: "error", ...(failure ?? new Failure("broken", "something_wrong")).toEventFields() });
  } finally {
    await events.return(undefined);
  }
}

/** Consumes the events for a caller that accepts no stream and returns the final result. */
export async function collectResult(events: AsyncGenerator<Record<string, unknown>>): Promise<unknown> {
  for await (const event of events) {
    if (event["type"] === "result") return event["result"];
    if (event["type"] === "error") {
      const { code, message, data, ...sent } = event as { code: string; message: string } & ReasonRef & {
          data?: Record<string, unknown>;
        };
      throw new Failure(code in failures ? (code as FailureCode) : "broken", { ...sent, message }, undefined, data);
    }
  }
  throw new Failure("broken", "no_result");
}

/** Users' files must not run scripts, wherever they are opened. */
const FILE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; sandbox";

/** Sends a file or the requested range of it. */
export async function answerFile(koa: ParameterizedContext, answer: FileAnswer): Promise<void> {
  if (answer.etag && koa.get("if-none-match") === `"${answer.etag}"`) {
    describeFile(koa, answer);
    koa.status = 304;
    return;
  }
  const range = matchesIfRange(koa.get("if-range"), answer)
    ? parseRange(koa.get("range"), answer.sizeBytes)
    : undefined;
  if (range === "unsatisfiable") {
    koa.set("content-range", `bytes */${answer.sizeBytes}`);
    throw new Failure("range_not_satisfiable", "no_such_range");
  }
  // Open the file before the headers are set, so that the failure for a missing file is sent without them.
  const bytes = await answer.open(range);
  describeFile(koa, answer);
  koa.status = range ? 206 : 200;
  if (range) koa.set("content-range", `bytes ${range.start}-${range.end}/${answer.sizeBytes}`);
  // No body for HEAD, because Koa would answer an empty one with 204.
  if (koa.method === "HEAD") bytes.destroy();
  else koa.body = bytes;
  // Set both again, because setting a body makes Koa guess them.
  koa.type = answer.type;
  koa.length = range ? range.end - range.start + 1 : answer.sizeBytes;
}

function describeFile(koa: ParameterizedContext, answer: FileAnswer): void {
  koa.set("content-security-policy", FILE_POLICY);
  koa.set("cache-control", answer.cacheControl ?? "private, no-cache");
  koa.set("accept-ranges", "bytes");
  if (answer.etag) koa.set("etag", `"${answer.etag}"`);
  if (answer.disposition) koa.set("content-disposition", formatDisposition(answer.disposition));
  koa.type = answer.type;
}

/** RFC 9110 13.1.5: a range is sent only if the strong ETag matches; dates are ignored. */
function matchesIfRange(ifRange: string, { etag }: FileAnswer): boolean {
  return ifRange === "" || (etag !== undefined && ifRange === `"${etag}"`);
}

/** A single byte range as in RFC 9110 14.1.2; several ranges or another unit are ignored and get the whole file. */
function parseRange(header: string, size: number): { start: number; end: number } | "unsatisfiable" | undefined {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header.trim());
  if (!match || (match[1] === "" && match[2] === "")) return undefined;
  const last = size - 1;
  if (match[1] === "") {
    const length = Number(match[2]);
    return length === 0 ? "unsatisfiable" : { start: Math.max(0, size - length), end: last };
  }
  const start = Number(match[1]);
  const end = match[2] === "" ? last : Math.min(Number(match[2]), last);
  return start > last || start > end ? "unsatisfiable" : { start, end };
}

/** RFC 6266: an ASCII file name for old clients, and the real one percent-encoded. */
function formatDisposition({ kind, name }: { kind: string; name: string }): string {
  const plain = name.replaceAll(/[^\w .()-]/g, "_");
  const encoded = encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16)}`,
  );
  return `${kind}; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
