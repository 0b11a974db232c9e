import { setTimeout as pause } from "node:timers/promises";
import type { Deps } from "#api/http/handler.ts";
import { runRepeatedly } from "#api/jobs/repeated-task.ts";
import { listUnindexed, onContentChange } from "#api/store/account-changes.ts";
import { ownedBy, type Own } from "#api/store/owned-store.ts";
import type { Indexer, IndexWait } from "#api/store/search/indexer-port.ts";
import { AccountIndexer } from "./account-indexer.ts";

/** Changes made in quick succession, as in typing, are indexed together. */
const DELAY_MS = 1_000;
/** Listing the sources of a large account takes long. In the background it takes at most a twentieth of the time. */
const DELAY_PER_LISTING = 20;
const MAX_DELAY_MS = 60_000;
/** How often to look for changes that were not indexed by the process that made them. */
const POLL_MS = 30_000;
const POLL_BATCH = 50;
/** The maximum delay that one account may cause for the others after a start. */
const ACCOUNT_MS = 60_000;
const STOP_MS = 2_000;
const MAX_ACCOUNTS = 500;

interface IndexerDeps extends Pick<Deps, "settings" | "store" | "blobs" | "index" | "models" | "clock" | "log"> {
  pollMs?: number;
}

class BackgroundIndexer implements Indexer {
  readonly #deps: IndexerDeps;
  readonly #accounts = new Map<string, AccountIndexer>();
  readonly #timers = new Map<string, NodeJS.Timeout>();
  /**
   * The unindexed accounts at the last poll, each with its last change. If the last change is the same at the next
   * poll, the process that made it did not index it.
   */
  #unindexedAtLastPoll: ReadonlyMap<string, number> | undefined;
  #isStopped = false;
  #polling: Promise<void> = Promise.resolve();
  #stopPolling = () => {};
  #unsubscribe = () => {};

  constructor(deps: IndexerDeps) {
    this.#deps = deps;
  }

  start(): void {
    const { store, log, pollMs = POLL_MS } = this.#deps;
    this.#unsubscribe = onContentChange(store, (ownerId) => this.#schedule(ownerId));
    this.#stopPolling = runRepeatedly({
      intervalMs: pollMs,
      firstDelayMs: 0,
      log,
      failureMessage: "could not look for accounts to index",
      work: () => {
        this.#polling = this.#poll().catch((error: unknown) => {
          if (!this.#isStopped) throw error;
        });
        return this.#polling;
      },
    });
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#unsubscribe();
    this.#stopPolling();
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
    const timeout = new AbortController();
    const stopped = Promise.allSettled([
      ...[...this.#accounts.values()].map((account) => account.stop()),
      this.#polling,
    ]);
    await Promise.race([stopped, pause(STOP_MS, undefined, { signal: timeout.signal }).catch(() => undefined)]);
    timeout.abort();
  }

  async waitUntilIndexed(own: Own, wait: IndexWait): Promise<ReadonlySet<string> | undefined> {
    if (this.#isStopped) return undefined;
    const endsAtMs = performance.now() + wait.timeoutMs;
    const account = this.#accountOf(own.ownerId);
    const timeout = new AbortController();
    const listed = account.update({ mayFetch: true });
    // After the timeout nobody awaits the listing, so log its failure here.
    listed.catch((error: unknown) => this.#logFailure(error));
    const isListed = await Promise.race([
      listed.then(() => true),
      pause(wait.timeoutMs, false, { signal: timeout.signal }),
    ]).finally(() => timeout.abort());
    if (!isListed) return undefined;
    return account.wait({ ...wait, timeoutMs: Math.max(0, endsAtMs - performance.now()) });
  }

  #accountOf(ownerId: string): AccountIndexer {
    const existing = this.#accounts.get(ownerId);
    if (existing) return existing;
    const account = new AccountIndexer({ ...this.#deps, own: ownedBy(this.#deps.store, ownerId) });
    this.#accounts.set(ownerId, account);
    for (const [otherId, other] of this.#accounts) {
      if (this.#accounts.size <= MAX_ACCOUNTS) break;
      if (other.isIdle && other !== account) this.#accounts.delete(otherId);
    }
    return account;
  }

  #schedule(ownerId: string): void {
    if (this.#isStopped || this.#timers.has(ownerId)) return;
    const account = this.#accountOf(ownerId);
    const delayMs = Math.min(MAX_DELAY_MS, Math.max(DELAY_MS, account.listingMs * DELAY_PER_LISTING));
    const timer = setTimeout(() => {
      this.#timers.delete(ownerId);
      account.update({ mayFetch: false }).catch((error: unknown) => this.#logFailure(error));
    }, delayMs).unref();
    this.#timers.set(ownerId, timer);
  }

  /** Indexes changes made before a crash or a restart, or in another process that ended before it indexed them. */
  async #poll(): Promise<void> {
    const unindexed = await listUnindexed(this.#deps.store, POLL_BATCH);
    const before = this.#unindexedAtLastPoll;
    this.#unindexedAtLastPoll = new Map(unindexed.map(({ ownerId, contentSeq }) => [ownerId, contentSeq]));
    const due = before ? unindexed.filter(({ ownerId, contentSeq }) => before.get(ownerId) === contentSeq) : unindexed;
    for (const { ownerId } of due) {
      if (this.#isStopped) return;
      if (this.#timers.has(ownerId)) continue;
      const account = this.#accountOf(ownerId);
      await account.update({ mayFetch: false });
      await account.wait({ timeoutMs: ACCOUNT_MS });
    }
  }

  #logFailure(error: unknown): void {
    if (!this.#isStopped) this.#deps.log.error({ err: error }, "an account could not be indexed");
  }
}

/** Keeps the index of every account up to date; any number of processes may run one on the same store. */
export const createIndexer = (deps: IndexerDeps): Indexer => new BackgroundIndexer(deps);
