import { beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { readLines } from "#api/website/agent/files/read-lines.ts";
import { MESSAGE_TIMEOUT_MS } from "#shared/website/chat-timing.ts";
import { buildSiteKitOnce } from "./aids.ts";
import { toolsOf, withModel } from "./talk.ts";

beforeAll(buildSiteKitOnce);

/** Makes the timeout for a silent model pass at once; all other timers are unchanged. */
function hurrySilence(): { started: number } {
  const counted = { started: 0 };
  const realTimeout = globalThis.setTimeout;
  const hurried = vi.spyOn(globalThis, "setTimeout").mockImplementation(((
    run: (...args: unknown[]) => void,
    ms?: number,
    ...args: unknown[]
  ) => {
    if (ms === MESSAGE_TIMEOUT_MS) counted.started += 1;
    return realTimeout(run, ms === MESSAGE_TIMEOUT_MS ? 500 : ms, ...args);
  }) as typeof setTimeout);
  onTestFinished(() => hurried.mockRestore());
  return counted;
}

test("a silent model ends the message with an error and refunds the quota, and the next message works", async () => {
  const { ada, talk, ask, finish, server, projectId } = await withModel(["There are four files."], {
    script: ["silent", "good"],
  });
  const used = async () => (await ada.client.user.getUsage({})).assistantMessages;
  const silence = hurrySilence();
  expect(await ask("Which files?")).toMatchObject({
    success: false,
    error: "The agent took too long to respond. Please try again.",
    code: "timed_out",
    reason: "website_answer_slow",
  });
  expect(silence.started).toBeGreaterThan(0);
  expect(server.requests[0]?.wasClosedEarly).toBe(true);
  expect(await used()).toBe(0);
  const { threads } = await ada.client.website.listWebsiteThreads({ id: projectId });
  expect(threads[0]?.messages.map(({ role }) => role)).toEqual(["user"]);
  vi.restoreAllMocks();
  expect(await ask("Which files?")).toMatchObject({ success: true });
  expect(await used()).toBe(1);
  expect(toolsOf(talk)).toEqual([]);
  await finish();
});

test("a line longer than the limit of an answer is cut with a notice, wherever it is", () => {
  const long = "x".repeat(25_000);
  const notice = /\n\[Line (\d) is cut: these are the first 20000 of its 25000 characters\./;
  for (const [text, from, line] of [
    [long, undefined, "1"],
    [`short\n${long}\nend`, "2", "2"],
  ] as const) {
    const read = readLines(text, from);
    expect(notice.exec(read)?.[1]).toBe(line);
    expect(read.startsWith("x".repeat(20_000))).toBe(true);
    expect(read.split("\n")[0]).toHaveLength(20_000);
  }
  const whole = "x".repeat(20_000);
  expect(readLines(whole)).toBe(whole);
});
