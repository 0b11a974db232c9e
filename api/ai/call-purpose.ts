import { AsyncLocalStorage } from "node:async_hooks";

interface Purpose {
  feature: string;
  /** The file that is being read; empty without one. */
  fileId: string;
}

const purposes = new AsyncLocalStorage<Purpose>();
const NONE: Purpose = { feature: "other", fileId: "" };

/** Runs work and counts its calls to models for a feature. */
export const runForFeature = <T>(feature: string, work: () => T): T => purposes.run({ feature, fileId: "" }, work);

/** Counts the further model calls of the running work for this file. */
export function countCallsForFile(fileId: string): void {
  const purpose = purposes.getStore();
  if (purpose) purpose.fileId = fileId;
}

export const currentPurpose = (): Readonly<Purpose> => purposes.getStore() ?? NONE;

const isGenerator = (value: unknown): value is AsyncGenerator =>
  typeof value === "object" && value !== null && Symbol.asyncIterator in value && "next" in value;

/**
 * Sets the feature for each step, because a generator runs each step in the async context of its consumer: here, the
 * stream that sends the answer.
 */
async function* stepForFeature(feature: string, steps: AsyncGenerator): AsyncGenerator {
  try {
    for (;;) {
      const step = await runForFeature(feature, () => steps.next());
      if (step.done) return;
      yield step.value;
    }
  } finally {
    await steps.return(undefined);
  }
}

/** Wraps a handler so that its calls to models are counted for its feature, also while its answer is streamed. */
export const bindToFeature =
  <A extends unknown[]>(feature: string, handler: (...args: A) => unknown) =>
  (...args: A): unknown => {
    const answer = runForFeature(feature, () => handler(...args));
    return isGenerator(answer) ? stepForFeature(feature, answer) : answer;
  };
