export interface BatchLimits {
  /** The longest that something waits for company. */
  maxMs: number;
  isFull: (batch: readonly unknown[]) => boolean;
}

const after = (ms: number) => {
  let timer: NodeJS.Timeout | undefined;
  const passed = new Promise<"late">((resolve) => {
    timer = setTimeout(() => resolve("late"), Math.max(0, ms));
  });
  return { passed, forget: () => clearTimeout(timer) };
};

/** Gathers what comes into small batches: the first thing goes out at once, the rest when enough has come or time has passed. */
export async function* inBatches<T>(source: AsyncGenerator<T>, { maxMs, isFull }: BatchLimits): AsyncGenerator<T[]> {
  let batch: T[] = [];
  let sentAt = Number.NEGATIVE_INFINITY;
  try {
    let next = source.next();
    // A failure while a batch is out is met when the loop comes back for it.
    next.catch(() => undefined);
    for (;;) {
      const timer = after(sentAt + maxMs - performance.now());
      const first = batch.length === 0 ? await next : await Promise.race([next, timer.passed]);
      timer.forget();
      if (first !== "late") {
        if (first.done === true) break;
        batch.push(first.value);
        next = source.next();
        next.catch(() => undefined);
      }
      if (!isFull(batch) && performance.now() - sentAt < maxMs) continue;
      yield batch;
      sentAt = performance.now();
      batch = [];
    }
    if (batch.length > 0) yield batch;
  } finally {
    await source.return(undefined);
  }
}
