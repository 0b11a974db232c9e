// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from "vitest";
import { frameEvent } from "#shared/contract/framing.ts";
import { idleRun, RESEARCH_ABORT_MS } from "#shared/research/rules.ts";
import type { ResearchSession } from "#shared/research/schema.ts";
import { setTransport } from "#webapp/app/client.ts";
import { OpenSession } from "#webapp/research/open-session.ts";
import { aSession } from "./a-session.ts";

const session = aSession({ run: { ...idleRun, id: "run-1", status: "running" } });

const reply = (value: unknown, pieces: () => AsyncGenerator<string>) => ({
  text: async () => JSON.stringify(value),
  blob: async () => new Blob(),
  pieces,
});

/** Sets a server whose run ends with this status once it is followed; returns the requests. */
function serve(status: ResearchSession["run"]["status"], pieces: (signal?: AbortSignal) => AsyncGenerator<string>) {
  const asked: string[] = [];
  let loads = 0;
  setTransport(async ({ endpoint, path, signal }) => {
    asked.push(`${endpoint.method} ${path}`);
    if (path.startsWith("/v1/research/session-1/events")) return reply(null, () => pieces(signal));
    loads += 1;
    const run = { ...session.run, status: loads === 1 ? ("running" as const) : status };
    return reply({ conversation: { ...session, run } }, aTitle);
  });
  return asked;
}

async function* aTitle(): AsyncGenerator<string> {
  yield frameEvent({ type: "title_update", seq: 1, title: "High tides" });
}

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** The notifications of a browser while a run ends. */
async function notifiedOf(
  status: ResearchSession["run"]["status"],
  { hasFocus, permission }: { hasFocus: boolean; permission: NotificationPermission },
) {
  const shown: { title: string; body?: string; data?: unknown }[] = [];
  const registration = {
    active: {},
    showNotification: async (title: string, options: object) => void shown.push({ title, ...options }),
  };
  vi.stubGlobal("Notification", { permission });
  vi.stubGlobal("navigator", { serviceWorker: { getRegistration: async () => registration } });
  vi.spyOn(document, "hasFocus").mockReturnValue(hasFocus);
  serve(status, aTitle);
  await new OpenSession().open("session-1");
  await new Promise((resolve) => setTimeout(resolve));
  return shown;
}

test("the end of a run is notified outside the tab only if the tab is not focused and notifications are permitted", async () => {
  const away = { hasFocus: false, permission: "granted" as const };
  expect(await notifiedOf("done", away)).toMatchObject([
    { title: "Your research is finished", body: "Tides", data: { path: "/research/session-1" } },
  ]);
  expect(await notifiedOf("done", { ...away, hasFocus: true })).toEqual([]);
  expect(await notifiedOf("done", { ...away, permission: "denied" })).toEqual([]);
  expect(await notifiedOf("done", { ...away, permission: "default" })).toEqual([]);
  expect(await notifiedOf("stopped", away)).toEqual([]);
});

test("after twelve minutes the screen stops following with the specification's message, and the run goes on", async () => {
  const timeout = new AbortController();
  const timeouts = vi.spyOn(AbortSignal, "timeout").mockReturnValue(timeout.signal);
  const asked = serve("done", async function* wait(signal) {
    yield frameEvent({ type: "title_update", seq: 1, title: "High tides" });
    await new Promise((_, reject) => signal?.addEventListener("abort", () => reject(new Error("aborted"))));
  });
  const live = new OpenSession();
  const opened = live.open("session-1");
  await expect.poll(() => live.snapshot.session?.conversation_title).toBe("High tides");
  expect(timeouts).toHaveBeenCalledWith(RESEARCH_ABORT_MS);
  expect(RESEARCH_ABORT_MS).toBe(12 * 60_000);
  timeout.abort();
  await opened;
  expect(live.snapshot).toMatchObject({ tookTooLong: true, session: { run: { status: "running" } } });
  expect(asked.filter((call) => call.startsWith("POST"))).toEqual([]);
});
