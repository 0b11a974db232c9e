import { CALL_REQUESTS, groupByResource, pickSendable, takeCall, type SyncBatch } from "./round.ts";
import type { SyncAnswer } from "./schema.ts";
import { describeFailure, settleAnswer, settleFailure, type Settled } from "./settle.ts";
import type { StoredRequest, SyncStorage } from "./store.ts";

/** Sends one call; rejects with a failure that has a status, or with anything else where the server was not reached. */
export type SendBatches = (batches: SyncBatch[]) => Promise<SyncAnswer>;

/** Runs `work` while no other holder of the name runs, in this tab or another. */
export type Lock = <T>(name: string, work: () => Promise<T>) => Promise<T>;

interface FlusherParts {
  accountId: string;
  storage: SyncStorage;
  send: SendBatches;
  lock: Lock;
  online: () => boolean;
  /** Told after every call, once what it did is on disk. */
  onSettled: (settled: Settled) => void;
}

/** `stopped`: no connection or no session, so that nothing counts as failed. */
type CallEnd = "settled" | "again" | "unreached" | "stopped";

/** Nobody is signed in, or somebody else is: no fault of what was sent. */
const isAboutSession = (status: number | undefined) => status === 401 || status === 403;

/** Sends what may go, call by call, while it holds the lock of the account. */
export class Flusher {
  readonly #parts: FlusherParts;
  #maxRequests = CALL_REQUESTS;
  #isStopped = false;

  constructor(parts: FlusherParts) {
    this.#parts = parts;
  }

  stop() {
    this.#isStopped = true;
  }

  /** One round: everything sendable goes out at most once, what is freed by an answer included. */
  async round(): Promise<void> {
    await this.#parts.lock(`lamplight-sync:${this.#parts.accountId}`, async () => {
      const tried = new Set<string>();
      for (;;) {
        if (this.#isStopped || !this.#parts.online()) return;
        const call = await this.#take(tried);
        if (call.length === 0) return;
        const end = await this.#sendCall(call);
        if (end === "unreached" || end === "stopped") return;
        if (end === "settled") for (const item of call) tried.add(item.request.id);
      }
    });
  }

  /** Marks what will go out as sent, on disk, before it goes: nothing may be merged into it from here on. */
  #take(tried: ReadonlySet<string>): Promise<StoredRequest[]> {
    return this.#parts.storage.transact({ accountId: this.#parts.accountId }, (items) => {
      const call = takeCall(pickSendable(items, tried), this.#maxRequests);
      const marked = call.map((item) => ({ ...item, sentCount: item.sentCount + 1 }));
      return { put: marked, remove: [], result: marked };
    });
  }

  async #sendCall(call: readonly StoredRequest[]): Promise<CallEnd> {
    const sent = call.map((item) => item.request.id);
    try {
      const answer = await this.#parts.send(groupByResource(call));
      this.#maxRequests = CALL_REQUESTS;
      await this.#settle((items) => settleAnswer(items, sent, answer));
      return "settled";
    } catch (thrown) {
      const failure = describeFailure(thrown);
      if (this.#isStopped || isAboutSession(failure.status) || (failure.status === undefined && !this.#parts.online()))
        return "stopped";
      if (failure.kind === "refusal" && call.length > 1) {
        // One of them spoils the call: smaller calls find it without holding up the others.
        this.#maxRequests = Math.ceil(call.length / 2);
        return "again";
      }
      await this.#settle((items) => settleFailure(items, sent, failure));
      return failure.kind === "refusal" ? "settled" : "unreached";
    }
  }

  async #settle(rule: (items: readonly StoredRequest[]) => Settled): Promise<void> {
    const settled = await this.#parts.storage.transact({ accountId: this.#parts.accountId }, (items) => {
      const result = rule(items);
      return { put: result.put, remove: result.remove, result };
    });
    this.#parts.onSettled(settled);
  }
}
