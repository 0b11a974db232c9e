import { createRequire } from "node:module";
import { parentPort, workerData } from "node:worker_threads";
import type { FitAnswer, FitInput } from "./optimizer.ts";

/** The part of the native FSRS library that is used; the package for this platform has no types. */
interface FsrsBinding {
  FSRSBindingReview: new (rating: number, deltaT: number) => object;
  FSRSBindingItem: new (reviews: object[]) => object;
  FSRSBinding: new (weights?: number[]) => { evaluate(items: object[]): { logLoss: number } };
  computeParameters(items: object[], options: { enableShortTerm: boolean }): Promise<number[]>;
}

const { histories, defaultWeights } = workerData as FitInput;

async function fit(): Promise<FitAnswer> {
  let binding: FsrsBinding;
  try {
    binding = createRequire(import.meta.url)("@open-spaced-repetition/binding-linux-x64-gnu") as FsrsBinding;
  } catch {
    return { state: "unavailable" };
  }
  const items = histories.flatMap((history) => {
    const reviews = history.map(([rating, days]) => new binding.FSRSBindingReview(rating, days));
    // A training item is a review with all earlier reviews of its card. Reviews on the same day do not test long-term
    // memory.
    return history.flatMap(([, days], index) =>
      index > 0 && days > 0 ? [new binding.FSRSBindingItem(reviews.slice(0, index + 1))] : [],
    );
  });
  try {
    return await optimize(binding, items);
  } catch (error) {
    if (error instanceof Error && error.message.includes("NotEnoughData")) return { state: "too_few" };
    throw error;
  }
}

async function optimize(binding: FsrsBinding, items: object[]): Promise<FitAnswer> {
  const weights = await binding.computeParameters(items, { enableShortTerm: true });
  const computeLogLoss = (numbers: number[]) => new binding.FSRSBinding(numbers).evaluate(items).logLoss;
  return {
    state: "fitted",
    weights: [...weights],
    lossBefore: computeLogLoss([...defaultWeights]),
    lossAfter: computeLogLoss([...weights]),
  };
}

// Worker ports have no origin to name.
// oxlint-disable-next-line unicorn/require-post-message-target-origin
parentPort?.postMessage(await fit());
