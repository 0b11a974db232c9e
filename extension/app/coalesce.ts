/**
 * Returns a function that runs `work`, never twice at once. Calls during a run cause one further run, unless that run
 * fails.
 */
export function coalesce(work: () => Promise<void>): () => void {
  let isRequested = false;
  let isWorking = false;
  const run = async () => {
    isRequested = true;
    if (isWorking) return;
    isWorking = true;
    try {
      while (isRequested) {
        isRequested = false;
        await work();
      }
    } finally {
      isWorking = false;
    }
  };
  return () => void run().catch(reportError);
}
