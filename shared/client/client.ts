import type { Endpoint, EventOf, Feature, Input, Output, Table, UploadEndpoint } from "#shared/contract/endpoint.ts";
import { STREAM_TYPE } from "#shared/contract/endpoint.ts";
import { createFrameReader } from "#shared/contract/framing.ts";
import type { SentReason } from "#shared/messages/reasons.ts";
import { translateSent } from "#shared/messages/translate.ts";

export type BodyContent = { kind: "none" } | { kind: "json"; text: string } | { kind: "form"; form: FormData };

/** One call for a transport. */
export interface Call {
  endpoint: Endpoint;
  /** Path with parameters filled in, and query. */
  path: string;
  body: BodyContent;
  accept: string;
  signal: AbortSignal | undefined;
  /** Timeout in ms without any data; counted from the last byte. */
  idleTimeoutMs: number;
  onUploadProgress: ((sentBytes: number, totalBytes: number) => void) | undefined;
}

export interface TransportResponse {
  text(): Promise<string>;
  blob(): Promise<Blob>;
  pieces(): AsyncIterable<string>;
}

/** Sends one call; rejects with `Failure` if the server refuses it, and with `NoResponseError` if there was no response. */
export type Transport = (call: Call) => Promise<TransportResponse>;

/** No response: no network, a lost connection, a timeout, or an abort by the caller. */
export class NoResponseError extends Error {
  readonly reason: "network" | "timeout" | "aborted";
  constructor(reason: "network" | "timeout" | "aborted") {
    super(reason);
    this.name = "NoResponseError";
    this.reason = reason;
  }
}

export interface CallOptions {
  signal?: AbortSignal;
  idleTimeoutMs?: number;
  onUploadProgress?: (sentBytes: number, totalBytes: number) => void;
}

export type Files = readonly { field: string; file: Blob; name: string }[];

interface UploadWithEvents<E extends Endpoint> {
  (input: Input<E>, files: Files, options?: CallOptions): Promise<Output<E>>;
  /** The same call as a stream of events. */
  stream(input: Input<E>, files: Files, options?: CallOptions): AsyncGenerator<EventOf<E>>;
}

type Method<E extends Endpoint> = E["kind"] extends "upload"
  ? E extends { event: unknown }
    ? UploadWithEvents<E>
    : (input: Input<E>, files: Files, options?: CallOptions) => Promise<Output<E>>
  : E["kind"] extends "stream"
    ? (input: Input<E>, options?: CallOptions) => AsyncGenerator<EventOf<E>>
    : E["kind"] extends "file"
      ? (input: Input<E>, options?: CallOptions) => Promise<Blob>
      : (input: Input<E>, options?: CallOptions) => Promise<Output<E>>;

type ClientOf<F extends Feature> = { readonly [K in keyof F]: Method<F[K]> };
export type Client<T extends Table> = { readonly [F in keyof T]: ClientOf<T[F]> };

type Fields = Readonly<Record<string, unknown>>;

const DEFAULT_TIMEOUT_MS = 60_000;
/** The timeout of uploads and streams: five minutes (specification, section 9). */
const LONG_TIMEOUT_MS = 300_000;

/**
 * Creates one typed method per row of the endpoint table; each builds the call and leaves the rest to the transport.
 */
export function createClient<T extends Table>(table: T, transport: Transport): Client<T> {
  const client: Record<string, Record<string, unknown>> = {};
  for (const [feature, rows] of Object.entries(table)) {
    const methods: Record<string, unknown> = {};
    for (const [name, endpoint] of Object.entries(rows)) methods[name] = methodOf(endpoint, transport);
    client[feature] = methods;
  }
  return client as Client<T>;
}

function methodOf(endpoint: Endpoint, transport: Transport): unknown {
  switch (endpoint.kind) {
    case "json":
      return async (input: Fields, options?: CallOptions) => {
        const response = await transport(plainCall(endpoint, input, "application/json", options));
        return JSON.parse(await response.text()) as unknown;
      };
    case "file":
      return async (input: Fields, options?: CallOptions) =>
        (await transport(plainCall(endpoint, input, "*/*", options))).blob();
    case "stream":
      if (endpoint.plain)
        return (input: Fields, options?: CallOptions) =>
          streamText(
            transport,
            plainCall(endpoint, input, "text/plain", { idleTimeoutMs: LONG_TIMEOUT_MS, ...options }),
          );
      return (input: Fields, options?: CallOptions) =>
        streamEvents(
          transport,
          plainCall(endpoint, input, STREAM_TYPE, { idleTimeoutMs: LONG_TIMEOUT_MS, ...options }),
        );
    case "upload":
      return uploadMethod(endpoint, transport);
    default:
      return endpoint satisfies never;
  }
}

