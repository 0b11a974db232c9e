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
  /** Told when what is made here finds no room on the disk, and when all of it lies there after all. */
  onRoom: (hasRoom: boolean) => void;
  newClientId: () => string;
}

type Work<T> = (items: readonly StoredRequest[], takePlace: () => Place) => QueueChange<T>;

/** What browsers say where the disk, or the part of it that a site may fill, is used up. */
const isFull = (error: unknown): boolean => (error as { name?: unknown } | null)?.name === "QuotaExceededError";

/** What one account has that the disk has not: it lies over what the disk holds. */
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

  /** One step after the other, so that what is held is never moved while it changes. */
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

  /** The next place in the order: the disk tells it, whether or not it can note that it did. */
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

  /** Whether all that was held lies on the disk now, as it does where nothing was held. */
  async #moveToDisk(accountId: string): Promise<boolean> {
    const held = this.#holding.get(accountId);
    if (!held) return true;
    try {
      await this.#parts.disk.transact({ accountId }, (_items, takePlace) => {
        // Later changes stand behind these, whatever else counted on the disk meanwhile.
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
 * The disk as long as it has room. What finds none is held in memory, in its order after what lies on the disk, and is
 * sent like everything else; it goes to the disk before the next change that finds room there. Nothing is refused.
 */
export const diskWithRoom = (parts: Parts): SyncStorage => new DiskWithRoom(parts);
