/** Runs `work` one at a time; calls made while it runs cause a single further run. */
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
