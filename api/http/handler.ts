import type { Readable } from "node:stream";
import type {
  Endpoint,
  EventOf,
  FileEndpoint,
  JsonEndpoint,
  Output,
  Parsed,
  StreamEndpoint,
  UploadEndpoint,
} from "#shared/contract/endpoint.ts";
import type { Language } from "#shared/messages/language.ts";
import type { Plan } from "#shared/user/schema.ts";
import type { Clock } from "#api/clock.ts";
import type { Log } from "#api/log.ts";
import type { ReceivedBlob, Blobs } from "#api/blobs/port.ts";
import type { Jobs } from "#api/jobs/jobs-port.ts";
import type { PassageIndex } from "#api/store/search/port.ts";
import type { Indexer } from "#api/store/search/indexer-port.ts";
import type { Mailer } from "#api/outside/mailer.ts";
import type { Own } from "#api/store/owned-store.ts";
import type { FetchOutside } from "#api/outside/fetch-outside.ts";
import type { DocumentStore } from "#api/store/port.ts";
import type { Settings } from "#api/settings.ts";
import type { Models } from "#api/ai/port.ts";
import type { Previews } from "./previews-port.ts";

/** The dependencies of the API that outlive a request. */
export interface Deps {
  settings: Settings;
  store: DocumentStore;
  blobs: Blobs;
  index: PassageIndex;
  indexer: Indexer;
  jobs: Jobs;
  models: Models;
  mailer: Mailer;
  /** Must be used for every address that comes from a user, a file or a model. */
  fetchOutside: FetchOutside;
  previews: Previews;
  clock: Clock;
  log: Log;
}

export interface Caller {
  userId: string;
  email: string;
  plan: Plan;
  isAdmin: boolean;
  /** A temp token is accepted for streams, sockets and sync only, and cannot be exchanged for a session. */
  tokenKind: "session" | "temp";
  /** Hash of the token in the request. */
  tokenId: string;
  /** The session that owns the token. */
  sessionId: string;
  /** A browser extension, which may only call the rows declared `forExtension`. */
  isExtension: boolean;
  /** Epoch ms until which a token that a refresh replaced serves reads; null for every other token. */
  readOnlyUntil: number | null;
}

export interface Ctx extends Deps {
  requestId: string;
  /** Aborted when the client disconnects. */
  signal: AbortSignal;
  /** The caller's IP address, used for rate limits only. */
  address: string;
  header(name: string): string | undefined;
  /** The first of the browser's languages that Lamplight supports, otherwise English. */
  language(): Language;
}

export interface UserCtx extends Ctx {
  caller: Caller;
  /** The store, restricted to the caller's documents. */
  own: Own;
}

/** A file part of a multipart form; discarded when the handler ends, unless the handler stores it. */
export interface ReceivedFile extends ReceivedBlob {
  field: string;
  name: string;
  /** The type that the client claims. Handlers detect the real type from the content. */
  type: string;
}

/** A response of bytes. With `etag`, an unchanged file is answered with 304. */
export interface FileAnswer {
  type: string;
  sizeBytes: number;
  open(range?: { start: number; end: number }): Promise<Readable> | Readable;
  /** Shown in the browser, or downloaded under this name. */
  disposition?: { kind: "inline" | "attachment"; name: string };
  etag?: string;
  cacheControl?: string;
}

type CtxOf<E extends Endpoint> = E["access"] extends "public" ? Ctx : UserCtx;
export type Handler<E extends Endpoint> = E extends UploadEndpoint
  ? E extends { event: unknown }
    ? (ctx: CtxOf<E>, input: Parsed<E>, files: ReceivedFile[]) => AsyncGenerator<EventOf<E>>
    : (ctx: CtxOf<E>, input: Parsed<E>, files: ReceivedFile[]) => Promise<Output<E>>
  : E extends StreamEndpoint
    ? (ctx: CtxOf<E>, input: Parsed<E>) => AsyncGenerator<EventOf<E>>
    : E extends FileEndpoint
      ? (ctx: CtxOf<E>, input: Parsed<E>) => Promise<FileAnswer>
      : E extends JsonEndpoint
        ? (ctx: CtxOf<E>, input: Parsed<E>) => Promise<Output<E>>
        : never;

export type Handlers<F extends Readonly<Record<string, Endpoint>>> = { [K in keyof F]: Handler<F[K]> };
