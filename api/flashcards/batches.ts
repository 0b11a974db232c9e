interface BatchLimits {
  /** Longest time that an item waits in a batch. */
  maxMs: number;
  /** An empty batch is yielded after this long without an item. */
  maxSilenceMs: number;
  isFull: (batch: readonly unknown[]) => boolean;
}

const startTimer = (ms: number) => {
  let timer: NodeJS.Timeout | undefined;
  const elapsed = new Promise<"late">((resolve) => {
    timer = setTimeout(() => resolve("late"), Math.max(0, ms));
  });
  return { passed: elapsed, cancel: () => clearTimeout(timer) };
};

type Step<T> = { value: T } | "end" | { error: unknown };

const nextStep = <T>(source: AsyncGenerator<T>): Promise<Step<T>> =>
  source.next().then(
    (next) => (next.done === true ? "end" : { value: next.value }),
    (error: unknown) => ({ error }),
  );

/**
 * Groups a stream into small batches: the first item at once, later ones when a batch is full or `maxMs` has passed.
 * Items received before an error are yielded before it is thrown.
 */
export async function* batchByTime<T>(source: AsyncGenerator<T>, limits: BatchLimits): AsyncGenerator<T[]> {
  let batch: T[] = [];
  let sentAt = performance.now() - limits.maxMs;
  try {
    for (let next = nextStep(source); ;) {
      const timeoutMs = batch.length === 0 ? limits.maxSilenceMs : limits.maxMs;
      const timer = startTimer(sentAt + timeoutMs - performance.now());
      const step = await Promise.race([next, timer.passed]);
      timer.cancel();
      if (step === "end" || (step !== "late" && "error" in step)) {
        if (batch.length > 0) yield batch;
        if (step === "end") return;
        throw step.error;
      }
      if (step !== "late") {
        batch.push(step.value);
        next = nextStep(source);
        if (!limits.isFull(batch) && performance.now() - sentAt < limits.maxMs) continue;
      }
      yield batch;
      sentAt = performance.now();
      batch = [];
    }
  } finally {
    await source.return(undefined);
  }
}
