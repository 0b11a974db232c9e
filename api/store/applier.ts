import type { SyncRequestOf, SyncType } from "#shared/sync/schema.ts";
import type { UserCtx } from "#api/http/handler.ts";

/** What the client learns about an applied change. */
export interface AppliedChange {
  /** The component's version afterwards. */
  version?: number;
  conflict?: boolean;
  /** The component's stored content, where it differs from what was sent. */
  content?: Record<string, unknown>;
  /** The new location of an uploaded file. */
  parcel?: { location: string; content: unknown };
}

/**
 * Applies one queued change. Idempotent per request id, even if the first attempt crashed between two writes. Throws
 * `Failure` when the change is refused.
 */
export type Applier<T extends SyncType> = (ctx: UserCtx, request: SyncRequestOf<T>) => Promise<AppliedChange>;

/** The appliers of one feature, by change type. */
export type Appliers<T extends SyncType> = { readonly [K in T]: Applier<K> };
