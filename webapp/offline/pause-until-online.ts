function pause(ms: number, events: readonly (readonly [EventTarget, string])[]): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      for (const [target, type] of events) target.removeEventListener(type, done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    for (const [target, type] of events) target.addEventListener(type, done);
  });
}

/** Waits, but resolves early when the browser goes online or the signal is aborted. */
export const pauseUntilOnline = (ms: number, signal?: AbortSignal): Promise<void> =>
  pause(ms, [[window, "online"], ...(signal ? [[signal, "abort"] as const] : [])]);

/** Like `pauseUntilOnline`, but also resolves early when the tab is shown or hidden. */
export const pauseUntilOnlineOrShown = (ms: number, signal: AbortSignal): Promise<void> =>
  pause(ms, [
    [window, "online"],
    [signal, "abort"],
    [document, "visibilitychange"],
  ]);
