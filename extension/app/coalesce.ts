/** Runs `work` one at a time; calls made while it runs cause a single further run. */
export function coalesce(work: () => Promise<void>): () => void {
  let isAsked = false;
  let isWorking = false;
  const run = async () => {
    isAsked = true;
    if (isWorking) return;
    isWorking = true;
    try {
      while (isAsked) {
        isAsked = false;
        await work();
      }
    } finally {
      isWorking = false;
    }
  };
  return () => void run().catch(reportError);
}
