import {
  isInScope,
  type QueuePosition,
  type QueueChange,
  type QueueScope,
  type StoredRequest,
  type SyncStorage,
} from "./store.ts";

interface OverflowStorageDeps {
  disk: SyncStorage;
  /** Called with false when a change does not fit on the disk, and with true when everything has been written to it. */
  onSpaceChange: (hasSpace: boolean) => void;
  newClientId: () => string;
}

type Work<T> = (items: readonly StoredRequest[], nextPosition: () => QueuePosition) => QueueChange<T>;

/** The browser's error when the disk or the site's storage quota is full. */
const isFull = (error: unknown): boolean => (error as { name?: unknown } | null)?.name === "QuotaExceededError";

/** One account's changes that are not on disk; they override what is on disk. */
interface Overflow {
  put: Map<string, StoredRequest>;
  removed: Set<string>;
  position: QueuePosition;
}

class OverflowStorage implements SyncStorage {
  readonly #deps: OverflowStorageDeps;
  readonly #overflows = new Map<string, Overflow>();
  #lastStep: Promise<unknown> = Promise.resolve();

  constructor(deps: OverflowStorageDeps) {
    this.#deps = deps;
  }

  transact<T>(scope: QueueScope, work: Work<T>): Promise<T> {
    return this.#runExclusive(async () => {
      if (!(await this.#moveToDisk(scope.accountId))) return this.#inMemory(scope, work);
      try {
        return await this.#deps.disk.transact(scope, work);
      } catch (error) {
        if (isFull(error)) return this.#inMemory(scope, work);
        throw error;
      }
    });
  }

  list(accountId: string): Promise<StoredRequest[]> {
    return this.#runExclusive(async () => {
      const overflow = this.#overflows.get(accountId);
      return overflow ? this.#itemsWithOverflow(accountId, overflow) : this.#deps.disk.list(accountId);
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

  #removeOverflow(accountId: string): void {
    if (this.#overflows.delete(accountId)) this.#deps.onSpaceChange(this.#overflows.size === 0);
  }

  async #overflowOf(accountId: string): Promise<Overflow> {
    const known = this.#overflows.get(accountId);
    if (known) return known;
    const overflow: Overflow = {
      put: new Map(),
      removed: new Set(),
      position: await this.#readNextPosition(accountId),
    };
    this.#overflows.set(accountId, overflow);
    this.#deps.onSpaceChange(false);
    return overflow;
  }

  /** The next position in the order: the disk reports it even if it cannot store the new counter. */
  async #readNextPosition(accountId: string): Promise<QueuePosition> {
    let position: QueuePosition = { clientId: this.#deps.newClientId(), seq: 1 };
    const read = this.#deps.disk.transact({ accountId }, (_items, nextPosition) => {
      position = nextPosition();
      return { put: [], remove: [], result: undefined };
    });
    await read.catch((error: unknown) => {
      if (!isFull(error)) throw error;
    });
    return position;
  }

  async #itemsWithOverflow(accountId: string, { put, removed }: Overflow): Promise<StoredRequest[]> {
    const stored = await this.#deps.disk.list(accountId);
    const others = stored.filter(({ request: { id } }) => !removed.has(id) && !put.has(id));
    return [...others, ...put.values()].toSorted((a, b) => a.request.seq - b.request.seq);
  }

  async #inMemory<T>({ accountId, ...scope }: QueueScope, work: Work<T>): Promise<T> {
    const overflow = await this.#overflowOf(accountId);
    const items = await this.#itemsWithOverflow(accountId, overflow);
    let { position } = overflow;
    const nextPosition = () => (position = { ...position, seq: position.seq + 1 });
    const { put, remove, result } = work(items.filter(isInScope(scope)), nextPosition);
    overflow.position = position;
    for (const id of remove) {
      overflow.put.delete(id);
      overflow.removed.add(id);
    }
    for (const item of put) overflow.put.set(item.request.id, structuredClone(item));
    return result;
  }

  /** Whether everything is on disk now, which is also the case if nothing was in memory. */
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
      if (isFull(error)) return false;
      throw error;
    }
    this.#removeOverflow(accountId);
    return true;
  }
}

/**
 * The disk while it has space. Changes that do not fit are held in memory, ordered after those on disk, and sent like
 * all others; they move to disk before the next change that fits. No change is refused.
 */
export const overflowStorage = (deps: OverflowStorageDeps): SyncStorage => new OverflowStorage(deps);
