import { MESSAGE_TIMEOUT_MS } from "#shared/website/chat-timing.ts";

/** Aborts if nothing was written within the time limit of a message. */
export class SilenceTimer {
  readonly #abort = new AbortController();
  readonly signal: AbortSignal;
  #timer: NodeJS.Timeout;
  hasExpired = false;

  constructor(outer: AbortSignal) {
    this.signal = AbortSignal.any([outer, this.#abort.signal]);
    this.#timer = this.#start();
  }

  #start(): NodeJS.Timeout {
    return setTimeout(() => {
      this.hasExpired = true;
      this.#abort.abort();
    }, MESSAGE_TIMEOUT_MS);
  }

  renew(): void {
    clearTimeout(this.#timer);
    this.#timer = this.#start();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
