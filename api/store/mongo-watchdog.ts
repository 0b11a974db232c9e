import { setImmediate as takeTurn } from "node:timers/promises";
import { MongoClient, MongoError, MongoNetworkError, MongoServerError, MongoServerSelectionError } from "mongodb";
import type { Collection, Doc } from "./port.ts";
import { toStoreUnavailable } from "./store-failures.ts";

/** After this time without an answer, the server is pinged; a slow answer of a server that answers pings is waited for. */
const SLOW_MS = 500;
const PING_TIMEOUT_MS = 700;
/** Interval of pings while the server does not answer. */
const RETRY_MS = 250;

/** The server cannot be reached, shuts down, or is not the primary of its replica set any more. */
const isUnreachable = (cause: unknown): boolean =>
  cause instanceof MongoNetworkError ||
  cause instanceof MongoServerSelectionError ||
  (cause instanceof MongoError && ["MongoPoolClearedError", "MongoWaitQueueTimeoutError"].includes(cause.name)) ||
  (cause instanceof MongoServerError && cause.hasErrorLabel("RetryableWriteError"));

/**
 * Rejects calls to a MongoDB server that has stopped answering, instead of leaving them to wait. The driver's own timeouts
 * apply to slow calls too, and a long call, such as the creation of an index, is not a fault.
 */
export class MongoWatchdog {
  readonly #ping: () => Promise<unknown>;
  #pinging: Promise<boolean> | undefined;
  #isDown = false;
  #retry: NodeJS.Timeout | undefined;

  /** `ping` must not share connections with the calls that are watched. */
  constructor(ping: () => Promise<unknown>) {
    this.#ping = ping;
  }

  async run<R>(work: () => Promise<R>): Promise<R> {
    if (this.#isDown) throw toStoreUnavailable(new Error("MongoDB does not answer"));
    const result = work();
    // It may be rejected long after its caller has been answered.
    result.catch(() => undefined);
    const answered = new AbortController();
    try {
      return await Promise.race([result, this.#rejectWhenDown(answered.signal)]);
    } catch (cause) {
      throw isUnreachable(cause) ? toStoreUnavailable(cause) : cause;
    } finally {
      answered.abort();
    }
  }

  close(): void {
    clearTimeout(this.#retry);
  }

  #rejectWhenDown(answered: AbortSignal): Promise<never> {
    return new Promise((_resolve, reject) => {
      const check = async () => {
        if (await this.#answersPing()) {
          if (!answered.aborted) timer = setTimeout(() => void check(), SLOW_MS);
          return;
        }
        this.#waitForReturn();
        reject(toStoreUnavailable(new Error("MongoDB does not answer")));
      };
      let timer = setTimeout(() => void check(), SLOW_MS);
      answered.addEventListener("abort", () => clearTimeout(timer));
    });
  }

  #answersPing(): Promise<boolean> {
    this.#pinging ??= this.#pingOnce().finally(() => (this.#pinging = undefined));
    return this.#pinging;
  }

  async #pingOnce(): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<false>((resolve) => {
      timer = setTimeout(() => resolve(false), PING_TIMEOUT_MS);
    });
    const answer = this.#ping().then(
      () => true,
      () => false,
    );
    const isAnswered = await Promise.race([answer, timeout]);
    clearTimeout(timer);
    return isAnswered || (await isAnsweredByNow(answer));
  }

  #waitForReturn(): void {
    if (this.#isDown) return;
    this.#isDown = true;
    const retry = async () => {
      if (await this.#answersPing()) this.#isDown = false;
      else this.#schedule(retry);
    };
    this.#schedule(retry);
  }

  #schedule(retry: () => Promise<void>): void {
    this.#retry = setTimeout(() => void retry(), RETRY_MS);
    this.#retry.unref();
  }
}

/** Turns of the event loop that an answer takes from the socket to its promise. */
const TURNS = 3;

/**
 * After work that blocked the event loop, timers run before what has arrived meanwhile is read: a server that answered
 * long ago would be taken for a silent one.
 */
async function isAnsweredByNow(answer: Promise<boolean>): Promise<boolean> {
  let turns: Promise<unknown> = Promise.resolve();
  for (let turn = 0; turn < TURNS; turn += 1) turns = turns.then(() => takeTurn());
  return Promise.race([answer, turns.then(() => false)]);
}

/** The driver's timers have the same weakness, so they are longer than those of the watchdog, which decide. */
const DRIVER_TIMEOUT_MS = 5 * PING_TIMEOUT_MS;
const TIMEOUTS = {
  serverSelectionTimeoutMS: DRIVER_TIMEOUT_MS,
  connectTimeoutMS: DRIVER_TIMEOUT_MS,
  socketTimeoutMS: DRIVER_TIMEOUT_MS,
};

/** A connection for pings alone. After a failure it is replaced: a client that never connected stays unconnected. */
export function createPinger(uri: string) {
  let current: MongoClient | undefined;
  const close = async () => {
    const closing = current;
    current = undefined;
    await closing?.close().catch(() => undefined);
  };
  return {
    async ping(): Promise<void> {
      current ??= new MongoClient(uri, { appName: "lamplight-ping", minPoolSize: 0, maxPoolSize: 1, ...TIMEOUTS });
      try {
        await current.db("admin").command({ ping: 1 });
      } catch (cause) {
        void close();
        throw cause;
      }
    },
    close,
  };
}

/** Every call is watched, so that it is rejected when the server stops answering. */
export function watchCollection<T extends Doc>(collection: Collection<T>, watchdog: MongoWatchdog): Collection<T> {
  return {
    get: (id) => watchdog.run(() => collection.get(id)),
    find: (filter, options) => watchdog.run(() => collection.find(filter, options)),
    insert: (doc) => watchdog.run(() => collection.insert(doc)),
    patch: (filter, patch) => watchdog.run(() => collection.patch(filter, patch)),
    patchOrInsert: (initial, patch) => watchdog.run(() => collection.patchOrInsert(initial, patch)),
    upsert: (doc) => watchdog.run(() => collection.upsert(doc)),
    remove: (filter) => watchdog.run(() => collection.remove(filter)),
    count: (filter) => watchdog.run(() => collection.count(filter)),
    groupCount: (field, filter) => watchdog.run(() => collection.groupCount(field, filter)),
  };
}
