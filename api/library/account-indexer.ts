import { Failure } from "#shared/contract/failure.ts";
import { markIndexed } from "#api/store/account-changes.ts";
import type { IndexWait } from "#api/store/search/indexer-port.ts";
import { embedNewPassages } from "./embeddings.ts";
import { cacheSources, readLibraryState, type LibraryState } from "./source-cache.ts";
import { isUnfetchedVideo, listSources, readSourcePassages, type Source, type SourceIndexDeps } from "./sources.ts";

/** Files and videos read at the same time. They take long to read, so pages and decks do not wait for them. */
const SLOW_SLOTS = 3;

interface Listing extends LibraryState {
  sources: ReadonlyMap<string, Source>;
  /** False if some sources were left out or could not be read. */
  isComplete: boolean;
}

const noop = () => undefined;

/** Updates the index of one account. Updates requested before a listing begins share that listing. */
export class AccountIndexer {
  readonly #deps: SourceIndexDeps;
  #listing: Promise<void> = Promise.resolve();
  /** A listing that has not begun yet: it covers every change made before it begins. */
  #nextListing: Promise<void> | undefined;
  #latest: Listing | undefined;
  #mayFetch = false;
  /** Changed sources, in the order in which they are read. */
  readonly #remaining = new Map<string, Source>();
  readonly #reading = new Map<string, { isSlow: boolean; end: Promise<void> }>();
  readonly #failed = new Set<string>();
  readonly #waiting = new Set<{ isChosen: (source: Source) => boolean; check: () => void }>();
  #finishing: Promise<void> = Promise.resolve();
  #isListing = false;
  #isStopped = false;
  /** Duration of the last listing. */
  listingMs = 0;

  constructor(deps: SourceIndexDeps) {
    this.#deps = deps;
  }

  get isIdle(): boolean {
    const isBusy = this.#isListing || this.#nextListing !== undefined || this.#waiting.size > 0;
    return !isBusy && this.#remaining.size === 0 && this.#reading.size === 0;
  }

