import type { Clock } from "#api/clock.ts";

/** A clock that moves only on request. */
export interface FakeClock extends Clock {
  advance(ms: number): void;
}

export function fakeClock(startMs = Date.UTC(2026, 8, 1, 12)): FakeClock {
  let now = startMs;
  return {
    now: () => now,
    advance(ms) {
      now += ms;
    },
  };
}
