import { monotonicFactory } from "ulid";
import type { z } from "zod";
import { VERY_RECENT_MS } from "#shared/pages/rules.ts";
import { Advances } from "./advances.ts";
import { Arriving, type Envelope } from "./arriving.ts";
import { Flusher, type Lock, type SendBatches } from "./flusher.ts";
import { Leaving } from "./leaving.ts";
import { joinAll, standsAlone } from "./merge.ts";
import { makerFor } from "./round.ts";
import { syncData, type SyncRequest, type SyncType } from "./schema.ts";
import { repoint, type Outcome, type Settled } from "./settle.ts";
import type { Place, QueueScope, StoredRequest, SyncStorage } from "./store.ts";
import { tellOutcomes, type OutcomeListener, type TabChannel, type TabMessage } from "./tell.ts";

/** Section 9: how long after a change, or after the last round, the next round begins. */
const TICK_MS = 600;
const BUSY_TICK_MS = 300;
const OFFLINE_TICK_MS = 1800;
const BUSY_OVER = 10;
const WAKE_MIN_MS = 5_000;
const WAKE_MAX_MS = 300_000;
const PENDING_PAGE_MS = 2_500;
const PENDING_COMPONENT_MS = 1_500;

/** Shown when a batch leaves the live queue (section 8). */
export const SYNC_NOTICE =
  "We ran into an issue trying to save your data, please refresh the page if this continues to occur.";

export interface SyncStatus {
  state: "saved" | "saving" | "offline" | "parked";
  /** Requests that the server has not acknowledged. */
  unsaved: number;
  parked: readonly StoredRequest[];
}

export interface SyncQueueParts {
  accountId: string;
  storage: SyncStorage;
  /** Must send with the token of `accountId` and no other. */
  send: SendBatches;
  clock: { now(): number };
  /** Calls `work` after `delayMs`; what it returns calls that off. */
  schedule: (work: () => void, delayMs: number) => () => void;
  /** From 0 up to 1. */
  random: () => number;
  lock: Lock;
  online: () => boolean;
  channel?: TabChannel;
  /** A batch left the live queue. */
  onNotice?: (message: string) => void;
}

export type SyncInput<T extends SyncType> = z.input<(typeof syncData)[T]>;

/** What has to be read of the queue to put these into it: a day of answers without a network is not read at each one. */
function scopeOf(waiting: readonly Envelope[]): Omit<QueueScope, "accountId"> {
  if (waiting.every(standsAlone)) return { reads: "nothing" };
  const [first, ...others] = waiting.map(({ resourceId }) => resourceId);
  return first !== undefined && others.every((id) => id === first) ? { resourceId: first } : {};
}

/** What the student made and the server has not acknowledged yet: kept on disk, sent in order, shown meanwhile. */
export class SyncQueue {
  readonly accountId: string;
  readonly #parts: SyncQueueParts;
  readonly #flusher: Flusher;
  readonly #makeId: (now?: number) => string;
  #mirror: StoredRequest[] = [];
  #status: SyncStatus = { state: "saved", unsaved: 0, parked: [] };
  #turn: Promise<unknown> = Promise.resolve();
  #round: Promise<void> | null = null;
  #cancelTick: (() => void) | null = null;
  #tickMs = 0;
  #cancelWake: (() => void) | null = null;
  #wakes = 0;
  #isStopped = false;
  #stopListening: () => void = () => {};
  readonly #madeAt = new Map<string, number>();
  /** Requests that the screens of this tab show: those made here, and those that lay on disk when it began. */
  readonly #shown = new Set<string>();
  readonly #advances = new Advances();
  readonly #arriving = new Arriving();
  readonly leaving = new Leaving();
  readonly #listeners = new Set<() => void>();
  readonly #outcomeListeners = new Set<OutcomeListener>();

  constructor(parts: SyncQueueParts) {
    this.accountId = parts.accountId;
    this.#parts = parts;
    this.#makeId = monotonicFactory(parts.random);
    this.#flusher = new Flusher({ ...parts, onSettled: (settled) => this.#hearSettled(settled) });
  }

