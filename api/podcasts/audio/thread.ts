import { Worker } from "node:worker_threads";
import { Failure } from "#shared/contract/failure.ts";

const MAX_MEMORY_MB = 512;
/**
 * A small young generation, because with the default size a thread fills about 100 MB with objects that are no longer
 * used.
 */
const YOUNG_GENERATION_MB = 4;
const noop = () => undefined;

/**
 * A worker thread that answers one message at a time. An abort ends the thread, because nothing else stops its work.
 */
export class Thread<Request, Answer> {
  readonly #worker: Worker;
  #isEnded = false;

  constructor(script: URL, workerData: unknown = {}) {
    this.#worker = new Worker(script, {
      workerData,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB, maxOldGenerationSizeMb: MAX_MEMORY_MB },
      execArgv: [],
    });
    this.#worker.unref();
    // A permanent listener, so that a thread that crashes while idle does not end the process.
    this.#worker.on("error", noop).on("exit", () => (this.#isEnded = true));
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** The buffers in `transfer` move to the thread and cannot be read here afterwards. */
  call(request: Request, signal: AbortSignal, transfer: readonly ArrayBuffer[] = []): Promise<Answer> {
    return new Promise<Answer>((resolve, reject) => {
      const settle = (act: () => void) => {
        this.#worker.off("message", onMessage).off("exit", onExit);
        signal.removeEventListener("abort", onAbort);
        act();
      };
      const onMessage = (answer: Answer) => settle(() => resolve(answer));
      const onExit = () => settle(() => reject(new Failure("model_unavailable", "podcast_voice_failed")));
      const onAbort = () =>
        settle(() => {
          void this.end();
          reject(signal.reason as Error);
        });
      if (signal.aborted || this.#isEnded) {
        if (signal.aborted) onAbort();
        else onExit();
        return;
      }
      this.#worker.on("message", onMessage).on("exit", onExit);
      signal.addEventListener("abort", onAbort, { once: true });
      this.#worker.postMessage(request, transfer);
    });
  }

  async end(): Promise<void> {
    this.#isEnded = true;
    await this.#worker.terminate();
  }
}
