/** Does the work again for as long as it is asked for meanwhile, but never twice at once: much news is one look. */
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
