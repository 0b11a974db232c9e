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
import type { Mailer } from "#api/outside/mailer.ts";
import type { Own } from "#api/store/owned.ts";
import type { FetchOutside } from "#api/outside/fetch-outside.ts";
import type { DocumentStore } from "#api/store/port.ts";
import type { Settings } from "#api/settings.ts";
import type { Models } from "#api/ai/port.ts";

/** The parts of the API that outlive a request. */
export interface Deps {
  settings: Settings;
  store: DocumentStore;
  blobs: Blobs;
  index: PassageIndex;
  jobs: Jobs;
  models: Models;
  mailer: Mailer;
  /** The only way to an address that a user, a file or a model named. */
  fetchOutside: FetchOutside;
  clock: Clock;
  log: Log;
}

export interface Caller {
  userId: string;
  email: string;
  plan: Plan;
  isAdmin: boolean;
  /** A temp token serves streams, sockets and sync, and cannot be turned into a session. */
  tokenKind: "session" | "temp";
  /** Hash of the token that the call carries. */
  tokenId: string;
}

export interface Ctx extends Deps {
  requestId: string;
  /** Aborted when the client goes away. */
  signal: AbortSignal;
  /** The caller's address, for limits only. */
  address: string;
  header(name: string): string | undefined;
  /** The first language of the caller's browser in which Lamplight is written; English where it names none of them. */
  language(): Language;
}

export interface UserCtx extends Ctx {
  caller: Caller;
  /** The store as the caller may see it. */
  own: Own;
}

/** A file part of a multipart form; unless kept, it is discarded when the handler ends. */
export interface ReceivedFile extends ReceivedBlob {
  field: string;
  name: string;
  /** What the client claims; the content decides. */
  type: string;
}

/** An answer of bytes. With `etag`, an unchanged file is answered 304. */
export interface FileAnswer {
  type: string;
  sizeBytes: number;
  open(range?: { start: number; end: number }): Promise<Readable> | Readable;
  /** Shown in the page, or saved under this name. */
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
