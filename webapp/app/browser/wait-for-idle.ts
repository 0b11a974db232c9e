/** Resolves when the browser is idle, or after a while if it never is. */
export const waitForIdle = (timeoutMs: number): Promise<void> =>
  new Promise((done) => {
    // Safari has no `requestIdleCallback`.
    if (typeof requestIdleCallback === "undefined") setTimeout(done);
    else requestIdleCallback(() => done(), { timeout: timeoutMs });
  });
