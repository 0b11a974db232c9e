import { monotonicFactory } from "ulid";
import type { z } from "zod";
import { PENDING_COMPONENT_MS, PENDING_PAGE_MS, VERY_RECENT_MS } from "./just-created.ts";
import { BUSY_OVER, BUSY_TICK_MS, OFFLINE_TICK_MS, TICK_MS } from "./timing.ts";
import { RetryTimer } from "./retry-timer.ts";
import { VersionChain } from "./version-chain.ts";
import { PendingWrites, type Envelope } from "./pending-writes.ts";
import { Flusher, type Lock, type SendBatches } from "./flusher.ts";
import { AckWindow } from "./ack-window.ts";
import { mergeAll, isIndependent } from "./merge.ts";
import { creatorOf } from "./batching.ts";
import { syncData, type SyncRequest, type SyncType } from "./schema.ts";
import { rebaseDependents, type Outcome, type CallEffect } from "./apply-answer.ts";
import type { QueuePosition, QueueScope, StoredRequest, SyncStorage } from "./store.ts";
import { toClientOutcomes, type OutcomeListener, type TabChannel, type TabMessage } from "./outcomes.ts";

export interface SyncStatus {
  state: "saved" | "saving" | "offline" | "parked";
  /** Requests that the server has not acknowledged. */
  unsaved: number;
  parked: readonly StoredRequest[];
}

export interface SyncQueueDeps {
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
  onParked?: () => void;
}

export type SyncInput<T extends SyncType> = z.input<(typeof syncData)[T]>;

/**
 * The part of the queue that must be read to add these requests. Answers to cards need no part of it, so a
 * long offline queue is not read for every answer.
 */
function scopeOf(pending: readonly Envelope[]): Omit<QueueScope, "accountId"> {
  if (pending.every(isIndependent)) return { reads: "nothing" };
  const [first, ...others] = pending.map(({ resourceId }) => resourceId);
  return first !== undefined && others.every((id) => id === first) ? { resourceId: first } : {};
}

/** Changes that the server has not acknowledged: stored on disk, sent in order, and shown on screen meanwhile. */
export class SyncQueue {
  readonly accountId: string;
  readonly #deps: SyncQueueDeps;
  readonly #flusher: Flusher;
  readonly #makeId: (now?: number) => string;
  #mirror: StoredRequest[] = [];
  #status: SyncStatus = { state: "saved", unsaved: 0, parked: [] };
  #lastEnqueue: Promise<unknown> = Promise.resolve();
  #flushing: Promise<void> | null = null;
  #cancelTick: (() => void) | null = null;
  #tickMs = 0;
  readonly #retries: RetryTimer;
  #isStopped = false;
  #stopListening: () => void = () => {};
  readonly #createdAt = new Map<string, number>();
  /** Requests that this tab's screens show: requests made here, and requests on disk when the tab started. */
  readonly #shown = new Set<string>();
  readonly #versionChain = new VersionChain();
  readonly #pendingWrites = new PendingWrites();
  readonly ackWindow = new AckWindow();
  readonly #listeners = new Set<() => void>();
  readonly #outcomeListeners = new Set<OutcomeListener>();

  constructor(deps: SyncQueueDeps) {
    this.accountId = deps.accountId;
    this.#deps = deps;
    this.#makeId = monotonicFactory(deps.random);
    this.#flusher = new Flusher({ ...deps, onCallEffect: (effect) => this.#handleCallEffect(effect) });
    this.#retries = new RetryTimer({ ...deps, retry: () => void this.#retryParked().then(() => this.#startFlush()) });
  }