  /** Reads what lies on disk from before, lets what was parked by the network try again, and begins to send. */
  async start(): Promise<void> {
    this.#stopListening = this.#parts.channel?.listen((message) => void this.#hearTab(message)) ?? this.#stopListening;
    await this.#refresh();
    for (const item of this.#mirror) this.#shown.add(item.request.id);
    await this.#comeBack();
  }

  /** Persists the change; when this resolves it survives whatever happens to the tab. */
  async enqueue<T extends SyncType>(
    type: T,
    resourceId: string,
    data: SyncInput<T>,
    options: { baseVersion?: number } = {},
  ): Promise<SyncRequest> {
    // A copy: what the caller does with its objects later is not part of this change.
    const parsed = structuredClone(syncData[type].parse(data));
    const now = this.#parts.clock.now();
    if (type === "page_create" || type === "component_create") this.#madeAt.set(resourceId, now);
    const envelope = { id: this.#makeId(now), type, resourceId, data: parsed, createdAt: now };
    return new Promise((kept, failed) => {
      const isFirst = this.#arriving.add({ envelope, baseVersion: options.baseVersion, kept, failed });
      if (isFirst) void this.#inTurn(() => this.#persistWaiting());
    });
  }

  /** What was made together, as a paste of many blocks, goes to disk in one step. */
  async #persistWaiting(): Promise<void> {
    const { accountId, storage, channel } = this.#parts;
    const waiting = this.#arriving.take();
    const scope = scopeOf(waiting.map(({ envelope }) => envelope));
    try {
      const joined = await storage.transact({ accountId, ...scope }, (items, takePlace) => {
        const fresh = waiting.map(({ envelope, baseVersion }) => this.#placed(envelope, takePlace(), baseVersion));
        const result = joinAll(fresh, items, this.#shown);
        return { ...result, result };
      });
      for (const { request } of joined.put) this.#shown.add(request.id);
      this.#arriving.arrived();
      this.#change(joined.put, joined.remove);
      for (const [index, { kept }] of waiting.entries()) kept(joined.requests[index] as SyncRequest);
    } catch (error) {
      this.#arriving.arrived();
      for (const { failed } of waiting) failed(error);
      return;
    }
    channel?.post({ accountId, outcomes: [] });
    this.#planTick();
  }

  #placed(envelope: Envelope, place: Place, baseVersion: number | undefined): SyncRequest {
    const base =
      baseVersion === undefined ? {} : { baseVersion: this.#advances.reach(envelope.resourceId, baseVersion) };
    return { ...envelope, ...place, ...base } as SyncRequest;
  }

  readonly status = (): SyncStatus => this.#status;

  /** Told whenever the status or what is unsaved has changed. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Told what the server said of each request that it acknowledged, whichever tab sent it. */
  readonly onOutcomes = (listener: OutcomeListener): (() => void) => {
    this.#outcomeListeners.add(listener);
    return () => this.#outcomeListeners.delete(listener);
  };

  /** Everything unacknowledged, in order, parked ones and those on their way to the disk included: what screens lay over what the server said. */
  unsaved(): readonly SyncRequest[] {
    return [...this.#mirror.map((i) => i.request), ...this.#arriving.requests()];
  }

  pendingFor(resourceId: string): readonly SyncRequest[] {
    return this.unsaved().filter((request) => request.resourceId === resourceId);
  }

  /** Whether the screens of this tab show the request: what it did is no news to them. */
  readonly shows = (requestId: string): boolean => this.#shown.has(requestId);

  /** A page for 2.5 s, a component for 1.5 s after it was made here. */
  isPending(resourceId: string, kind: "page" | "component"): boolean {
    return this.#isYounger(resourceId, kind === "page" ? PENDING_PAGE_MS : PENDING_COMPONENT_MS);
  }

  /** Made here within 4 s: opening it does not count as opening. */
  isVeryRecent(resourceId: string): boolean {
    return this.#isYounger(resourceId, VERY_RECENT_MS);
  }

  #isYounger(resourceId: string, ageMs: number): boolean {
    const madeAt = this.#madeAt.get(resourceId);
    return madeAt !== undefined && this.#parts.clock.now() - madeAt < ageMs;
  }

  /** Sends what may go now; resolves when a whole round that began after this call has ended. */
  async flush(): Promise<void> {
    while (this.#round) await this.#round;
    await this.#startRound();
  }

  #startRound(): Promise<void> {
    if (this.#isStopped) return Promise.resolve();
    this.#cancelTick?.();
    this.#cancelTick = null;
    this.#round ??= this.#runRound();
    return this.#round;
  }

  async #runRound(): Promise<void> {
    try {
      await this.#turn;
      await this.#flusher.round();
    } catch {
      // Storage or lock failed: everything still lies on disk, and the next tick tries again.
    } finally {
      this.#round = null;
    }
    await this.#refresh();
    this.#planTick();
  }

  /** The connection went or came back; where it is back, what waited for it goes out again. */
  async connectionChanged(): Promise<void> {
    this.#wakes = 0;
    if (this.#parts.online()) await this.#comeBack();
    else await this.#refresh();
  }

  /** Parked requests go live again, all of them or those named. */
  async retry(ids?: readonly string[]): Promise<void> {
    await this.#unpark((item) => ids === undefined || ids.includes(item.request.id), 0);
  }

  /** Gives requests up for good, with what cannot do without them; returns what went. */
  async discard(ids: readonly string[]): Promise<SyncRequest[]> {
    const gone = await this.#parts.storage.transact({ accountId: this.accountId }, (items) => {
      const going = new Set(ids);
      for (const item of items) if (going.has(makerFor(item, items)?.request.id ?? "")) going.add(item.request.id);
      const result = items.filter((i) => going.has(i.request.id));
      const left = items.filter((i) => !going.has(i.request.id));
      return { put: result.flatMap((item) => repoint(left, item)), remove: [...going], result };
    });
    await this.#refresh();
    this.leaving.forget(gone.map(({ request }) => request.id));
    this.#planTick();
    return gone.map((i) => i.request);
  }

  /** Everything unsaved as a JSON file's text. */
  exportUnsaved(): string {
    return JSON.stringify({ accountId: this.accountId, requests: this.#mirror.map((i) => i.request) }, null, 2);
  }

  /** Stops sending; resolves when the call that is under way has ended. What is unsaved stays on disk. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#flusher.stop();
    this.#stopListening();
    this.#cancelTick?.();
    this.#cancelWake?.();
    await this.#turn.catch(() => undefined);
    await this.#round;
  }

  /** The last step of signing out, after the student has chosen: stops, and nothing of the account stays here. */
  async wipe(): Promise<void> {
    await this.stop();
    await this.#parts.storage.wipe(this.accountId);
    await this.#refresh();
  }

  async #comeBack(): Promise<void> {
    await this.#unpark((item) => item.parked?.kind === "network");
  }

  async #unpark(chosen: (item: StoredRequest) => boolean, parkedCount?: number): Promise<void> {
    await this.#parts.storage.transact({ accountId: this.accountId }, (items) => {
      const put = items
        .filter((i) => i.parked !== null && chosen(i))
        .map((i) => ({ ...i, parked: null, failedRounds: 0, parkedCount: parkedCount ?? i.parkedCount }));
      return { put, remove: [], result: undefined };
    });
    await this.#refresh();
    this.#planTick();
  }

