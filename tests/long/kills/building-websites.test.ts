import { readdirSync, readFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { registerAccount } from "#tests/kit/account.ts";
import { startModelServer, type Turn } from "#tests/kit/servers/model-server.ts";
import { type ServerProcess, startServerProcess } from "#tests/kit/servers/server-process.ts";
import { buildSiteKitOnce, readPreview, aCourse } from "#tests/website/aids.ts";
import { connect, toolsOf } from "#tests/website/talk.ts";

const FILE = `<write_file path="/src/note.ts">\nexport const note = ${JSON.stringify("word ".repeat(400))};\n</write_file>`;

async function aServer(script: Turn[]) {
  await buildSiteKitOnce();
  const answers = [FILE, "I wrote a note."];
  const asked = { count: 0 };
  // Tests reset the count after a crash, so that the model begins again.
  const say = () => {
    asked.count += 1;
    return answers[(asked.count - 1) % answers.length] ?? "";
  };
  const model = await startModelServer({ script, say });
  const env = { AI_BASE_URL: model.baseUrl, AI_MODEL: "test-model" };
  const server = await startServerProcess(env);
  onTestFinished(async () => {
    await server.dispose();
    await model.close();
  });
  const { client, token } = await registerAccount(server.origin);
  const { page, deck } = await aCourse({ client });
  const { _id: id } = await client.website.createProject({ name: "Genes" });
  const { _id: threadId } = await client.website.createWebsiteThread({ id });
  const made = await client.website.makeSite({ id, kind: "practice", title: "Genes", sourceIds: [page, deck] });
  return { server, client, token, model, asked, id, threadId, made };
}

const readProcess = (pid: string, file: string) => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
};
const parentOf = (pid: number) => Number(/^PPid:\s+(\d+)/m.exec(readProcess(String(pid), "status"))?.[1] ?? 0);

/** The processes in which a server builds sites. */
function findBuilders(serverPid: number): number[] {
  const builders = readdirSync("/proc").filter((pid) => readProcess(pid, "cmdline").includes("build-child"));
  return builders.map(Number).filter((pid) => parentOf(pid) === serverPid);
}

function killIfAlive(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // The process ended with its server.
  }
}

/** Opens the conversation again and waits until its message is complete. */
async function awaitEnd(server: ServerProcess, token: string, where: { projectId: string; threadId: string }) {
  const talk = connect(server, token, where);
  const complete = talk.next("message_processing_complete");
  talk.socket.on("open", () => talk.socket.send(JSON.stringify({ type: "client_ready" })));
  const end = await complete;
  return { talk, end };
}

test("after kill -9 while the agent writes a file, the answer is repeated, the file exists once, and nothing is lost", async () => {
  const { server, client, token, model, asked, id, threadId, made } = await aServer(["slow", "slow"]);
  const where = { projectId: id, threadId };
  const talk = connect(server, token, where);
  await talk.next("connection-established");
  talk.socket.on("error", () => undefined);
  talk.say("Write a note");
  await expect.poll(() => model.requests.length, { timeout: 20_000 }).toBe(1);
  await server.kill();
  expect(model.requests).toHaveLength(1);
  asked.count = 0;
  model.forget();
  await server.start();
  const { talk: again, end } = await awaitEnd(server, token, where);
  expect(end).toMatchObject({ success: true });
  expect(toolsOf(again).map(({ name, error }) => [name, error])).toEqual([["write_file", null]]);
  again.socket.close();
  const state = await client.website.getProject({ id });
  expect(state.document).toEqual(made.document);
  expect(state.checkpoints.map(({ reason }) => reason)).toEqual(["message", "made", "created"]);
  expect((await client.website.getSiteFile({ id, path: "/src/note.ts" })).text).toContain("word word");
  const { threads } = await client.website.listWebsiteThreads({ id });
  expect(threads[0]?.messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
  expect((await client.user.getUsage({})).assistantMessages).toBe(1);
});

test("after kill -9 while a site is built, the change is stored, and the next preview shows it", async () => {
  const { server, client, id } = await aServer([]);
  const { devServer } = await client.website.startPreview({ id });
  expect((await readPreview(devServer.dev_url)).status).toBe(200);
  // The build process is stopped first, so that the build cannot end.
  const builders = findBuilders(server.pid ?? 0);
  expect(builders).not.toEqual([]);
  for (const pid of builders) process.kill(pid, "SIGSTOP");
  // The change is stored before the build begins, and answered after it.
  let outcome = "building";
  const edit = async () => {
    try {
      await client.website.editSite({ id, edits: [{ type: "set_title", title: "Renamed", subtitle: "" }] });
      outcome = "answered";
    } catch {
      outcome = "cut off";
    }
  };
  const editing = edit();
  await expect
    .poll(async () => (await client.website.getProject({ id })).document?.title, { timeout: 20_000, interval: 2 })
    .toBe("Renamed");
  expect(outcome).toBe("building");
  await server.kill();
  await editing;
  expect(outcome).toBe("cut off");
  for (const pid of builders) killIfAlive(pid);
  await server.start();
  const state = await client.website.getProject({ id });
  expect(state.document?.title).toBe("Renamed");
  expect(state.devServer.status).toBe("offline");
  expect(state.checkpoints.map(({ reason }) => reason)).toEqual(["edited", "made", "created"]);
  const { devServer: next } = await client.website.startPreview({ id });
  expect(next).toMatchObject({ status: "online", faults: [] });
  expect((await readPreview(next.dev_url, "site.js")).text).toContain("Renamed");
});
