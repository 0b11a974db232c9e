import type { Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import type { Dispatcher, request } from "undici";
import { Failure } from "#shared/contract/failure.ts";
import { isFetchable } from "./public-addresses.ts";
import type { Resolve } from "./checked-connection.ts";

const MAX_REDIRECTS = 3;
const MAX_BYTES = 20 * 1024 * 1024;
const TIMEOUT_MS = 10_000;

interface OutsideOptions {
  method?: "GET" | "HEAD" | "POST" | "PATCH" | "DELETE";
  headers?: Readonly<Record<string, string>>;
  /** Sent with POST and PATCH; only GET and HEAD are redirected. */
  body?: string;
  /** Overrides the 20 MB limit; counted after decompression. */
  maxBytes?: number;
  signal?: AbortSignal;
}

/** A response from the internet; the caller must check the status. */
export interface OutsideResponse {
  status: number;
  /** The final URL after redirects. */
  url: string;
  /** The claimed media type, in lower case and without parameters; empty if missing. */
  type: string;
  header(name: string): string | undefined;
  /** Reads the whole body. Rejects with `OutsideFetchError`. */
  bytes(): Promise<Uint8Array<ArrayBuffer>>;
}

/**
 * Fetches a URL on a user's behalf, protected against SSRF: http(s) on ports 80 and 443, public addresses only at every
 * hop, at most 3 redirects, and 20 MB and 10 seconds in total. Rejects with `OutsideFetchError`.
 */
export type FetchOutside = (url: string, options?: OutsideOptions) => Promise<OutsideResponse>;

export type OutsideReason = "bad_address" | "unreachable" | "redirects" | "too_large" | "timeout" | "aborted";

/** Why a fetch failed. A refused address and an unreachable one look the same, so that nobody can map our network. */
export class OutsideFetchError extends Error {
  readonly reason: OutsideReason;

  constructor(reason: OutsideReason, cause?: unknown) {
    super(`Fetch failed: ${reason}`, { cause });
    this.name = "OutsideFetchError";
    this.reason = reason;
  }
}

interface FetchRules {
  /** "host:port" of private servers that may be fetched, such as test servers. */
  allowedHosts?: Iterable<string>;
  resolve?: Resolve;
  timeoutMs?: number;
}

interface Connection {
  request: typeof request;
  agent: Dispatcher;
}

/** The modules are loaded with the first fetch, so that the server starts sooner. */
async function createConnection(hosts: ReadonlySet<string>, resolve: Resolve | undefined): Promise<Connection> {
  const [undici, { createCheckedAgent }] = await Promise.all([import("undici"), import("./checked-connection.ts")]);
  return { request: undici.request, agent: createCheckedAgent(hosts, resolve) };
}

export function createFetchOutside({ allowedHosts = [], resolve, timeoutMs = TIMEOUT_MS }: FetchRules): FetchOutside {
  const hosts = new Set(allowedHosts);
  let connection: Promise<Connection> | undefined;
  return async (address, options = {}) => {
    connection ??= createConnection(hosts, resolve);
    const { request, agent } = await connection;
    const timeoutSignal = AbortSignal.timeout(timeoutMs);
    const signal = options.signal ? AbortSignal.any([timeoutSignal, options.signal]) : timeoutSignal;
    const toOutsideFailure = (error: unknown) => classifyError(error, timeoutSignal, options.signal);
    try {
      const { answer, url } = await follow(address, { options, hosts, request, agent, signal });
      return toResponse(answer, url, { maxBytes: options.maxBytes ?? MAX_BYTES, toOutsideFailure });
    } catch (error) {
      throw toOutsideFailure(error);
    }
  };
}

function classifyError(
  error: unknown,
  timeoutSignal: AbortSignal,
  callerSignal: AbortSignal | undefined,
): OutsideFetchError {
  if (error instanceof OutsideFetchError) return error;
  if (callerSignal?.aborted) return new OutsideFetchError("aborted", error);
  return new OutsideFetchError(timeoutSignal.aborted ? "timeout" : "unreachable", error);
}

interface FetchContext extends Connection {
  options: OutsideOptions;
  hosts: ReadonlySet<string>;
  signal: AbortSignal;
}

async function follow(address: string, { options, hosts, request, agent, signal }: FetchContext) {
  let url = parseUrl(address, undefined, hosts);
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
    if (hops >= MAX_REDIRECTS || (method !== "GET" && method !== "HEAD")) throw new OutsideFetchError("redirects");
    const next = parseUrl(location, url, hosts);
    if (next.origin !== url.origin) headers = withoutSecrets(headers);
    url = next;
  }
}

const isRedirect = (status: number) => [301, 302, 303, 307, 308].includes(status);
const first = (value: string | string[] | undefined) => (Array.isArray(value) ? value[0] : value);

function parseUrl(address: string, base: URL | undefined, hosts: ReadonlySet<string>): URL {
  const url = URL.parse(address, base);
  if (!url || !isFetchable(url, hosts)) throw new OutsideFetchError("bad_address");
  return url;
}

/**
 * The only headers that another origin gets after a redirect. Any other header may be a secret, because each service
 * has its own name for the header with the key.
 */
const PUBLIC_HEADERS: ReadonlySet<string> = new Set(["accept", "content-type", "range", "user-agent"]);

const withoutSecrets = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => PUBLIC_HEADERS.has(name.toLowerCase())));

interface ReadOptions {
  maxBytes: number;
  toOutsideFailure: (error: unknown) => OutsideFetchError;
}

function toResponse(
  answer: Dispatcher.ResponseData,
  url: URL,
  { maxBytes, toOutsideFailure }: ReadOptions,
): OutsideResponse {
  const header = (name: string) => first(answer.headers[name.toLowerCase()]);
  return {
    status: answer.statusCode,
    url: url.href,
    type: (header("content-type") ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "",
    header,
    bytes: async () => {
      try {
        if (Number(header("content-length")) > maxBytes) throw new OutsideFetchError("too_large");
        return await readAll(decompress(answer.body, header("content-encoding")), maxBytes);
      } catch (error) {
        answer.body.destroy();
        throw toOutsideFailure(error);
      }
    },
  };
}

function decompress(body: Readable, encoding: string | undefined): Readable {
  const createDecoder = decoders[(encoding ?? "").trim().toLowerCase()];
  if (!createDecoder) return body;
  const decoder = createDecoder();
  body.once("error", (error) => decoder.destroy(error));
  return body.pipe(decoder);
}

const decoders: Readonly<
  Record<string, () => ReturnType<typeof createGunzip> | ReturnType<typeof createBrotliDecompress>>
> = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

async function readAll(body: Readable, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > maxBytes) throw new OutsideFetchError("too_large");
    chunks.push(chunk);
  }
  const all = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    all.set(chunk, offset);
    offset += chunk.length;
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
export function toUserFailure(error: unknown): unknown {
  return error instanceof OutsideFetchError ? reasons[error.reason]() : error;
}
