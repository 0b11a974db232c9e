import {
  isInScope,
  type QueuePosition,
  type QueueChange,
  type QueueScope,
  type StoredRequest,
  type SyncStorage,
} from "../store.ts";
import { isStorageTimeout } from "./storage-timeout.ts";

/** `full`: changes do not fit on the disk. `silent`: the browser's storage does not answer. */
export type DiskState = "ok" | "full" | "silent";

interface OverflowStorageDeps {
  disk: SyncStorage;
  /** Called when changes have to be held in memory, and with `ok` when everything has been written to the disk. */
  onDiskState: (state: DiskState) => void;
  newClientId: () => string;
}

type Work<T> = (items: readonly StoredRequest[], nextPosition: () => QueuePosition) => QueueChange<T>;

/** The browser's error when the disk or the site's storage quota is full. */
const isFull = (error: unknown): boolean => (error as { name?: unknown } | null)?.name === "QuotaExceededError";

type Problem = Exclude<DiskState, "ok">;

/** Why the disk cannot be used for now; rethrows any other error. */
function problemOf(error: unknown): Problem {
  if (isFull(error)) return "full";
  if (isStorageTimeout(error)) return "silent";
  throw error;
}

/** One account's changes that are not on disk; they override the requests on disk. */
interface Overflow {
  problem: Problem;
  put: Map<string, StoredRequest>;
  removed: Set<string>;
  position: QueuePosition;
}

class OverflowStorage implements SyncStorage {
  readonly #deps: OverflowStorageDeps;
  readonly #overflows = new Map<string, Overflow>();
  /** The requests on disk when the disk last answered, by account; used while it does not answer. */
  readonly #lastRead = new Map<string, Map<string, StoredRequest>>();
  #diskState: DiskState = "ok";
  #lastStep: Promise<unknown> = Promise.resolve();

  constructor(deps: OverflowStorageDeps) {
    this.#deps = deps;
  }

  transact<T>(scope: QueueScope, work: Work<T>): Promise<T> {
    return this.#runExclusive(async () => {
      if (!(await this.#moveToDisk(scope.accountId))) return this.#inMemory(scope, work);
      try {
        return await this.#onDisk(scope, work);
      } catch (error) {
        await this.#startOverflow(scope.accountId, problemOf(error));
        return this.#inMemory(scope, work);
      }
    });
  }

