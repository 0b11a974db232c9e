/**
 * Waits for both promises and returns their results. A failure is thrown only after both have ended, so that no work
 * continues in the background.
 */
export async function awaitBoth<A, B>(one: Promise<A>, other: Promise<B>): Promise<[A, B]> {
  await Promise.allSettled([one, other]);
  return Promise.all([one, other]);
}
