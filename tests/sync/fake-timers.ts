/** A clock and timers that only `advance` moves. Due timers run in order, and time stands still while `isBusy()`. */
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
        await runPromises(isBusy);
        const due = timers.filter((t) => t.at <= end).toSorted((a, b) => a.at - b.at)[0];
        if (!due) break;
        timers = timers.filter((t) => t !== due);
        now = Math.max(now, due.at);
        due.work();
      }
      now = end;
      await runPromises(isBusy);
    },
  };
}

/** Lets pending promises run until everything left waits for a timer. */
async function runPromises(isBusy: () => boolean): Promise<void> {
  for (let quiet = 0; quiet < 3; quiet = isBusy() ? 0 : quiet + 1)
    await new Promise<void>((resolve) => setImmediate(resolve));
}
