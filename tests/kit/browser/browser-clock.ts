import type { Student } from "#tests/kit/student.ts";

/**
 * Moves the clocks of the server and of the browser. The student leaves the page first: an open page would keep the
 * earlier time, and use a token that has expired by the server's clock.
 */
export async function leaveForLater(
  { page }: Student,
  clock: { advance(ms: number): void },
  ms: number,
): Promise<void> {
  await page.goto("about:blank");
  clock.advance(ms);
  await page.evaluateOnNewDocument((ahead) => {
    const systemNow = Date.now.bind(Date);
    Date.now = () => systemNow() + ahead;
  }, ms);
}

/** Runs in the browser before its scripts: sets the clock ahead by the milliseconds in local storage. */
export const moveClockAhead = () => {
  // The function is serialised into the browser, so it can use nothing from this file.
  // oxlint-disable-next-line unicorn/consistent-function-scoping
  const ahead = () => Number(localStorage.getItem("test_clock_ahead") ?? 0);
  const real = Date;
  const now = () => real.now() + ahead();
  globalThis.Date = new Proxy(real, {
    construct: (made, given) => Reflect.construct(made, given.length === 0 ? [now()] : given) as object,
    get: (made, name) => (name === "now" ? now : Reflect.get(made, name)),
  });
};

/** Runs in the browser: sets by how much `moveClockAhead` moves the clock. */
export const setClockAhead = (ms: number) => localStorage.setItem("test_clock_ahead", String(ms));
