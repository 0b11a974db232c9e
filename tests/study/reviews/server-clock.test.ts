// @vitest-environment happy-dom
import { expect, onTestFinished, test, vi } from "vitest";
import { createClient } from "#shared/client/client.ts";
import { fetchTransport } from "#shared/client/fetch-transport.ts";
import { v1 } from "#shared/contract/v1.ts";
import { alertsAtom } from "#webapp/app/alerts.ts";
import { learnServerTime, serverNow } from "#webapp/app/server-clock.ts";
import { store } from "#webapp/app/store.ts";
import { getStudyPort } from "#webapp/study/study-port.ts";

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 8, 1, 12);

/** A client on a device whose clock is off by this much; the server's clock is right. */
function aDevice(offMs: number, more: Readonly<Record<string, string>> = {}) {
  const clock = vi.spyOn(Date, "now").mockReturnValue(NOW + offMs);
  onTestFinished(() => clock.mockRestore());
  const headers = { date: new Date(NOW).toUTCString(), ...more };
  const fetch = async () => Response.json({ currentStreak: 1 }, { headers });
  const transport = fetchTransport({ origin: "", token: () => undefined, fetch, onServerTime: learnServerTime });
  return createClient(v1, transport);
}

const notices = () => store.get(alertsAtom).filter(({ message }) => message.includes("clock")).length;
const call = (client: ReturnType<typeof aDevice>) => client.user.getStreak({}).catch(() => undefined);

test("the date of a cached response does not change what the app knows about the server's clock", async () => {
  await call(aDevice(0));
  const before = notices();
  await call(aDevice(3_600_000, { "cache-control": "private, max-age=86400" }));
  expect(notices()).toBe(before);
  expect(serverNow()).toBe(NOW + 3_600_000);
});

test.each([40 * DAY_MS, -365 * DAY_MS])(
  "a clock that is off by %i ms is reported once, and answers use the server's time",
  async (offMs) => {
    await call(aDevice(0));
    const before = notices();
    const client = aDevice(offMs);
    await call(client);
    await call(client);
    expect(notices()).toBe(Math.max(1, before));
    expect([serverNow(), getStudyPort().now()]).toEqual([NOW, NOW]);
    // After the device's clock is set right, times are not corrected.
    await call(aDevice(60_000));
    expect(getStudyPort().now()).toBe(NOW + 60_000);
    expect(localStorage.getItem("lamplight_clock_notified")).toBeNull();
  },
);
