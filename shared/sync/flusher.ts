import { CALL_REQUESTS, groupByResource, pickSendable, takeCall, type SyncBatch } from "./round.ts";
import type { SyncAnswer } from "./schema.ts";
import { describeFailure, settleAnswer, settleFailure, type Settled } from "./settle.ts";
import type { StoredRequest, SyncStorage } from "./store.ts";

/** Sends one call. Rejects with a failure that has a status, or with anything else if the server was not reached. */
export type SendBatches = (batches: SyncBatch[]) => Promise<SyncAnswer>;

/** Runs `work` while no other holder of the name runs, in this tab or another. */
export type Lock = <T>(name: string, work: () => Promise<T>) => Promise<T>;

interface FlusherParts {
  accountId: string;
  storage: SyncStorage;
  send: SendBatches;
  lock: Lock;
  online: () => boolean;
  /** Called after every call, once its result is on disk. */
  onSettled: (settled: Settled) => void;
}

/** `stopped`: no connection or no session, so nothing counts as failed. */
type CallEnd = "settled" | "again" | "unreached" | "stopped";

/** Signed out, or signed in as someone else: not the request's fault. */
const isAboutSession = (status: number | undefined) => status === 401 || status === 403;

/** Sends everything sendable, call by call, while it holds the account's lock. */
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

  /** Flushes once: every sendable request goes out at most once, including those that an acknowledgement unblocks. */
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

  /** Counts requests as sent, on disk, before they are sent: nothing may be merged into them from here on. */
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
        // One request makes the whole call fail: smaller calls find it without blocking the others.
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
