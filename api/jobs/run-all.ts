/** Runs work for all items in order, for the later ones although it failed for an earlier one. Then throws what failed. */
export async function runForAll<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const errors: unknown[] = [];
  for (const item of items)
    try {
      await work(item);
    } catch (error) {
      errors.push(error);
    }
  if (errors.length > 0) throw new AggregateError(errors, errors.map(String).join("; "));
}

/** Runs all steps in order, the later ones although an earlier one failed. Then throws what failed. */
export const runAllSteps = (steps: readonly (() => Promise<unknown>)[]): Promise<void> =>
  runForAll(steps, (step) => step());
