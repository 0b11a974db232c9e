import { beforeAll, expect, onTestFinished, test } from "vitest";
import { jobSpec } from "#api/jobs/jobs-log.ts";
import { startApi } from "#tests/kit/api.ts";
import { startModelServer } from "#tests/kit/servers/model-server.ts";
import { buildSiteKitOnce } from "./aids.ts";
import { aProject, connect, textOf } from "./talk.ts";

beforeAll(buildSiteKitOnce);

test("an answer interrupted by a server stop is given exactly once after the restart", async () => {
  // The model gives a different answer each time.
  const begun = "This is how the first answer begins. ".repeat(60);
  const words = "This sentence is a part of a long answer. ".repeat(60).trim();
  const answers = [begun];
  const server = await startModelServer({ say: () => answers.shift() ?? words, script: ["slow"] });
  onTestFinished(() => server.close());
  const env = { AI_BASE_URL: server.baseUrl, AI_MODEL: "test-model" };
  const first = await startApi({ env });
  const ada = await first.newUser();
  const where = await aProject(first, ada);
  const talk = connect(first, ada.token, where);
  await talk.next("connection-established");
  talk.say("Write");
  await expect.poll(() => textOf(talk).length, { timeout: 10_000 }).toBeGreaterThan(400);
  await first.stop();

  const second = await startApi({ env, dataDir: first.dataDir });
  const again = connect(second, ada.token, where);
  await again.next("connection-established");
  again.socket.send(JSON.stringify({ type: "client_ready" }));
  const { website } = second.clientFor(ada.token);
  const messages = async () => (await website.listWebsiteThreads({ id: where.projectId })).threads[0]?.messages ?? [];
  await expect
    .poll(async () => (await messages()).map(({ parts }) => parts.length), { timeout: 10_000 })
    .toEqual([1, 1]);
  await expect
    .poll(async () => (await messages())[1]?.parts[0], { timeout: 10_000 })
    .toEqual({ type: "text", metadata: { text: `${words}\n` } });
  await expect.poll(() => again.events.at(-1)).toEqual({ type: "message_processing_complete", success: true });
  // The events agree, because a client shows only the events after the last start.
  const start = again.events.findLastIndex(({ type }) => type === "message_processing_started");
  expect(textOf({ ...again, events: again.events.slice(start) })).toBe(`${words}\n`);
  again.socket.close();
});

test("a change stored before the server was killed is not made again after the restart", async () => {
  const first = await startApi();
  const ada = await first.newUser();
  const where = await aProject(first, ada);
  const talk = connect(first, ada.token, where);
  await talk.next("connection-established");
  for (const message of ["Title: One", "Title: Two", "Undo"]) {
    talk.say(message);
    await talk.next("message_processing_complete");
  }
  // The state after a kill: the change is stored, but the end of the job is not.
  const jobs = first.deps.store.collection(jobSpec);
  const [last] = await jobs.find(
    { ownerId: ada.userId, kind: "website_message" },
    { order: [["createdAt", "desc"]], limit: 1 },
  );
  const unfinished = { status: "waiting" as const, endedAt: null, holder: null, checkpoint: { isComplete: false } };
  await jobs.patch({ _id: last?._id ?? "" }, { set: unfinished });
  await first.stop();

  const second = await startApi({ dataDir: first.dataDir });
  const stored = second.deps.store.collection(jobSpec);
  await expect.poll(async () => (await stored.get(last?._id ?? ""))?.status, { timeout: 10_000 }).toBe("done");
  const { website } = second.clientFor(ada.token);
  expect((await website.getProject({ id: where.projectId })).document?.title).toBe("One");
  const messages = (await website.listWebsiteThreads({ id: where.projectId })).threads[0]?.messages ?? [];
  expect(messages).toHaveLength(6);
  expect(JSON.stringify(messages.at(-1)?.parts)).toContain("The change itself is saved");
});
