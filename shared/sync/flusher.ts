import { MAX_REQUESTS_PER_CALL, groupByResource, pickSendable, takeCall, type ResourceGroup } from "./batching.ts";
import type { SyncAnswer } from "./schema.ts";
import { toCallFailure, applyAnswer, applyFailure, type CallEffect } from "./apply-answer.ts";
import type { StoredRequest, SyncStorage } from "./store.ts";

/** Sends one call. Rejects with a failure that has a status, or with anything else if the server was not reached. */
export type SendBatches = (batches: ResourceGroup[]) => Promise<SyncAnswer>;

/** Runs `work` while nothing else holds the lock of this name, in this tab or another. */
export type Lock = <T>(name: string, work: () => Promise<T>) => Promise<T>;

interface FlusherDeps {
  accountId: string;
  storage: SyncStorage;
  send: SendBatches;
  lock: Lock;
  online: () => boolean;
  /** Called after every call, once its result is on disk. */
  onCallEffect: (effect: CallEffect) => void;
}

/** `again`: smaller calls follow. `stopped`: there is no connection or no session, so nothing counts as failed. */
type CallResult = "applied" | "again" | "unreached" | "stopped";

/** Whether the student is signed out or signed in as someone else, so that the request is not the cause. */
const isAboutSession = (status: number | undefined) => status === 401 || status === 403;

/** Sends everything sendable, call by call, while it holds the account's lock. */
export class Flusher {
  readonly #deps: FlusherDeps;
  #maxRequests = MAX_REQUESTS_PER_CALL;
  #isStopped = false;

  constructor(deps: FlusherDeps) {
    this.#deps = deps;
  }

  stop() {
    this.#isStopped = true;
  }

  /**
   * Flushes once. Every sendable request is sent at most once, including those that an acknowledgement unblocks. False
   * if the server could not be reached or could not answer.
   */
  flush(): Promise<boolean> {
    return this.#deps.lock(`lamplight-sync:${this.#deps.accountId}`, async () => {
      const tried = new Set<string>();
      for (;;) {
        if (this.#isStopped || !this.#deps.online()) return true;
        const call = await this.#takeCall(tried);
        if (call.length === 0) return true;
        const callResult = await this.#sendCall(call);
        if (callResult === "unreached" || callResult === "stopped") return callResult === "stopped";
        if (callResult === "applied") for (const item of call) tried.add(item.request.id);
      }
    });
  }

  /** Takes the next requests and counts them as sent on disk before sending, so that nothing is merged into them. */
  #takeCall(tried: ReadonlySet<string>): Promise<StoredRequest[]> {
    return this.#deps.storage.transact({ accountId: this.#deps.accountId }, (items) => {
      const call = takeCall(pickSendable(items, tried), this.#maxRequests);
      const counted = call.map((item) => ({ ...item, sentCount: item.sentCount + 1 }));
      return { put: counted, remove: [], result: counted };
    });
  }

  async #sendCall(call: readonly StoredRequest[]): Promise<CallResult> {
    const sent = call.map((item) => item.request.id);
    try {
      const answer = await this.#deps.send(groupByResource(call));
      this.#maxRequests = MAX_REQUESTS_PER_CALL;
      await this.#apply((items) => applyAnswer(items, sent, answer));
      return "applied";
    } catch (thrown) {
      const failure = toCallFailure(thrown);
      if (this.#isStopped || isAboutSession(failure.status) || (failure.status === undefined && !this.#deps.online()))
        return "stopped";
      if (failure.kind === "refusal" && call.length > 1) {
        // One request makes the whole call fail. Smaller calls isolate it without blocking the others.
        this.#maxRequests = Math.ceil(call.length / 2);
        return "again";
      }
      await this.#apply((items) => applyFailure(items, sent, failure));
      return failure.kind === "refusal" ? "applied" : "unreached";
    }
  }

  async #apply(rule: (items: readonly StoredRequest[]) => CallEffect): Promise<void> {
    const effect = await this.#deps.storage.transact({ accountId: this.#deps.accountId }, (items) => {
      const result = rule(items);
      return { put: result.put, remove: result.remove, result };
    });
    this.#deps.onCallEffect(effect);
  }
}
