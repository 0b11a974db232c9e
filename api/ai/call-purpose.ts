import { AsyncLocalStorage } from "node:async_hooks";

interface Purpose {
  feature: string;
  /** The file that is being read; empty without one. */
  fileId: string;
}

const purposes = new AsyncLocalStorage<Purpose>();
const NONE: Purpose = { feature: "other", fileId: "" };

/** Runs work whose calls of a model are counted for a feature. */
export const runForFeature = <T>(feature: string, work: () => T): T => purposes.run({ feature, fileId: "" }, work);

/** The running work reads this file: its further calls are counted for it. */
export function readsFile(fileId: string): void {
  const purpose = purposes.getStore();
  if (purpose) purpose.fileId = fileId;
}

export const currentPurpose = (): Readonly<Purpose> => purposes.getStore() ?? NONE;

const isGenerator = (value: unknown): value is AsyncGenerator =>
  typeof value === "object" && value !== null && Symbol.asyncIterator in value && "next" in value;

/** The context of a generator is that of the caller of each step, which is the stream that sends it. */
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

/** A handler whose calls of a model are counted for its feature, also while its answer is streamed. */
export const boundToFeature =
  <A extends unknown[]>(feature: string, handler: (...args: A) => unknown) =>
  (...args: A): unknown => {
    const answer = runForFeature(feature, () => handler(...args));
    return isGenerator(answer) ? stepForFeature(feature, answer) : answer;
  };
