import type { Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { type Dispatcher, request } from "undici";
import { Failure } from "#shared/contract/failure.ts";
import { mayBeAsked } from "./addresses.ts";
import { checkedAgent, type Resolve, systemResolve } from "./checked-connection.ts";

const MAX_REDIRECTS = 3;
const MAX_BYTES = 20 * 1024 * 1024;
const TOTAL_MS = 10_000;

interface OutsideOptions {
  method?: "GET" | "HEAD" | "POST";
  headers?: Readonly<Record<string, string>>;
  /** Sent with POST; a POST is never redirected. */
  body?: string;
  /** Overrides the 20 MB limit; counted after decompression. */
  maxBytes?: number;
  signal?: AbortSignal;
}

/** A response from the internet; the caller must check the status. */
export interface FromOutside {
  status: number;
  /** The final URL after redirects. */
  url: string;
  /** The claimed media type, in lower case and without parameters; empty if missing. */
  type: string;
  header(name: string): string | undefined;
  /** Reads the whole body. Rejects with `OutsideFailed`. */
  bytes(): Promise<Uint8Array<ArrayBuffer>>;
}

/**
 * Fetches a URL on a user's behalf, protected against SSRF: http(s) on ports 80 and 443, public addresses only at every
 * hop, at most 3 redirects, and 20 MB and 10 seconds in total. Rejects with `OutsideFailed`.
 */
export type FetchOutside = (url: string, options?: OutsideOptions) => Promise<FromOutside>;

export type OutsideReason = "bad_address" | "unreachable" | "redirects" | "too_large" | "timeout" | "aborted";

/** Why a fetch failed. A refused address and an unreachable one look the same, so that nobody can map our network. */
export class OutsideFailed extends Error {
  readonly reason: OutsideReason;

  constructor(reason: OutsideReason, cause?: unknown) {
    super(`Fetch failed: ${reason}`, { cause });
    this.name = "OutsideFailed";
    this.reason = reason;
  }
}

interface Rules {
  /** "host:port" of private servers that may be fetched, such as test servers. */
  allowedPlaces?: Iterable<string>;
  resolve?: Resolve;
  totalMs?: number;
}

export function makeFetchOutside({
  allowedPlaces = [],
  resolve = systemResolve,
  totalMs = TOTAL_MS,
}: Rules): FetchOutside {
  const places = new Set(allowedPlaces);
  const agent = checkedAgent(places, resolve);
  return async (address, options = {}) => {
    const late = AbortSignal.timeout(totalMs);
    const signal = options.signal ? AbortSignal.any([late, options.signal]) : late;
    const explain = (error: unknown) => explained(error, late, options.signal);
    try {
      const { answer, url } = await follow(address, { options, places, agent, signal });
      return present(answer, url, { maxBytes: options.maxBytes ?? MAX_BYTES, explain });
    } catch (error) {
      throw explain(error);
    }
  };
}

function explained(error: unknown, late: AbortSignal, left: AbortSignal | undefined): OutsideFailed {
  if (error instanceof OutsideFailed) return error;
  if (left?.aborted) return new OutsideFailed("aborted", error);
  return new OutsideFailed(late.aborted ? "timeout" : "unreachable", error);
}

interface Journey {
  options: OutsideOptions;
  places: ReadonlySet<string>;
  agent: Dispatcher;
  signal: AbortSignal;
}

async function follow(address: string, { options, places, agent, signal }: Journey) {
  let url = readAddress(address, undefined, places);
  let headers: Record<string, string> = { "accept-encoding": "gzip, br", ...options.headers };
  for (let hops = 0; ; hops += 1) {
    const { method = "GET", body } = options;
    const answer = await request(url, {
      dispatcher: agent,
      method,
      headers,
      signal,
      ...(body === undefined ? {} : { body }),
    });
    const location = isRedirect(answer.statusCode) ? first(answer.headers["location"]) : undefined;
    if (location === undefined) return { answer, url };
    await answer.body.dump().catch(() => undefined);
    if (hops >= MAX_REDIRECTS || method === "POST") throw new OutsideFailed("redirects");
    const next = readAddress(location, url, places);
    if (next.origin !== url.origin) headers = withoutSecrets(headers);
    url = next;
  }
}

const isRedirect = (status: number) => [301, 302, 303, 307, 308].includes(status);
const first = (value: string | string[] | undefined) => (Array.isArray(value) ? value[0] : value);

function readAddress(address: string, base: URL | undefined, places: ReadonlySet<string>): URL {
  const url = URL.parse(address, base);
  if (!url || !mayBeAsked(url, places)) throw new OutsideFailed("bad_address");
  return url;
}

const withoutSecrets = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !/^(authorization|cookie)$/i.test(name)));

interface Reading {
  maxBytes: number;
  explain: (error: unknown) => OutsideFailed;
}

function present(answer: Dispatcher.ResponseData, url: URL, { maxBytes, explain }: Reading): FromOutside {
  const header = (name: string) => first(answer.headers[name.toLowerCase()]);
  return {
    status: answer.statusCode,
    url: url.href,
    type: (header("content-type") ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "",
    header,
    bytes: async () => {
      try {
        if (Number(header("content-length")) > maxBytes) throw new OutsideFailed("too_large");
        return await readAll(unpacked(answer.body, header("content-encoding")), maxBytes);
      } catch (error) {
        answer.body.destroy();
        throw explain(error);
      }
    },
  };
}

function unpacked(body: Readable, encoding: string | undefined): Readable {
  const unpack = unpackers[(encoding ?? "").trim().toLowerCase()];
  if (!unpack) return body;
  const unpacking = unpack();
  body.once("error", (error) => unpacking.destroy(error));
  return body.pipe(unpacking);
}

const unpackers: Readonly<
  Record<string, () => ReturnType<typeof createGunzip> | ReturnType<typeof createBrotliDecompress>>
> = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

async function readAll(body: Readable, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of body as AsyncIterable<Uint8Array>) {
    length += piece.length;
    if (length > maxBytes) throw new OutsideFailed("too_large");
    pieces.push(piece);
  }
  const all = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

const reasons: Record<OutsideReason, () => Failure> = {
  bad_address: () => new Failure("bad_input", "url_scheme"),
  unreachable: () => new Failure("bad_input", "url_unfetched"),
  redirects: () => new Failure("bad_input", "url_too_many_redirects"),
  too_large: () => new Failure("too_large", "url_too_large"),
  timeout: () => new Failure("timed_out", "url_timeout"),
  aborted: () => new Failure("cancelled", "download_cancelled"),
};

/** Turns a failed fetch into a message for the student who gave the URL; returns other errors unchanged. */
export function failureOfOutside(error: unknown): unknown {
  return error instanceof OutsideFailed ? reasons[error.reason]() : error;
}
