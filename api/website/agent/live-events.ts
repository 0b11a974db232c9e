import type { ServerEvent } from "#shared/website/schema.ts";

/**
 * The events of a message while this process answers it. The sockets of this process get them before they are stored.
 */
export class LiveEvents {
  static readonly #running = new Map<string, LiveEvents>();
  readonly #job: string;
  readonly #events: ServerEvent[] = [];
  readonly #waiting = new Set<() => void>();
  #isClosed = false;

  private constructor(job: string) {
    this.#job = job;
  }

  static open(job: string): LiveEvents {
    const live = new LiveEvents(job);
    LiveEvents.#running.set(job, live);
    return live;
  }

  /** Undefined if this process is not answering the message. */
  static find(job: string): LiveEvents | undefined {
    return LiveEvents.#running.get(job);
  }

  push(event: ServerEvent): void {
    this.#events.push(event);
    this.#wake();
  }

  close(): void {
    this.#isClosed = true;
    if (LiveEvents.#running.get(this.#job) === this) LiveEvents.#running.delete(this.#job);
    this.#wake();
  }

  /** Yields all events, from the first to the last. */
  async *read(signal: AbortSignal): AsyncGenerator<ServerEvent> {
    for (let index = 0; !signal.aborted;) {
      const event = this.#events[index];
      if (event) {
        index += 1;
        yield event;
      } else if (this.#isClosed) return;
      else await this.#next(signal);
    }
  }

  #next(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const finish = () => {
        this.#waiting.delete(finish);
        signal.removeEventListener("abort", finish);
        resolve();
      };
      this.#waiting.add(finish);
      signal.addEventListener("abort", finish);
    });
  }

  #wake(): void {
    for (const resume of this.#waiting) resume();
  }
}
