import {
  isReadBy,
  type Place,
  type QueueChange,
  type QueueScope,
  type StoredRequest,
  type SyncStorage,
} from "./store.ts";

interface Parts {
  disk: SyncStorage;
  /** Called with false when a change does not fit on the disk, and with true when everything has been written to it. */
  onRoom: (hasRoom: boolean) => void;
  newClientId: () => string;
}

type Work<T> = (items: readonly StoredRequest[], takePlace: () => Place) => QueueChange<T>;

/** The browser's error when the disk or the site's storage quota is full. */
const isFull = (error: unknown): boolean => (error as { name?: unknown } | null)?.name === "QuotaExceededError";

/** One account's changes that are not on disk; they override what is on disk. */
interface Held {
  put: Map<string, StoredRequest>;
  removed: Set<string>;
  place: Place;
}

class DiskWithRoom implements SyncStorage {
  readonly #parts: Parts;
  readonly #holding = new Map<string, Held>();
  #turn: Promise<unknown> = Promise.resolve();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  transact<T>(scope: QueueScope, work: Work<T>): Promise<T> {
    return this.#inTurn(async () => {
      if (!(await this.#moveToDisk(scope.accountId))) return this.#inMemory(scope, work);
      try {
        return await this.#parts.disk.transact(scope, work);
      } catch (error) {
        if (isFull(error)) return this.#inMemory(scope, work);
        throw error;
      }
    });
  }

  list(accountId: string): Promise<StoredRequest[]> {
    return this.#inTurn(async () => {
      const held = this.#holding.get(accountId);
      return held ? this.#itemsOver(accountId, held) : this.#parts.disk.list(accountId);
    });
  }

  wipe(accountId: string): Promise<void> {
    return this.#inTurn(async () => {
      this.#forget(accountId);
      await this.#parts.disk.wipe(accountId);
    });
  }

  /** Runs one step after another, so that the in-memory changes are never moved while they change. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work, work);
    this.#turn = done.catch(() => undefined);
    return done;
  }

  #forget(accountId: string): void {
    if (this.#holding.delete(accountId)) this.#parts.onRoom(this.#holding.size === 0);
  }

  async #heldOf(accountId: string): Promise<Held> {
    const known = this.#holding.get(accountId);
    if (known) return known;
    const held: Held = { put: new Map(), removed: new Set(), place: await this.#nextPlace(accountId) };
    this.#holding.set(accountId, held);
    this.#parts.onRoom(false);
    return held;
  }

  /** The next position in the order: the disk reports it even if it cannot store the new counter. */
  async #nextPlace(accountId: string): Promise<Place> {
    let place: Place = { clientId: this.#parts.newClientId(), seq: 1 };
    const read = this.#parts.disk.transact({ accountId }, (_items, takePlace) => {
      place = takePlace();
      return { put: [], remove: [], result: undefined };
    });
    await read.catch((error: unknown) => {
      if (!isFull(error)) throw error;
    });
    return place;
  }

  async #itemsOver(accountId: string, { put, removed }: Held): Promise<StoredRequest[]> {
    const lying = await this.#parts.disk.list(accountId);
    const others = lying.filter(({ request: { id } }) => !removed.has(id) && !put.has(id));
    return [...others, ...put.values()].toSorted((a, b) => a.request.seq - b.request.seq);
  }

  async #inMemory<T>({ accountId, ...scope }: QueueScope, work: Work<T>): Promise<T> {
    const held = await this.#heldOf(accountId);
    const items = await this.#itemsOver(accountId, held);
    let { place } = held;
    const takePlace = () => (place = { ...place, seq: place.seq + 1 });
    const { put, remove, result } = work(items.filter(isReadBy(scope)), takePlace);
    held.place = place;
    for (const id of remove) {
      held.put.delete(id);
      held.removed.add(id);
    }
    for (const item of put) held.put.set(item.request.id, structuredClone(item));
    return result;
  }

  /** Whether everything is on disk now, which is also the case if nothing was in memory. */
  async #moveToDisk(accountId: string): Promise<boolean> {
    const held = this.#holding.get(accountId);
    if (!held) return true;
    try {
      await this.#parts.disk.transact({ accountId }, (_items, takePlace) => {
        // Later changes must follow these, even if another tab increased the counter meanwhile.
        let { seq } = takePlace();
        while (seq < held.place.seq) ({ seq } = takePlace());
        return { put: [...held.put.values()], remove: [...held.removed], result: undefined };
      });
    } catch (error) {
      if (isFull(error)) return false;
      throw error;
    }
    this.#forget(accountId);
    return true;
  }
}

/**
 * The disk while it has space. Changes that do not fit are held in memory, ordered after those on disk, and sent like
 * all others; they move to disk before the next change that fits. No change is refused.
 */
export const diskWithRoom = (parts: Parts): SyncStorage => new DiskWithRoom(parts);