  /**
   * Finds the changed sources and begins to index them. With `mayFetch`, these include videos whose transcript must be
   * fetched from their site, which happens only for a reader, never in the background.
   */
  update({ mayFetch }: { mayFetch: boolean }): Promise<void> {
    this.#mayFetch ||= mayFetch;
    if (this.#nextListing) return this.#nextListing;
    const next = this.#listAfter(this.#listing);
    this.#nextListing = next;
    this.#listing = next;
    return next;
  }

  /** Waits for sources that are being indexed; resolves with the ids of those that are not covered yet. */
  async wait({ isChosen = () => true, timeoutMs }: IndexWait): Promise<ReadonlySet<string>> {
    await new Promise<void>((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.#waiting.delete(waiter);
        resolve();
      };
      const timer = setTimeout(done, timeoutMs);
      const check = () => {
        if (this.#isStopped || ![...this.#remaining.values()].some(isChosen)) done();
      };
      const waiter = { isChosen, check };
      this.#waiting.add(waiter);
      // Index the sources that a reader is waiting for first.
      this.#startReading();
      check();
    });
    return new Set([...this.#remaining.keys(), ...this.#failed]);
  }

  /** Starts no further work, and resolves when the current reads have ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#notify();
    await Promise.allSettled([this.#listing, ...[...this.#reading.values()].map(({ end }) => end), this.#finishing]);
  }

  async #listAfter(previous: Promise<void>): Promise<void> {
    await previous.catch(noop);
    this.#nextListing = undefined;
    this.#isListing = true;
    try {
      await this.#list();
    } finally {
      this.#isListing = false;
    }
  }

  async #list(): Promise<void> {
    if (this.#isStopped) return;
    const { own, index } = this.#deps;
    const startedAt = performance.now();
    const mayFetch = this.#mayFetch;
    this.#mayFetch = false;
    // Read the state before the lists, so that a change in between invalidates it.
    const state = await readLibraryState(own);
    const [all, versions] = await Promise.all([listSources(own), index.versions(own.ownerId)]);
    const sources = new Map(all.map((source) => [source.id, source]));
    const removedIds = [...versions.keys()].filter((id) => !sources.has(id));
    if (removedIds.length > 0) await index.remove(own.ownerId, removedIds);
    const changed = all.filter(({ id, version }) => versions.get(id) !== version);
    // Keep the videos of an earlier listing, because a reader may be waiting for them.
    const due = changed.filter((source) => mayFetch || !isUnfetchedVideo(source) || this.#remaining.has(source.id));
    this.#replaceRemaining(due);
    this.#latest = { ...state, sources, isComplete: due.length === changed.length };
    this.listingMs = performance.now() - startedAt;
    this.#continueIndexing();
  }

  #replaceRemaining(changed: readonly Source[]): void {
    const earlier = new Map(this.#remaining);
    this.#failed.clear();
    this.#remaining.clear();
    for (const source of changed) {
      const previous = earlier.get(source.id);
      this.#remaining.set(source.id, previous?.version === source.version ? previous : source);
    }
  }

  #continueIndexing(): void {
    this.#startReading();
    this.#notify();
    if (this.#remaining.size > 0 || !this.#latest) return;
    const latest = this.#latest;
    this.#latest = undefined;
    const { own, log } = this.#deps;
    // Without a cached list, the next search compares all sources, and so tries again those that could not be read.
    if (latest.isComplete) cacheSources(own, latest.fingerprint, latest.sources);
    this.#finishing = markIndexed(own, latest.contentSeq).catch((error: unknown) => {
      if (!this.#isStopped) log.error({ err: error }, "the state of the index could not be saved");
    });
    embedNewPassages(this.#deps);
  }

  #notify(): void {
    for (const { check } of this.#waiting) check();
  }

  #startReading(): void {
    if (this.#isStopped) return;
    const chosen = [...this.#waiting].map(({ isChosen }) => isChosen);
    const isAwaited = (source: Source) => chosen.some((isChosen) => isChosen(source));
    const startNext = (isSlow: boolean, slots: number) => {
      const used = [...this.#reading.values()].filter((reading) => reading.isSlow === isSlow).length;
      if (used >= slots) return;
      const unstarted = [...this.#remaining.values()].filter(
        ({ id, kind }) => (kind === "file" || kind === "video") === isSlow && !this.#reading.has(id),
      );
      const ordered = [...unstarted.filter(isAwaited), ...unstarted.filter((source) => !isAwaited(source))];
      for (const source of ordered.slice(0, slots - used))
        this.#reading.set(source.id, { isSlow, end: this.#read(source) });
    };
    startNext(true, SLOW_SLOTS);
    startNext(false, 1);
  }

  async #read(source: Source): Promise<void> {
    // Wait until the caller has added this source to `#reading`.
    await Promise.resolve();
    try {
      await this.#index(source);
    } catch (error) {
      this.#failed.add(source.id);
      if (this.#latest) this.#latest.isComplete = false;
      if (!this.#isStopped) this.#deps.log.error({ err: error }, "a source could not be indexed");
    }
    this.#reading.delete(source.id);
    // After a stop, or if the source changed meanwhile, the source still has to be indexed.
    if (!this.#isStopped && this.#remaining.get(source.id) === source) this.#remaining.delete(source.id);
    this.#continueIndexing();
  }

  async #index(source: Source): Promise<void> {
    const { own, index } = this.#deps;
    const passages = await readSourcePassages(this.#deps, source).catch((error: unknown) => {
      // Transcripts may appear or disappear at any time, and checking again is cheap.
      if (error instanceof Failure && error.code === "no_transcript") return undefined;
      // Other client errors are permanent: index the source as empty.
      if (error instanceof Failure && error.status < 500) return [];
      throw error;
    });
    // The index may be closed by now.
    if (this.#isStopped) return;
    if (!passages) await index.remove(own.ownerId, [source.id]);
    else await index.put(own.ownerId, { id: source.id, version: source.version }, passages);
  }
}