  /** Reads the queue from disk, retries requests that the network parked, and starts sending. */
  async start(): Promise<void> {
    this.#stopListening =
      this.#deps.channel?.listen((message) => void this.#handleTabMessage(message)) ?? this.#stopListening;
    await this.#refresh();
    for (const item of this.#mirror) this.#shown.add(item.request.id);
    await this.#retryParked();
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
    const now = this.#deps.clock.now();
    if (type === "page_create" || type === "component_create") this.#createdAt.set(resourceId, now);
    const envelope = { id: this.#makeId(now), type, resourceId, data: parsed, createdAt: now };
    return new Promise((resolve, reject) => {
      const isFirst = this.#pendingWrites.add({ envelope, baseVersion: options.baseVersion, resolve, reject });
      if (isFirst) void this.#runExclusive(() => this.#persistPending());
    });
  }

  /** Group commit: changes made together, such as a paste of many blocks, are written in one transaction. */
  async #persistPending(): Promise<void> {
    const { accountId, storage, channel } = this.#deps;
    const pending = this.#pendingWrites.take();
    const scope = scopeOf(pending.map(({ envelope }) => envelope));
    try {
      const merged = await storage.transact({ accountId, ...scope }, (items, nextPosition) => {
        const fresh = pending.map(({ envelope, baseVersion }) =>
          this.#toRequest(envelope, nextPosition(), baseVersion),
        );
        const result = mergeAll(fresh, items, this.#shown);
        return { ...result, result };
      });
      for (const { request } of merged.put) this.#shown.add(request.id);
      this.#pendingWrites.finish();
      this.#change(merged.put, merged.remove);
      for (const [index, { resolve }] of pending.entries()) resolve(merged.requests[index] as SyncRequest);
    } catch (error) {
      this.#pendingWrites.finish();
      for (const { reject } of pending) reject(error);
      return;
    }
    channel?.post({ accountId, outcomes: [] });
    this.#planTick();
    this.wake();
  }

  #toRequest(envelope: Envelope, position: QueuePosition, baseVersion: number | undefined): SyncRequest {
    const base =
      baseVersion === undefined ? {} : { baseVersion: this.#versionChain.resolve(envelope.resourceId, baseVersion) };
    return { ...envelope, ...position, ...base } as SyncRequest;
  }

  readonly status = (): SyncStatus => this.#status;

  /** Called whenever the status or the unsaved requests change. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Called with the outcome of every acknowledged request, also of requests that another tab sent. */
  readonly onOutcomes = (listener: OutcomeListener): (() => void) => {
    this.#outcomeListeners.add(listener);
    return () => this.#outcomeListeners.delete(listener);
  };

  /** Every unacknowledged request, in order, including parked requests and requests not on disk yet. */
  unsaved(): readonly SyncRequest[] {
    return [...this.#mirror.map((i) => i.request), ...this.#pendingWrites.requests()];
  }

  pendingFor(resourceId: string): readonly SyncRequest[] {
    return this.unsaved().filter((request) => request.resourceId === resourceId);
  }

  /** Whether this tab's screens already show the request. */
  readonly isShown = (requestId: string): boolean => this.#shown.has(requestId);

  /** True for 2.5 s (page) or 1.5 s (component) after it was created here. */
  isPending(resourceId: string, kind: "page" | "component"): boolean {
    return this.#isYounger(resourceId, kind === "page" ? PENDING_PAGE_MS : PENDING_COMPONENT_MS);
  }

  /** True for 4 s after it was created here, while opening it does not count as opening. */
  isVeryRecent(resourceId: string): boolean {
    return this.#isYounger(resourceId, VERY_RECENT_MS);
  }

  #isYounger(resourceId: string, ageMs: number): boolean {
    const createdAt = this.#createdAt.get(resourceId);
    return createdAt !== undefined && this.#deps.clock.now() - createdAt < ageMs;
  }

  /** Sends everything sendable; resolves when a flush that began after this call has ended. */
  async flush(): Promise<void> {
    while (this.#flushing) await this.#flushing;
    await this.#startFlush();
  }

  #startFlush(): Promise<void> {
    if (this.#isStopped) return Promise.resolve();
    this.#cancelTick?.();
    this.#cancelTick = null;
    this.#flushing ??= this.#runFlush();
    return this.#flushing;
  }

  async #runFlush(): Promise<void> {
    try {
      await this.#lastEnqueue;
      this.#retries.recordFlush(await this.#flusher.flush());
    } catch {
      // Storage or lock failed. Everything is still on disk, and the next tick retries.
    } finally {
      this.#flushing = null;
    }
    await this.#refresh();
    this.#planTick();
  }

  /** Call when the connection is lost or restored; once it is restored, requests parked by the network are retried. */
  async connectionChanged(): Promise<void> {
    this.#retries.reset();
    if (this.#deps.online()) await this.#retryParked();
    else await this.#refresh();
  }

  /**
   * Call when the server may be back or the student is active. Requests that the network parked are then retried soon,
   * instead of after their backoff.
   */
  readonly wake = (): void => {
    if (!this.#isStopped && this.#hasNetworkParked()) this.#retries.wake();
  };

  #hasNetworkParked(): boolean {
    return this.#status.parked.some((item) => item.parked?.kind === "network");
  }

  /** Makes parked requests live again: all parked requests, or the given ones. */
  async retry(ids?: readonly string[]): Promise<void> {
    await this.#unpark((item) => ids === undefined || ids.includes(item.request.id), 0);
  }

  /** Discards requests permanently, with the requests that depend on them; returns all discarded requests. */
  async discard(ids: readonly string[]): Promise<SyncRequest[]> {
    const discarded = await this.#deps.storage.transact({ accountId: this.accountId }, (items) => {
      const discardedIds = new Set(ids);
      for (const item of items)
        if (discardedIds.has(creatorOf(item, items)?.request.id ?? "")) discardedIds.add(item.request.id);
      const result = items.filter((i) => discardedIds.has(i.request.id));
      const remaining = items.filter((i) => !discardedIds.has(i.request.id));
      return { put: result.flatMap((item) => rebaseDependents(remaining, item)), remove: [...discardedIds], result };
    });
    await this.#refresh();
    this.ackWindow.forget(discarded.map(({ request }) => request.id));
    this.#planTick();
    return discarded.map((i) => i.request);
  }

  /** Everything unsaved, as the text of a JSON file. */
  exportUnsaved(others: Readonly<Record<string, readonly unknown[]>> = {}): string {
    const requests = this.#mirror.map((i) => i.request);
    return JSON.stringify({ accountId: this.accountId, requests, ...others }, null, 2);
  }

  /** Stops sending; resolves when the call in flight has ended. Unsaved requests stay on disk. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#flusher.stop();
    this.#stopListening();
    this.#cancelTick?.();
    this.#retries.stop();
    await this.#lastEnqueue.catch(() => undefined);
    await this.#flushing;
  }

  /**
   * The last step of signing out, after the student has chosen: stops and removes the account's requests from this
   * browser.
   */
  async wipe(): Promise<void> {
    await this.stop();
    await this.#deps.storage.wipe(this.accountId);
    await this.#refresh();
  }

  async #retryParked(): Promise<void> {
    await this.#unpark((item) => item.parked?.kind === "network");
  }

