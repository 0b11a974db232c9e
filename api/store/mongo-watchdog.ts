import { setImmediate as takeTurn } from "node:timers/promises";
import { MongoClient, MongoError, MongoNetworkError, MongoServerError, MongoServerSelectionError } from "mongodb";
import type { Collection, Doc } from "./port.ts";
import { toStoreUnavailable } from "./store-failures.ts";

/**
 * After this time without an answer, the server is pinged. While the server answers pings, a slow answer is awaited.
 */
const SLOW_MS = 500;
const PING_TIMEOUT_MS = 700;
/** While the server does not answer, calls are rejected at once, so a ping may take as long as a new connection. */
const RETRY_TIMEOUT_MS = 2 * PING_TIMEOUT_MS;
/** Interval of pings while the server does not answer. */
const RETRY_MS = 250;

/** The server cannot be reached, shuts down, or is not the primary of its replica set any more. */
const isUnreachable = (cause: unknown): boolean =>
  cause instanceof MongoNetworkError ||
  cause instanceof MongoServerSelectionError ||
  (cause instanceof MongoError && ["MongoPoolClearedError", "MongoWaitQueueTimeoutError"].includes(cause.name)) ||
  (cause instanceof MongoServerError && cause.hasErrorLabel("RetryableWriteError"));

/** The signal is aborted when the answer is no longer waited for. */
type Ping = (abandoned: AbortSignal) => Promise<unknown>;

/**
 * Rejects calls to a MongoDB server that has stopped answering, instead of leaving them to wait. The driver's own timeouts
 * apply to slow calls too, and a long call, such as the creation of an index, is not a fault.
 */
export class MongoWatchdog {
  readonly #ping: Ping;
  #pinging: Promise<boolean> | undefined;
  #isDown = false;
  #isClosed = false;
  #retry: NodeJS.Timeout | undefined;

  /** `ping` must not share connections with the calls that are watched. */
  constructor(ping: Ping) {
    this.#ping = ping;
  }

  async run<R>(work: () => Promise<R>): Promise<R> {
    if (this.#isDown) throw toStoreUnavailable(new Error("MongoDB does not answer"));
    const result = work();
    // `result` may be rejected long after its caller has been answered.
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
    this.#isClosed = true;
    clearTimeout(this.#retry);
  }

  #rejectWhenDown(answered: AbortSignal): Promise<never> {
    return new Promise((_resolve, reject) => {
      const check = async () => {
        if (!this.#isDown && (await this.#answersPing())) {
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
      timer = setTimeout(() => resolve(false), this.#isDown ? RETRY_TIMEOUT_MS : PING_TIMEOUT_MS);
    });
    const abandoned = new AbortController();
    const answer = this.#ping(abandoned.signal).then(
      () => true,
      () => false,
    );
    const isInTime = await Promise.race([answer, timeout]);
    clearTimeout(timer);
    const isAnswered = isInTime || (await isAnsweredByNow(answer));
    if (!isAnswered) abandoned.abort();
    return isAnswered;
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
    if (this.#isClosed) return;
    this.#retry = setTimeout(() => void retry(), RETRY_MS);
    this.#retry.unref();
  }
}

/** Turns of the event loop that an answer takes from the socket to its promise. */
const TURNS = 3;

/**
 * After work that blocked the event loop, timers run before the data that arrived meanwhile is read. Without these
 * turns, a server that answered long ago would count as silent.
 */
async function isAnsweredByNow(answer: Promise<boolean>): Promise<boolean> {
  let turns: Promise<unknown> = Promise.resolve();
  for (let turn = 0; turn < TURNS; turn += 1) turns = turns.then(() => takeTurn());
  return Promise.race([answer, turns.then(() => false)]);
}

/**
 * The driver's timers have the same weakness. They are longer than the watchdog's timers, so that the watchdog decides.
 */
const DRIVER_TIMEOUT_MS = 5 * PING_TIMEOUT_MS;
const TIMEOUTS = {
  serverSelectionTimeoutMS: DRIVER_TIMEOUT_MS,
  connectTimeoutMS: DRIVER_TIMEOUT_MS,
  socketTimeoutMS: DRIVER_TIMEOUT_MS,
};

/**
 * A connection for pings only. It is replaced after a ping that failed or was abandoned: a client that never connected
 * stays unconnected, and on a silent connection the next ping would wait behind the last one.
 */
export function createPinger(uri: string) {
  let current: MongoClient | undefined;
  const discard = async (client: MongoClient) => {
    // A ping on a later connection may have begun meanwhile.
    if (current === client) current = undefined;
    await client.close().catch(() => undefined);
  };
  return {
    async ping(abandoned?: AbortSignal): Promise<void> {
      current ??= new MongoClient(uri, { appName: "lamplight-ping", minPoolSize: 0, maxPoolSize: 1, ...TIMEOUTS });
      const client = current;
      abandoned?.addEventListener("abort", () => void discard(client), { once: true });
      try {
        await client.db("admin").command({ ping: 1 });
      } catch (cause) {
        void discard(client);
        throw cause;
      }
    },
    async close(): Promise<void> {
      if (current) await discard(current);
    },
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
