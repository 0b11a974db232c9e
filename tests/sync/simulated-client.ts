import { applyToPage, type PageState } from "#shared/sync/overlay.ts";
import { createSyncQueue, type SyncQueue } from "#shared/sync/queue.ts";
import type { TabChannel, TabMessage } from "#shared/sync/outcomes.ts";
import type { Lock, SendBatches } from "#shared/sync/flusher.ts";
import type { ClientOutcome } from "#shared/sync/outcomes.ts";
import type { SyncStorage } from "#shared/sync/store.ts";
import { ACCOUNT } from "./simulated-server.ts";

/** A component as a tab shows it, with the version on which the tab believes it is based. */
export interface Shown {
  type: string;
  content: Record<string, unknown>;
  version: number;
}

export interface TabParts {
  storage: SyncStorage;
  send: SendBatches;
  clock: { now(): number };
  schedule: (work: () => void, delayMs: number) => () => void;
  random: () => number;
  lock: Lock;
  channel: TabChannel;
  pageIds: readonly string[];
}

const never = <T>() => new Promise<T>(() => undefined);

/** One tab with its screen. It can be killed at any moment, and does nothing after that. */
export class SimulatedTab {
  readonly queue: SyncQueue;
  readonly screen = new Map<string, Shown>();
  readonly deleted = new Map<string, Shown>();
  readonly #parts: TabParts;
  isAlive = true;
  #die: () => void = () => undefined;

  constructor(parts: TabParts) {
    this.#parts = parts;
    const { storage } = parts;
    const death = new Promise<void>((resolve) => {
      this.#die = resolve;
    });
    const guarded: SyncStorage = {
      transact: (scope, work) => (this.isAlive ? storage.transact(scope, work) : never()),
      list: (accountId) => (this.isAlive ? storage.list(accountId) : never()),
      wipe: (accountId) => storage.wipe(accountId),
    };
    this.queue = createSyncQueue({
      ...parts,
      accountId: ACCOUNT,
      storage: guarded,
      // A lock is released when its holder dies.
      lock: (name, work) => parts.lock(name, () => Promise.race([work(), death]) as ReturnType<typeof work>),
      send: async (batches) => {
        if (!this.isAlive) return never();
        try {
          return await parts.send(batches);
        } finally {
          if (!this.isAlive) await never();
        }
      },
      schedule: (work, delayMs) => parts.schedule(() => this.isAlive && work(), delayMs),
      online: () => true,
    });
    this.queue.onOutcomes((outcomes) => this.#receiveOutcomes(outcomes));
  }

  kill(): void {
    this.isAlive = false;
    this.#die();
  }

  /** Shows pages as the server sent them, with the unsaved changes applied. */
  show(states: ReadonlyMap<string, PageState>): void {
    const known = new Set<string>();
    for (const component of this.visible(states)) {
      known.add(component._id);
      const { type, version, content } = component;
      this.screen.set(component._id, { type, version, content });
    }
    for (const id of this.screen.keys()) if (!known.has(id)) this.screen.delete(id);
  }

  visible(states: ReadonlyMap<string, PageState>) {
    const all = [...states.values()].flatMap((state) => state.components);
    return this.#parts.pageIds.flatMap((pageId) => {
      const state = { page: states.get(pageId)?.page, components: all };
      return applyToPage(this.queue.unsaved(), { accountId: ACCOUNT, pageId }, state).components;
    });
  }

  #receiveOutcomes(outcomes: readonly ClientOutcome[]): void {
    if (!this.isAlive) return;
    for (const { request, shownVersion, content } of outcomes) {
      const shown = this.screen.get(request.resourceId);
      if (!shown) continue;
      const version = shownVersion ?? shown.version;
      this.screen.set(request.resourceId, { ...shown, version, content: content ?? shown.content });
    }
  }
}

/** Delay of a message from one tab of a browser to another. */
export const CHANNEL_MS = 1;

/** The message channels between the tabs of one browser. */
export function makeChannels(schedule: TabParts["schedule"]) {
  const listeners = new Set<(message: TabMessage) => void>();
  return {
    open(): TabChannel {
      let ownListener: ((message: TabMessage) => void) | undefined;
      return {
        post: (message) => {
          for (const listener of listeners)
            if (listener !== ownListener) schedule(() => listener(structuredClone(message)), CHANNEL_MS);
        },
        listen: (listener) => {
          ownListener = listener;
          listeners.add(listener);
          return () => listeners.delete(listener);
        },
      };
    },
    closeAll: () => listeners.clear(),
  };
}

/** Like Web Locks: grants the lock to one holder after another. */
export function makeLock(): Lock {
  let last: Promise<unknown> = Promise.resolve();
  return (_name, work) => {
    const result = last.then(work, work);
    last = result.catch(() => undefined);
    return result;
  };
}
