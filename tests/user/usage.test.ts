// @vitest-environment happy-dom
import { expect, test, vi } from "vitest";
import { NoResponseError } from "#shared/client/client.ts";
import type { Usage } from "#shared/user/schema.ts";
import { setTransport } from "#webapp/app/client.ts";
import { store } from "#webapp/app/store.ts";
import { loadUsage, usageAtom } from "#webapp/user/usage.ts";

test("a failure to load today's usage is logged, and the old figures stay", async () => {
  const logged = vi.spyOn(console, "warn").mockImplementation(() => undefined);
  const old = { fileUploads: 2 } as Usage;
  store.set(usageAtom, old);
  setTransport(() => Promise.reject(new NoResponseError("network")));
  await loadUsage();
  expect(store.get(usageAtom)).toBe(old);
  expect(logged.mock.calls.flat()).toContain("Failed to load user usage data");
  logged.mockRestore();
});
