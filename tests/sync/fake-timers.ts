/** Time that passes only when a test moves it; work that falls due runs in order. `isBusy` keeps it from passing. */
export function fakeTimers(startAt = 1_000_000, isBusy: () => boolean = () => false) {
  let now = startAt;
  let timers: { at: number; work: () => void }[] = [];
  return {
    clock: { now: () => now },
    schedule: (work: () => void, delayMs: number) => {
      const timer = { at: now + delayMs, work };
      timers.push(timer);
      return () => {
        timers = timers.filter((t) => t !== timer);
      };
    },
    async advance(ms: number): Promise<void> {
      const end = now + ms;
      for (;;) {
        await settle(isBusy);
        const due = timers.filter((t) => t.at <= end).toSorted((a, b) => a.at - b.at)[0];
        if (!due) break;
        timers = timers.filter((t) => t !== due);
        now = Math.max(now, due.at);
        due.work();
      }
      now = end;
      await settle(isBusy);
    },
  };
}

/** Lets everything that waits for promises alone go on until it waits for time. */
async function settle(isBusy: () => boolean): Promise<void> {
  for (let quiet = 0; quiet < 3; quiet = isBusy() ? 0 : quiet + 1)
    await new Promise<void>((resolve) => setImmediate(resolve));
}
