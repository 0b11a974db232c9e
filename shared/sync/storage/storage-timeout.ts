/** How long the browser may take over one answer of IndexedDB. */
export const STORAGE_TIMEOUT_MS = 2000;
/**
 * When a frozen tab wakes up, its overdue timer fires at once. With several short timers in a row, an answer that has already
 * arrived is delivered before the last of them.
 */
const TIMER_COUNT = 4;

/** The browser's storage did not answer; it may do so later. */
export class StorageTimeoutError extends Error {
  override readonly name = "StorageTimeoutError";
  constructor(options?: ErrorOptions) {
    super("The browser's storage does not answer", options);
  }
}

export const isStorageTimeout = (error: unknown): boolean => error instanceof StorageTimeoutError;

/** Settles as `work` does, or rejects with a `StorageTimeoutError` if it takes too long. */
export function withStorageTimeout<T>(work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout>;
    const wait = (timersLeft: number) => {
      timer = setTimeout(() => {
        if (timersLeft > 1) wait(timersLeft - 1);
        else reject(new StorageTimeoutError());
      }, STORAGE_TIMEOUT_MS / TIMER_COUNT);
    };
    wait(TIMER_COUNT);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
