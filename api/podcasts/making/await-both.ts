/**
 * Waits for both promises and returns their results. After a failure it calls `stop`, which ends the other's work, and
 * throws the failure once both have ended, so that no work continues in the background.
 */
export async function awaitBoth<A, B>(
  one: Promise<A>,
  other: Promise<B>,
  stop: (cause: unknown) => void,
): Promise<[A, B]> {
  const both = Promise.all([one, other]);
  await both.catch((cause: unknown) => {
    stop(cause);
    return Promise.allSettled([one, other]);
  });
  return both;
}
