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

/** Specification section 9: delay between a change, or the last flush, and the next flush. */
const TICK_MS = 600;
const BUSY_TICK_MS = 300;
const OFFLINE_TICK_MS = 1800;
const BUSY_OVER = 10;
const WAKE_MIN_MS = 5_000;
const WAKE_MAX_MS = 300_000;
const PENDING_PAGE_MS = 2_500;
const PENDING_COMPONENT_MS = 1_500;

/** Shown when a batch leaves the live queue (specification section 8). */
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
  /** Calls `work` after `delayMs`; the returned function cancels it. */
  schedule: (work: () => void, delayMs: number) => () => void;
  /** From 0 up to 1. */
  random: () => number;
  lock: Lock;
  online: () => boolean;
  channel?: TabChannel;
  /** Called when a batch leaves the live queue. */
  onNotice?: (message: string) => void;
}

export type SyncInput<T extends SyncType> = z.input<(typeof syncData)[T]>;

/** What must be read of the queue to add these: a long offline queue is not read for every answer to a card. */
function scopeOf(waiting: readonly Envelope[]): Omit<QueueScope, "accountId"> {
  if (waiting.every(standsAlone)) return { reads: "nothing" };
  const [first, ...others] = waiting.map(({ resourceId }) => resourceId);
  return first !== undefined && others.every((id) => id === first) ? { resourceId: first } : {};
}

/** Changes that the server has not acknowledged: stored on disk, sent in order, and shown on screen meanwhile. */
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
  /** Requests that this tab's screens show: those made here, and those on disk when the tab started. */
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

  /** Reads the queue from disk, retries what was parked because of the network, and starts sending. */
  async start(): Promise<void> {
    this.#stopListening = this.#parts.channel?.listen((message) => void this.#hearTab(message)) ?? this.#stopListening;
    await this.#refresh();
    for (const item of this.#mirror) this.#shown.add(item.request.id);
    await this.#comeBack();
  }

  /** Persists the change; once this resolves, the change survives a crash of the tab. */
  async enqueue<T extends SyncType>(
    type: T,
    resourceId: string,
    data: SyncInput<T>,
    options: { baseVersion?: number } = {},
  ): Promise<SyncRequest> {
    // A copy, so that later mutations by the caller do not affect this change.
    const parsed = structuredClone(syncData[type].parse(data));
    const now = this.#parts.clock.now();
    if (type === "page_create" || type === "component_create") this.#madeAt.set(resourceId, now);
    const envelope = { id: this.#makeId(now), type, resourceId, data: parsed, createdAt: now };
    return new Promise((kept, failed) => {
      const isFirst = this.#arriving.add({ envelope, baseVersion: options.baseVersion, kept, failed });
      if (isFirst) void this.#inTurn(() => this.#persistWaiting());
    });
  }

  /** Group commit: changes made together, such as a paste of many blocks, are written in one transaction. */
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

  /** Called whenever the status or the unsaved requests change. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Called with the outcome of every acknowledged request, whichever tab sent it. */
  readonly onOutcomes = (listener: OutcomeListener): (() => void) => {
    this.#outcomeListeners.add(listener);
    return () => this.#outcomeListeners.delete(listener);
  };

  /** Every unacknowledged request, in order, including parked ones and those not on disk yet. */
  unsaved(): readonly SyncRequest[] {
    return [...this.#mirror.map((i) => i.request), ...this.#arriving.requests()];
  }

  pendingFor(resourceId: string): readonly SyncRequest[] {
    return this.unsaved().filter((request) => request.resourceId === resourceId);
  }

  /** Whether this tab's screens already show the request. */
  readonly shows = (requestId: string): boolean => this.#shown.has(requestId);

  /** True for 2.5 s (page) or 1.5 s (component) after it was created here. */
  isPending(resourceId: string, kind: "page" | "component"): boolean {
    return this.#isYounger(resourceId, kind === "page" ? PENDING_PAGE_MS : PENDING_COMPONENT_MS);
  }

  /** Created here within the last 4 s: opening it does not count as opening. */
  isVeryRecent(resourceId: string): boolean {
    return this.#isYounger(resourceId, VERY_RECENT_MS);
  }

  #isYounger(resourceId: string, ageMs: number): boolean {
    const madeAt = this.#madeAt.get(resourceId);
    return madeAt !== undefined && this.#parts.clock.now() - madeAt < ageMs;
  }

  /** Sends everything sendable; resolves when a flush that began after this call has ended. */
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
      // Storage or lock failed: everything is still on disk, and the next tick retries.
    } finally {
      this.#round = null;
    }
    await this.#refresh();
    this.#planTick();
  }

  /** Call when the connection is lost or restored; once it is restored, requests parked by the network are retried. */
  async connectionChanged(): Promise<void> {
    this.#wakes = 0;
    if (this.#parts.online()) await this.#comeBack();
    else await this.#refresh();
  }

  /** Makes parked requests live again: all of them or the given ones. */
  async retry(ids?: readonly string[]): Promise<void> {
    await this.#unpark((item) => ids === undefined || ids.includes(item.request.id), 0);
  }

  /** Discards requests for good, with those that depend on them; returns the discarded ones. */
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

  /** Everything unsaved, as the text of a JSON file. */
  exportUnsaved(): string {
    return JSON.stringify({ accountId: this.accountId, requests: this.#mirror.map((i) => i.request) }, null, 2);
  }

  /** Stops sending; resolves when the call in flight has ended. Unsaved requests stay on disk. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#flusher.stop();
    this.#stopListening();
    this.#cancelTick?.();
    this.#cancelWake?.();
    await this.#turn.catch(() => undefined);
    await this.#round;
  }

  /**
   * The last step of signing out, after the student has chosen: stops and removes the account's requests from this
   * browser.
   */
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
      // An acknowledgement proves the connection, so requests parked by the network need not wait for the timer.
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

  /** Exponential backoff from 5 s to 5 min, with jitter so that many clients do not retry at once. */
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

  /** Runs one enqueue after another, so that each sees the result of the one before. */
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
