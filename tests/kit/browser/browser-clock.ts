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