function uploadMethod(endpoint: UploadEndpoint, transport: Transport): unknown {
  const sendUpload = async (input: Fields, files: Files, options?: CallOptions) => {
    const response = await transport(formCall(endpoint, formOf(endpoint, input, files), "application/json", options));
    return JSON.parse(await response.text()) as unknown;
  };
  const stream = (input: Fields, files: Files, options?: CallOptions) =>
    streamEvents(transport, formCall(endpoint, formOf(endpoint, input, files), STREAM_TYPE, options));
  return Object.assign(sendUpload, { stream });
}

interface Form {
  path: string;
  form: FormData;
}

function formOf(endpoint: UploadEndpoint, input: Fields, files: Files): Form {
  const { path, rest } = fillPath(endpoint, input);
  const form = new FormData();
  for (const [key, value] of Object.entries(rest)) {
    if (value === undefined) continue;
    form.append(key, endpoint.jsonFields?.includes(key) ? JSON.stringify(value) : serialise(value));
  }
  // Part headers must not contain control characters, which file names on some systems do.
  for (const { field, file, name } of files) form.append(field, file, name.replaceAll(/\p{Cc}+/gu, " "));
  return { path, form };
}

function formCall(endpoint: UploadEndpoint, { path, form }: Form, accept: string, options?: CallOptions): Call {
  return {
    ...callBase(endpoint, accept, { idleTimeoutMs: LONG_TIMEOUT_MS, ...options }),
    path,
    body: { kind: "form", form },
  };
}

function plainCall(endpoint: Endpoint, input: Fields, accept: string, options: CallOptions | undefined): Call {
  const { path, rest } = fillPath(endpoint, input);
  const base = callBase(endpoint, accept, options);
  const hasBody = sendsBody(endpoint);
  const isQuery = (key: string) =>
    !hasBody || (endpoint.kind === "stream" && endpoint.queryFields?.includes(key) === true);
  const query = new URLSearchParams();
  const sent: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(rest))
    if (!isQuery(key)) sent[key] = value;
    else if (value !== undefined) query.append(key, serialise(value));
  const queryString = query.toString();
  return {
    ...base,
    path: queryString ? `${path}?${queryString}` : path,
    body: hasBody ? { kind: "json", text: JSON.stringify(sent) } : { kind: "none" },
  };
}

/** Input is sent in the body, except for GET and DELETE, which send it in the URL. */
export const sendsBody = ({ method, hasBody }: Pick<Endpoint, "method" | "hasBody">) =>
  hasBody ?? (method !== "GET" && method !== "DELETE");

const serialise = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));

function callBase(endpoint: Endpoint, accept: string, options: CallOptions | undefined) {
  return {
    endpoint,
    accept,
    signal: options?.signal,
    idleTimeoutMs: options?.idleTimeoutMs ?? DEFAULT_TIMEOUT_MS,
    onUploadProgress: options?.onUploadProgress,
  };
}

function fillPath(endpoint: Endpoint, input: Fields): { path: string; rest: Record<string, unknown> } {
  const rest: Record<string, unknown> = { ...input };
  const path = endpoint.path.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = rest[name];
    delete rest[name];
    return encodeURIComponent(String(value));
  });
  return { path, rest };
}

async function* streamEvents(transport: Transport, call: Call): AsyncGenerator {
  const response = await transport(call);
  const readFrames = createFrameReader();
  for await (const piece of response.pieces()) for (const event of readFrames(piece)) yield translateErrorEvent(event);
}

/** Translates the message of an error event, as for any other failure. */
function translateErrorEvent(event: unknown): unknown {
  const { type, message, ...rest } = (event ?? {}) as { type?: unknown; message?: unknown } & SentReason;
  if (type !== "error" || typeof message !== "string") return event;
  return { ...(event as object), message: translateSent(message, rest) };
}

async function* streamText(transport: Transport, call: Call): AsyncGenerator {
  const response = await transport(call);
  yield* response.pieces();
}
