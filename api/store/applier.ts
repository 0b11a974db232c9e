import type { SyncRequestOf, SyncType } from "#shared/sync/schema.ts";
import type { UserCtx } from "#api/http/handler.ts";

/** What the client is told of a change that was applied. */
export interface Applied {
  /** The component's version afterwards. */
  version?: number;
  conflict?: boolean;
  /** What the component holds now, where that is not what was sent. */
  content?: Record<string, unknown>;
  /** Where an uploaded file lies now. */
  parcel?: { location: string; content: unknown };
}

/**
 * Applies one queued change. A repeat with the same request id changes nothing, also where the first run ended between
 * two of its writes. Throws `Failure` where the change is refused.
 */
export type Applier<T extends SyncType> = (ctx: UserCtx, request: SyncRequestOf<T>) => Promise<Applied>;

/** The changes that one feature applies. */
export type Appliers<T extends SyncType> = { readonly [K in T]: Applier<K> };
