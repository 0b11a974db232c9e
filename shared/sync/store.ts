import type { ReasonParams } from "#shared/messages/reasons.ts";
import type { SyncRequest } from "./schema.ts";

/** Why a request left the live queue: `network` is retried automatically, `refusal` waits for the user. */
export interface ParkedReason {
  kind: "network" | "refusal";
  code: string;
  message: string;
  reason?: string | undefined;
  params?: ReasonParams | undefined;
}

/** A request as stored in the browser until the server acknowledges it. */
export interface StoredRequest {
  readonly request: SyncRequest;
  /** The number of flushes that sent it. Above zero the server may have it already, so nothing is merged into it. */
  readonly sentCount: number;
  /** Consecutive failed flushes. */
  readonly failedRounds: number;
  readonly parkedCount: number;
  readonly parked: ParkedReason | null;
  /** The queued request that this content update is based on. The version that it results in becomes the base. */
  readonly basedOn: string | null;
  /** Whether it was rebased while queued, so that it contains changes of others that its screen may not show yet. */
  readonly isTakenFurther?: boolean;
}

export interface QueueChange<T> {
  put: readonly StoredRequest[];
  remove: readonly string[];
  result: T;
}

/**
 * A request's position in the order. The client id is created with the counter and stored next to it, so a counter that
 * restarts has a new client id.
 */
export interface QueuePosition {
  clientId: string;
  seq: number;
}

/** `resourceId` limits reading to one resource; `reads: "nothing"` reads nothing. A scope is always in one account. */
export interface QueueScope {
  accountId: string;
  resourceId?: string;
  reads?: "nothing";
}

/**
 * Storage for queued requests. `transact` is one atomic, durable step, also between tabs: it reads the requests in
 * order, calls `work` (synchronous, perhaps more than once) and writes its result.
 */
export interface SyncStorage {
  transact<T>(
    scope: QueueScope,
    work: (items: readonly StoredRequest[], nextPosition: () => QueuePosition) => QueueChange<T>,
  ): Promise<T>;
  list(accountId: string): Promise<StoredRequest[]>;
  wipe(accountId: string): Promise<void>;
}

/** Whether a scope includes the request. */
export const isInScope =
  ({ resourceId, reads }: Omit<QueueScope, "accountId">) =>
  ({ request }: StoredRequest): boolean =>
    reads !== "nothing" && (resourceId === undefined || request.resourceId === resourceId);

/** Queue storage that lasts as long as the object does. */
export function memoryStorage(clientId: string): SyncStorage {
  const queues = new Map<string, Map<string, StoredRequest>>();
  const seqs = new Map<string, number>();
  const queueOf = (accountId: string) => {
    const queue = queues.get(accountId) ?? new Map<string, StoredRequest>();
    queues.set(accountId, queue);
    return queue;
  };
  const inOrder = (queue: Map<string, StoredRequest>) =>
    [...queue.values()].toSorted((a, b) => a.request.seq - b.request.seq);
  return {
    transact: async ({ accountId, ...scope }, work) => {
      const queue = queueOf(accountId);
      const items = inOrder(queue).filter(isInScope(scope));
      let seq = seqs.get(accountId) ?? 0;
      const { put, remove, result } = work(items, () => {
        seq += 1;
        return { clientId, seq };
      });
      seqs.set(accountId, seq);
      for (const id of remove) queue.delete(id);
      for (const item of put) queue.set(item.request.id, structuredClone(item));
      return result;
    },
    list: async (accountId) => structuredClone(inOrder(queueOf(accountId))),
    wipe: async (accountId) => {
      queues.delete(accountId);
    },
  };
}