  list(accountId: string): Promise<StoredRequest[]> {
    return this.#runExclusive(async () => {
      const overflow = this.#overflows.get(accountId);
      if (overflow) return this.#itemsWithOverflow(accountId, overflow);
      try {
        return await this.#listDisk(accountId);
      } catch (error) {
        return this.#itemsWithOverflow(accountId, await this.#startOverflow(accountId, problemOf(error)));
      }
    });
  }

  wipe(accountId: string): Promise<void> {
    return this.#runExclusive(async () => {
      this.#removeOverflow(accountId);
      await this.#deps.disk.wipe(accountId);
    });
  }

  /** Runs one step after another, so that the in-memory changes are never moved while they change. */
  #runExclusive<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#lastStep.then(work, work);
    this.#lastStep = done.catch(() => undefined);
    return done;
  }

  async #onDisk<T>(scope: QueueScope, work: Work<T>): Promise<T> {
    let change: QueueChange<T> | undefined;
    const result = await this.#deps.disk.transact(scope, (items, nextPosition) => {
      change = work(items, nextPosition);
      return change;
    });
    const lastRead = this.#lastReadOf(scope.accountId);
    for (const id of change?.remove ?? []) lastRead.delete(id);
    for (const item of change?.put ?? []) lastRead.set(item.request.id, item);
    return result;
  }

  async #listDisk(accountId: string): Promise<StoredRequest[]> {
    const items = await this.#deps.disk.list(accountId);
    this.#lastRead.set(accountId, new Map(items.map((item) => [item.request.id, item])));
    return items;
  }

  #lastReadOf(accountId: string): Map<string, StoredRequest> {
    const known = this.#lastRead.get(accountId) ?? new Map<string, StoredRequest>();
    this.#lastRead.set(accountId, known);
    return known;
  }

  #notify(): void {
    const problems = [...this.#overflows.values()].map(({ problem }) => problem);
    const state = problems.includes("silent") ? "silent" : (problems[0] ?? "ok");
    if (state === this.#diskState) return;
    this.#diskState = state;
    this.#deps.onDiskState(state);
  }

  #removeOverflow(accountId: string): void {
    this.#overflows.delete(accountId);
    this.#notify();
  }

  async #startOverflow(accountId: string, problem: Problem): Promise<Overflow> {
    const overflow: Overflow = {
      problem,
      put: new Map(),
      removed: new Set(),
      position: await this.#readNextPosition(accountId),
    };
    this.#overflows.set(accountId, overflow);
    this.#notify();
    return overflow;
  }

  /** The next position in the order. A full disk reports it even if it cannot store the new counter. */
  async #readNextPosition(accountId: string): Promise<QueuePosition> {
    const lastSeq = Math.max(0, ...[...this.#lastReadOf(accountId).values()].map(({ request }) => request.seq));
    let position: QueuePosition = { clientId: this.#deps.newClientId(), seq: lastSeq + 1 };
    const read = this.#deps.disk.transact({ accountId }, (_items, nextPosition) => {
      position = nextPosition();
      return { put: [], remove: [], result: undefined };
    });
    await read.catch(problemOf);
    return position;
  }

  async #itemsWithOverflow(accountId: string, overflow: Overflow): Promise<StoredRequest[]> {
    const { put, removed } = overflow;
    const stored = await this.#listDisk(accountId).catch((error: unknown) => {
      overflow.problem = problemOf(error);
      this.#notify();
      return [...this.#lastReadOf(accountId).values()];
    });
    const unchanged = stored.filter(({ request: { id } }) => !removed.has(id) && !put.has(id));
    return [...unchanged, ...put.values()].toSorted((a, b) => a.request.seq - b.request.seq);
  }

  async #inMemory<T>({ accountId, ...scope }: QueueScope, work: Work<T>): Promise<T> {
    const overflow = this.#overflows.get(accountId);
    if (!overflow) throw new Error("There is no overflow to write to");
    const items = await this.#itemsWithOverflow(accountId, overflow);
    let { position } = overflow;
    const nextPosition = () => {
      position = { ...position, seq: position.seq + 1 };
      return position;
    };
    const { put, remove, result } = work(items.filter(isInScope(scope)), nextPosition);
    overflow.position = position;
    for (const id of remove) {
      overflow.put.delete(id);
      overflow.removed.add(id);
    }
    for (const item of put) overflow.put.set(item.request.id, structuredClone(item));
    return result;
  }

  /** Moves changes from memory to disk; returns whether everything is on disk now. */
  async #moveToDisk(accountId: string): Promise<boolean> {
    const overflow = this.#overflows.get(accountId);
    if (!overflow) return true;
    try {
      await this.#deps.disk.transact({ accountId }, (_items, nextPosition) => {
        // Later changes must follow these, even if another tab increased the counter meanwhile.
        let { seq } = nextPosition();
        while (seq < overflow.position.seq) ({ seq } = nextPosition());
        return { put: [...overflow.put.values()], remove: [...overflow.removed], result: undefined };
      });
    } catch (error) {
      overflow.problem = problemOf(error);
      this.#notify();
      return false;
    }
    this.#removeOverflow(accountId);
    return true;
  }
}

/**
 * Storage on disk while the disk has space and answers. Other changes are stored in memory, ordered after the changes
 * on disk, and sent like all changes. They move to the disk before its next change. No change is refused.
 */
export const overflowStorage = (deps: OverflowStorageDeps): SyncStorage => new OverflowStorage(deps);
