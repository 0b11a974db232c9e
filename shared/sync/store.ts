import type { ReasonParams } from "#shared/messages/reasons.ts";
import type { SyncRequest } from "./schema.ts";

/** Why a request left the live queue: `network` comes back by itself, `refusal` waits for the user. */
export interface ParkedReason {
  kind: "network" | "refusal";
  code: string;
  message: string;
  reason?: string | undefined;
  params?: ReasonParams | undefined;
}

/** A request as it lies in the browser until the server acknowledges it. */
export interface StoredRequest {
  readonly request: SyncRequest;
  /** Rounds it went out in. Over zero the server may have it already, so nothing is merged into it. */
  readonly sentCount: number;
  /** Rounds in a row that failed. */
  readonly failedRounds: number;
  readonly parkedCount: number;
  readonly parked: ParkedReason | null;
  /** The queued request whose result this content update was made on; its version becomes the base. */
  readonly basedOn: string | null;
  /** It was taken further while it waited: it holds what others added meanwhile, which its maker may not show yet. */
  readonly isTakenFurther?: boolean;
}

export interface QueueChange<T> {
  put: readonly StoredRequest[];
  remove: readonly string[];
  result: T;
}

/**
 * A request's place in the order. The client's name is made where its counter lies and goes with it, so that a counter
 * that begins anew is never taken for one that went back.
 */
export interface Place {
  clientId: string;
  seq: number;
}

/** `resourceId` narrows what is read, `reads` says that nothing is; everything stays within one account. */
export interface QueueScope {
  accountId: string;
  resourceId?: string;
  reads?: "nothing";
}

/**
 * Where queued requests lie. `transact` is one atomic, durable step, also between the tabs of a browser: it reads the
 * requests in order, calls `work` (synchronous, perhaps more than once) and writes what it answers.
 */
export interface SyncStorage {
  transact<T>(
    scope: QueueScope,
    work: (items: readonly StoredRequest[], takePlace: () => Place) => QueueChange<T>,
  ): Promise<T>;
  list(accountId: string): Promise<StoredRequest[]>;
  wipe(accountId: string): Promise<void>;
}

/** Whether a request is among those that a scope reads. */
export const isReadBy =
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
      const items = inOrder(queue).filter(isReadBy(scope));
      let seq = seqs.get(accountId) ?? 0;
      const { put, remove, result } = work(items, () => ({ clientId, seq: (seq += 1) }));
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
