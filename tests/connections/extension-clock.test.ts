import { expect, onTestFinished, test, vi } from "vitest";
import { startApi } from "#tests/kit/api.ts";
import { anExtensionWorld } from "#tests/kit/browser/extension-world.ts";

const YEAR_MS = 365 * 86_400_000;

test.each([
  ["a year ahead", YEAR_MS],
  ["a year behind", -YEAR_MS],
])("an extension connects on a device whose clock is %s", async (_, offMs) => {
  anExtensionWorld();
  const api = await startApi({ realClock: true });
  const ada = await api.newUser();
  const [
    { startConnecting: beginConnecting, pollConnecting, findConnecting: recallConnecting },
    { readSetting, writeSetting },
  ] = await Promise.all([import("#extension/auth/connect.ts"), import("#extension/app/settings-store.ts")]);
  await writeSetting("server", api.origin);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
  onTestFinished(() => void vi.useRealTimers());
  const there = Date.now();
  const onDevice = async <T>(work: () => Promise<T>): Promise<T> => {
    vi.setSystemTime(there + offMs);
    return work();
  };
  // The server's time is right, and the device's clock is wrong.
  vi.spyOn(api.deps.clock, "now").mockImplementation(() => there);
  const begun = await onDevice(beginConnecting);
  expect(await onDevice(recallConnecting)).toEqual(begun);
  await ada.client.connections.answerExtension({ code: begun.code, isAllowed: true });
  expect(await onDevice(() => pollConnecting(begun))).toBe("connected");
  expect((await readSetting("account"))?.accountId).toBe(ada.userId);
});