  async #unpark(chosen: (item: StoredRequest) => boolean, parkedCount?: number): Promise<void> {
    await this.#deps.storage.transact({ accountId: this.accountId }, (items) => {
      const put = items
        .filter((i) => i.parked !== null && chosen(i))
        .map((i) => ({ ...i, parked: null, failedRounds: 0, parkedCount: parkedCount ?? i.parkedCount }));
      return { put, remove: [], result: undefined };
    });
    await this.#refresh();
    this.#planTick();
  }

  #handleCallEffect({ put, remove, outcomes, justParked }: CallEffect): void {
    const before = this.#mirror;
    this.#change(put, remove);
    this.#versionChain.record(outcomes, this.#shown);
    if (outcomes.length > 0) {
      this.#retries.reset();
      // An acknowledgement proves the connection, so requests parked by the network need not wait for the timer.
      if (this.#hasNetworkParked()) this.#retries.planIn(0);
      this.#notifyOutcomes(outcomes, before, true);
      this.#deps.channel?.post({ accountId: this.accountId, outcomes });
    }
    // During an outage further changes are parked one after the other, but the student is notified only once.
    const isNotified = before.some(({ parked, parkedCount }) => parkedCount > 0 && parked?.kind !== "refusal");
    if (justParked.some(({ parked }) => !isNotified || parked?.kind === "refusal")) this.#deps.onParked?.();
  }

  #notifyOutcomes(outcomes: readonly Outcome[], before: readonly StoredRequest[], isSentByThisTab = false): void {
    const clientOutcomes = toClientOutcomes(outcomes, { before, after: this.#mirror, shown: this.#shown });
    for (const listener of this.#outcomeListeners) listener(clientOutcomes, isSentByThisTab);
  }

  async #handleTabMessage(message: TabMessage): Promise<void> {
    if (message.accountId !== this.accountId || this.#isStopped) return;
    const before = this.#mirror;
    await this.#refresh();
    if (message.outcomes.length > 0) this.#notifyOutcomes(message.outcomes, before);
    this.#planTick();
  }

  #planTick(): void {
    const live = this.#mirror.filter((i) => i.parked === null);
    if (this.#isStopped) return;
    if (this.#hasNetworkParked()) this.#retries.plan();
    if (live.length === 0 || this.#flushing) return;
    const delayMs = this.#tickDelayMs(live.length);
    if (this.#cancelTick && this.#tickMs <= delayMs) return;
    this.#cancelTick?.();
    this.#tickMs = delayMs;
    this.#cancelTick = this.#deps.schedule(() => {
      this.#cancelTick = null;
      void this.#startFlush();
    }, delayMs);
  }

  /**
   * After the five attempts of the specification, calls to an unreachable server are as rare as without a connection,
   * and are spread over time between clients.
   */
  #tickDelayMs(liveCount: number): number {
    const isOutage = this.#retries.isUnreached && this.#mirror.some((item) => item.parkedCount > 0);
    if (isOutage) return this.#retries.outageDelayMs();
    if (!this.#deps.online()) return OFFLINE_TICK_MS;
    return liveCount > BUSY_OVER ? BUSY_TICK_MS : TICK_MS;
  }

  /** Runs one enqueue after another, so that each sees the result of the previous one. */
  #runExclusive<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#lastEnqueue.then(work, work);
    this.#lastEnqueue = done.catch(() => undefined);
    return done;
  }

  async #refresh(): Promise<void> {
    this.#show(await this.#deps.storage.list(this.accountId));
  }

  #change(put: readonly StoredRequest[], remove: readonly string[]): void {
    const items = new Map(this.#mirror.map((item) => [item.request.id, item]));
    for (const id of remove) items.delete(id);
    for (const item of put) items.set(item.request.id, item);
    this.#show([...items.values()].toSorted((a, b) => a.request.seq - b.request.seq));
  }

  #show(items: StoredRequest[]): void {
    this.ackWindow.record(this.#mirror, items);
    this.#mirror = items;
    const parked = this.#mirror.filter((i) => i.parked !== null);
    const unsaved = this.#mirror.length;
    const idle = parked.length > 0 ? "parked" : unsaved > 0 ? "saving" : "saved";
    this.#status = { state: this.#deps.online() ? idle : "offline", unsaved, parked };
    for (const listener of this.#listeners) listener();
  }
}

/** The queue of one account in one browser; call `start` before anything else. */
export const createSyncQueue = (deps: SyncQueueDeps): SyncQueue => new SyncQueue(deps);