  #hearSettled({ put, remove, outcomes, justParked }: Settled): void {
    const before = this.#mirror;
    this.#change(put, remove);
    this.#advances.record(outcomes, this.#shown);
    if (outcomes.length > 0) {
      this.#wakes = 0;
      // What is acknowledged proves the connection, so what waits for it need not wait for its timer.
      if (this.#status.parked.some((i) => i.parked?.kind === "network")) this.#planWake(0);
      this.#tell(outcomes, before, true);
      this.#parts.channel?.post({ accountId: this.accountId, outcomes });
    }
    if (justParked.length > 0) this.#parts.onNotice?.(SYNC_NOTICE);
  }

  #tell(outcomes: readonly Outcome[], before: readonly StoredRequest[], isSentHere = false): void {
    const told = tellOutcomes(outcomes, { before, after: this.#mirror, shown: this.#shown });
    for (const listener of this.#outcomeListeners) listener(told, isSentHere);
  }

  async #hearTab(message: TabMessage): Promise<void> {
    if (message.accountId !== this.accountId || this.#isStopped) return;
    const before = this.#mirror;
    await this.#refresh();
    if (message.outcomes.length > 0) this.#tell(message.outcomes, before);
    this.#planTick();
  }

  #planTick(): void {
    const live = this.#mirror.filter((i) => i.parked === null);
    if (this.#isStopped) return;
    if (this.#mirror.some((i) => i.parked?.kind === "network")) this.#planWake();
    if (live.length === 0 || this.#round) return;
    const delayMs = !this.#parts.online() ? OFFLINE_TICK_MS : live.length > BUSY_OVER ? BUSY_TICK_MS : TICK_MS;
    if (this.#cancelTick && this.#tickMs <= delayMs) return;
    this.#cancelTick?.();
    this.#tickMs = delayMs;
    this.#cancelTick = this.#parts.schedule(() => {
      this.#cancelTick = null;
      void this.#startRound();
    }, delayMs);
  }

  /** Doubling from 5 s to 5 min, spread so that many clients do not come back at once. */
  #planWake(delayMs?: number): void {
    if (delayMs === undefined && this.#cancelWake) return;
    this.#cancelWake?.();
    const backoffMs = Math.min(WAKE_MIN_MS * 2 ** this.#wakes, WAKE_MAX_MS) * (0.75 + this.#parts.random() / 2);
    this.#cancelWake = this.#parts.schedule(() => {
      this.#cancelWake = null;
      this.#wakes += 1;
      void this.#comeBack();
    }, delayMs ?? backoffMs);
  }

  /** One enqueue after the other, so that each knows what the one before it did. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work, work);
    this.#turn = done.catch(() => undefined);
    return done;
  }

  async #refresh(): Promise<void> {
    this.#show(await this.#parts.storage.list(this.accountId));
  }

  #change(put: readonly StoredRequest[], remove: readonly string[]): void {
    const items = new Map(this.#mirror.map((item) => [item.request.id, item]));
    for (const id of remove) items.delete(id);
    for (const item of put) items.set(item.request.id, item);
    this.#show([...items.values()].toSorted((a, b) => a.request.seq - b.request.seq));
  }

  #show(items: StoredRequest[]): void {
    this.leaving.note(this.#mirror, items);
    this.#mirror = items;
    const parked = this.#mirror.filter((i) => i.parked !== null);
    const unsaved = this.#mirror.length;
    const idle = parked.length > 0 ? "parked" : unsaved > 0 ? "saving" : "saved";
    this.#status = { state: this.#parts.online() ? idle : "offline", unsaved, parked };
    for (const listener of this.#listeners) listener();
  }
}

/** The queue of one account in one browser; call `start` before anything else. */
export function createSyncQueue(parts: SyncQueueParts): SyncQueue {
  return new SyncQueue(parts);
}
