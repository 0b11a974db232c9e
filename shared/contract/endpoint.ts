import type { z } from "zod";
import type { FailureCode } from "./failure.ts";

export type Method = "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
/** `public`: anyone. `user`: a session or temp token. `admin`: a user with the admin role. */
export type Access = "public" | "user" | "admin";
/** Rate limit class; the numbers are in `rateClasses`. */
export type RateClass = keyof typeof rateClasses;

/** Points per window and caller (the account if signed in, otherwise the address). */
export const rateClasses = {
  ordinary: { points: 1200, windowSeconds: 60 },
  sign_in: { points: 20, windowSeconds: 60 },
  generation: { points: 60, windowSeconds: 60 },
  upload: { points: 240, windowSeconds: 60 },
  /** Content that anyone may read: shared items, link previews, explore, the documentation of the API. */
  anonymous: { points: 300, windowSeconds: 60 },
  /** Captions that a visitor without an account asks a video site for. */
  transcript: { points: 5, windowSeconds: 86_400 },
  /** Sources that a visitor of the citation generator looks up elsewhere. */
  lookup: { points: 20, windowSeconds: 3600 },
  /** Files of the web app, of which a first visit loads hundreds. */
  web: { points: 6000, windowSeconds: 60 },
} as const;

export const JSON_BODY_BYTES = 1024 * 1024;
export const SYNC_BODY_BYTES = 16 * 1024 * 1024;
/** The Accept type that requests a call's events instead of only its result. */
export const STREAM_TYPE = "application/x-lamplight-stream";

interface Row {
  method: Method;
  /** Path parameters are written `:name` and are part of the input. */
  path: string;
  access: Access;
  summary: string;
  fails: readonly FailureCode[];
  /** The default is `ordinary`; public rows must set it. */
  rate?: RateClass;
  bodyBytes?: number;
  /** A DELETE whose input is sent as a body because it must not be in a URL. */
  hasBody?: true;
  /** The handler gets the body unparsed, as the text `payload`, because a signature covers every byte. */
  rawBody?: true;
  /** Accepts the token of a browser extension, which all other rows with access `user` or `admin` reject. */
  forExtension?: true;
  /** The answer carries a token, a code or a signed address, so no cache may store it. */
  noStore?: true;
}

/** Input is collected from path, query and JSON body; each key is in only one of them. */
export interface JsonEndpoint<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> extends Row {
  kind: "json";
  input: I;
  output: O;
  /** Supports conditional requests (304). */
  etag?: boolean;
  /** Status of a successful response; the default is 200. */
  status?: 202;
  /** True if the output reports a fault of the server. The output is then sent with status 503. */
  isUnavailable?: (output: never) => boolean;
}

/** Responds with framed JSON events (U+0002 … U+0003), typed by `event`; with `plain`, with plain text chunks. */
export interface StreamEndpoint<I extends z.ZodType = z.ZodType, E extends z.ZodType = z.ZodType> extends Row {
  kind: "stream";
  plain?: true;
  /** Fields that clients send in the URL although there is a body. */
  queryFields?: readonly string[];
  input: I;
  event: E;
}

/** Responds with bytes of a type set by the handler; range requests are supported. */
export interface FileEndpoint<I extends z.ZodType = z.ZodType> extends Row {
  kind: "file";
  input: I;
}

/**
 * A multipart form: file parts are saved to disk before the handler runs, other fields are parsed by `input`. With
 * `event`, a caller that accepts `STREAM_TYPE` gets the events; other callers get the `result` of the last event.
 */
export interface UploadEndpoint<
  I extends z.ZodType = z.ZodType,
  O extends z.ZodType = z.ZodType,
  E extends z.ZodType = z.ZodType,
> extends Row {
  kind: "upload";
  input: I;
  output: O;
  event?: E;
  maxFiles: number;
  /** Maximum size of one part if it is below the plan's file size limit. */
  maxFileBytes?: number;
  /** Fields that contain JSON. */
  jsonFields?: readonly string[];
}

export type Endpoint = JsonEndpoint | StreamEndpoint | FileEndpoint | UploadEndpoint;
export type Feature = Readonly<Record<string, Endpoint>>;
export type Table = Readonly<Record<string, Feature>>;

export const json = <const R extends Omit<JsonEndpoint, "kind">>(row: R) => ({ ...row, kind: "json" as const });
export const stream = <const R extends Omit<StreamEndpoint, "kind">>(row: R) => ({ ...row, kind: "stream" as const });
export const file = <const R extends Omit<FileEndpoint, "kind">>(row: R) => ({ ...row, kind: "file" as const });
export const upload = <const R extends Omit<UploadEndpoint, "kind">>(row: R) => ({ ...row, kind: "upload" as const });

export type Input<E extends Endpoint> = E extends { input: infer I extends z.ZodType } ? z.input<I> : never;
export type Parsed<E extends Endpoint> = E extends { input: infer I extends z.ZodType } ? z.output<I> : never;
export type Output<E extends Endpoint> = E extends { output: infer O extends z.ZodType } ? z.output<O> : never;
export type EventOf<E extends Endpoint> = E extends { event: infer V extends z.ZodType } ? z.output<V> : never;
