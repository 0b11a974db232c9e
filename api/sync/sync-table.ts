import type { Change, SyncRequestOf, SyncType } from "#shared/sync/schema.ts";
import type { UserCtx } from "#api/http/handler.ts";
import type { IdempotencyRecord } from "#api/store/change-once.ts";

/** What the client learns about an applied change. */
export interface AppliedChange {
  /** The component's version afterwards. */
  version?: number;
  conflict?: boolean;
  /** The component's stored content, if it differs from the sent content. */
  content?: Record<string, unknown>;
  /** The new location of an uploaded file. */
  parcel?: { location: string; content: unknown };
}

/**
 * Applies one queued change. Idempotent per request id, even if the first attempt crashed between two writes. Throws
 * `Failure` when the change is refused.
 */
export type Applier<T extends SyncType> = (ctx: UserCtx, request: SyncRequestOf<T>) => Promise<AppliedChange>;

interface CommonFields<T extends SyncType> {
  /** What other browsers must refresh; undefined if no other browser shows the change. */
  change?(request: SyncRequestOf<T>): { kind: Change["kind"]; ids: readonly string[] } | undefined;
}

interface SingleSyncRow<T extends SyncType> extends CommonFields<T> {
  apply: Applier<T>;
  /** Answers a repeated request from its record; without it, the answer is empty. */
  answerRepeat?(ctx: UserCtx, resourceId: string, record: IdempotencyRecord): Promise<AppliedChange>;
  /** Whether the request deletes or archives its resource, which then leaves folders and pins. */
  isRemoval?(request: SyncRequestOf<T>): boolean;
  /** Whether the request depends on no request for another resource, so that several are applied at the same time. */
  isIndependent?(request: SyncRequestOf<T>): boolean;
  /** For types whose successive requests can be applied together. */
  together?: {
    canJoin(run: readonly SyncRequestOf<T>[], next: SyncRequestOf<T>): boolean;
    apply(ctx: UserCtx, requests: readonly SyncRequestOf<T>[]): Promise<PromiseSettledResult<AppliedChange>[]>;
  };
}

/**
 * For requests that are independent of all others. They are applied first; types with the same function share a batch.
 */
interface BatchSyncRow<T extends SyncType> extends CommonFields<T> {
  applyBatch: (ctx: UserCtx, requests: readonly SyncRequestOf<T>[]) => Promise<void>;
}

/** How requests of one type are applied. */
export type SyncRow<T extends SyncType> = SingleSyncRow<T> | BatchSyncRow<T>;

/** The request types that one feature applies. */
export type SyncTable<T extends SyncType> = { readonly [K in T]: SyncRow<K> };
