import { once } from "node:events";
import { createConnection } from "node:net";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { ulid } from "ulid";
import { startApi } from "#tests/kit/api.ts";
import { buildSiteKitOnce } from "./aids.ts";
import { aProject, connect, textOf, toolsOf, withModel } from "./talk.ts";

beforeAll(buildSiteKitOnce);

const api = await startApi({ forFile: true });

async function aTalk(on = api) {
  const ada = await on.newUser();
  const where = await aProject(on, ada);
  const talk = connect(on, ada.token, where);
  await talk.next("connection-established");
  expect(talk.socket.protocol).toBe("lamplight.v1");
  talk.socket.send(JSON.stringify({ type: "client_ready" }));
  return { ada, talk, ...where };
}

test("without a model a known command changes the site, and any other message is answered with the known commands", async () => {
  const { ada, talk, projectId } = await aTalk();
  talk.say("Title: Molecular biology");
  expect(await talk.next("message_processing_complete")).toEqual({
    type: "message_processing_complete",
    success: true,
  });
  const { document, checkpoints } = await ada.client.website.getProject({ id: projectId });
  expect(document?.title).toBe("Molecular biology");
  expect(checkpoints[0]).toMatchObject({ reason: "message", detail: "Title: Molecular biology" });
  talk.say("Could you make it a bit friendlier?");
  await talk.next("message_processing_complete");
  expect(textOf(talk)).toContain("I work without a language model here");
  const { threads } = await ada.client.website.listWebsiteThreads({ id: projectId });
  expect(threads[0]?.messages.map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant"]);
  expect(threads[0]?.messages[1]?.parts.map(({ type }) => type)).toEqual(["tool_invocation", "text"]);
  talk.socket.close();
});

test("a blank message is ignored, and the same id twice is one message", async () => {
  const { ada, talk, projectId } = await aTalk();
  talk.say("  \n ");
  const messageId = ulid();
  talk.say("Undo", messageId);
  await talk.next("message_processing_complete");
  talk.say("Undo", messageId);
  talk.say("Undo");
  await talk.next("message_processing_complete");
  const { threads } = await ada.client.website.listWebsiteThreads({ id: projectId });
  expect(threads[0]?.messages.filter(({ role }) => role === "user")).toHaveLength(2);
  talk.socket.close();
});

test("two tabs show the same conversation, and of two messages at once one is accepted", async () => {
  const { ada, talk, projectId, threadId } = await aTalk();
  const other = connect(api, ada.token, { projectId, threadId });
  await other.next("connection-established");
  const both = [talk, other].map((client) => client.next("message_processing_complete"));
  talk.say("Title: Genes at once");
  expect(await Promise.all(both)).toMatchObject([{ success: true }, { success: true }]);
  expect(textOf(other)).toBe(textOf(talk));
  const questions = other.events.flatMap((event) => (event.type === "thread_update" ? [event.thread.messages] : []));
  expect(questions[0]?.at(-1)?.parts).toMatchObject([{ metadata: { text: "Title: Genes at once" } }]);

  const ids = [ulid(), ulid()];
  talk.say("Subtitle: one", ids[0]);
  other.say("Subtitle: two", ids[1]);
  const ends = () =>
    [talk, other].flatMap(({ events }) =>
      events.flatMap((event) => (event.type === "message_processing_complete" ? [event] : [])),
    );
  await expect.poll(() => ends().filter(({ refusedId }) => refusedId === undefined).length).toBe(4);
  const refused = ends().flatMap(({ refusedId = "" }) => (refusedId === "" ? [] : [refusedId]));
  const { threads } = await ada.client.website.listWebsiteThreads({ id: projectId });
  const accepted = threads[0]?.messages.flatMap(({ _id }) => (ids.includes(_id) ? [_id] : [])) ?? [];
  expect([...refused, ...accepted].toSorted()).toEqual(ids.toSorted());
  expect(accepted).toHaveLength(1);
  for (const one of [talk, other]) one.socket.close();
});

test("a socket of another thread gets nothing of a message, and cannot cancel it", async () => {
  const words = "One of many words. ".repeat(60).trim();
  const { ada, talk, api: on, finish, projectId } = await withModel([words], { script: ["slow"] });
  const complete = talk.next("message_processing_complete");
  talk.say("Write");
  await talk.next("assistant_message_chunk");
  const { _id: threadId } = await ada.client.website.createWebsiteThread({ id: projectId });
  const other = connect(on, ada.token, { projectId, threadId });
  await other.next("connection-established");
  other.socket.send(JSON.stringify({ type: "client_ready" }));
  other.socket.send(JSON.stringify({ type: "cancel_message" }));
  const messageId = ulid();
  other.say("Me too", messageId);
  expect(await other.next("message_processing_complete")).toMatchObject({ success: false, refusedId: messageId });
  expect(await complete).toMatchObject({ success: true });
  expect(textOf(talk).trim()).toBe(words);
  expect(textOf(other)).toBe("");
  other.socket.close();
  await finish();
});

test("each undo takes one more change back", async () => {
  const { ada, talk, projectId } = await aTalk();
  const titles: (string | undefined)[] = [];
  for (const message of ["Title: One", "Title: Two", "Undo", "Undo", "Title: Three", "Undo", "Undo"]) {
    talk.say(message);
    await talk.next("message_processing_complete");
    titles.push((await ada.client.website.getProject({ id: projectId })).document?.title);
  }
  expect(titles).toEqual(["One", "Two", "One", "Genes", "Three", "Genes", "Genes"]);
  expect(textOf(talk)).toContain("There is nothing to undo");
  talk.socket.close();
});

test("the socket closes with 4001 without a valid token, and with 4003 for another account's project", async () => {
  const [ada, eve] = [await api.newUser(), await api.newUser()];
  const where = await aProject(api, ada);
  const other = await aProject(api, ada);
  expect(await connect(api, undefined, where).closed).toBe(4001);
  expect(await connect(api, "x".repeat(43), where).closed).toBe(4001);
  expect(await connect(api, eve.token, where).closed).toBe(4003);
  expect(await connect(api, ada.token, { ...where, threadId: other.threadId }).closed).toBe(4003);
  for (const id of ["undefined", "null", ""])
    expect(await connect(api, ada.token, { ...where, projectId: id }).closed).toBe(4003);
});

test("a handshake from another site's page is refused, and the end of a session closes its socket", async () => {
  const { ada, talk, projectId, threadId } = await aTalk();
  const foreign = connect(api, ada.token, { projectId, threadId, headers: { origin: "http://evil.example" } });
  await expect(foreign.closed).rejects.toThrow("403");
  await ada.client.auth.logout({});
  talk.say("Undo");
  expect(await talk.closed).toBe(4001);
});

const head = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`;

test("a handshake with an invalid address or from a disconnected client is refused, and the server continues", async () => {
  const { port } = new URL(api.origin);
  for (const path of ["//[", "/elsewhere", "/v1/website/ws"]) {
    const raw = createConnection(Number(port), "127.0.0.1");
    raw.on("error", () => undefined);
    raw.write(head(path));
    const [answer] = (await once(raw, "data")) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 4/);
    raw.resetAndDestroy();
  }
  const gone = createConnection(Number(port), "127.0.0.1");
  gone.write(head("/v1/website/ws"), () => gone.resetAndDestroy());
  await once(gone, "close");
  const { talk } = await aTalk();
  talk.socket.close();
});

test("the number of handshakes from one address in a minute is limited", async () => {
  const strict = await startApi({ env: { RATE_LIMIT_FACTOR: "0.01" } });
  const nowhere = { projectId: "none", threadId: "none" };
  for (const _ of [1, 2, 3]) expect(await connect(strict, undefined, nowhere).closed).toBe(4001);
  await expect(connect(strict, undefined, nowhere).closed).rejects.toThrow("429");
});

test("behind proxies a handshake counts for the same client address as a request, whatever the client forges", async () => {
  const env = {
    RATE_LIMIT_FACTOR: "0.01",
    TRUST_PROXY: "2",
    PUBLIC_URL: "https://study.example",
    REGISTRATION: "open",
  };
  const proxied = await startApi({ env });
  const nowhere = { projectId: "none", threadId: "none" };
  let forged = 0;
  const from = (address: string) => ({ "x-forwarded-for": `6.6.6.${(forged += 1)}, ${address}, 10.0.0.1` });
  const handshake = (address: string) => connect(proxied, undefined, { ...nowhere, headers: from(address) }).closed;
  const explore = async (address: string) =>
    (await fetch(`${proxied.origin}/v1/explore`, { headers: from(address) })).status;
  for (const _ of [1, 2]) expect(await handshake("8.8.8.8")).toBe(4001);
  expect(await explore("8.8.8.8")).toBe(200);
  expect(await explore("8.8.8.8")).toBe(429);
  await expect(handshake("8.8.8.8")).rejects.toThrow("429");
  expect(await handshake("9.9.9.9")).toBe(4001);
});

test("a client that sends endlessly is disconnected before its frames fill the memory", async () => {
  const { talk } = await aTalk();
  const stop = vi.spyOn(api.deps.store, "collection");
  for (let sent = 0; sent < 5_000; sent += 1) talk.socket.send(JSON.stringify({ type: "client_ready" }));
  expect(await talk.closed).toBe(1006);
  // Far fewer frames were processed than were sent.
  expect(stop.mock.calls.length).toBeLessThan(5_000);
  vi.restoreAllMocks();
});

test("a message whose answer cannot be started leaves the project free for the next", async () => {
  const { ada, talk, projectId, threadId } = await aTalk();
  vi.spyOn(api.deps.jobs, "enqueue").mockRejectedValueOnce(new Error("no room"));
  talk.say("Title: One");
  expect(await talk.closed).toBe(1011);
  vi.restoreAllMocks();
  const again = connect(api, ada.token, { projectId, threadId });
  await again.next("connection-established");
  again.say("Title: Two");
  expect(await again.next("message_processing_complete")).toMatchObject({ success: true });
  again.socket.close();
});

/** Replaces the checks that new sockets run every 30 seconds by checks on request. */
function holdTicks() {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  return () => vi.advanceTimersByTime(30_000);
}

afterEach(() => vi.useRealTimers());

test("after ten minutes without a frame the socket closes with 4000, not before", async () => {
  const tick = holdTicks();
  const { talk } = await aTalk();
  api.clock.advance(10 * 60_000 - 1);
  tick();
  talk.say("Undo");
  await talk.next("message_processing_complete");
  api.clock.advance(10 * 60_000 - 1);
  tick();
  talk.say("Undo");
  await talk.next("message_processing_complete");
  api.clock.advance(10 * 60_000);
  tick();
  expect(await talk.closed).toBe(4000);
});

test("a session that ends closes a silent socket with 4001, and a sixth socket the oldest with 4000", async () => {
  const tick = holdTicks();
  const { ada, talk, projectId, threadId } = await aTalk();
  const others = Array.from({ length: 5 }, () => connect(api, ada.token, { projectId, threadId }));
  expect(await talk.closed).toBe(4000);
  await ada.client.auth.logout({});
  tick();
  expect(await Promise.all(others.map(({ closed }) => closed))).toEqual([4001, 4001, 4001, 4001, 4001]);
});

test("a model that writes a broken file, an outside path and a wrong edit gets errors, repairs the site and finishes", async () => {
  const app = 'import { Flashcards } from "lamplight-kit";\nexport const App = () => <div>{(}</div>;\n';
  const { ada, talk, ask, finish, projectId } = await withModel([
    `I add a page.\n<write_file path="/src/app.tsx">\n${app}</write_file>\n<write_file path="/../../etc/x.ts">\nx\n</write_file>\n<use_cards/>`,
    '<edit_file path="/src/main.tsx">\n<<<<<<< SEARCH\nrenderSite(sites);\n=======\nrenderSite(site); // App\n>>>>>>> REPLACE\n</edit_file>',
    '<edit_file path="/src/main.tsx">\n<<<<<<< SEARCH\nrenderSite(site);\n=======\nimport { App } from "./app";\nexport { App };\nrenderSite(site);\n>>>>>>> REPLACE\n</edit_file>\n<check/>',
    '<edit_file path="/src/app.tsx">\n<<<<<<< SEARCH\n<div>{(}</div>\n=======\n<div>New</div>\n>>>>>>> REPLACE\n</edit_file>\n<check/>',
    "The page is there.",
  ]);
  expect(await ask("Add a page")).toMatchObject({ success: true });
  const tools = toolsOf(talk);
  expect(tools.map(({ name, error }) => [name, error === null])).toEqual([
    ["write_file", true],
    ["write_file", false],
    ["use_cards", true],
    ["edit_file", false],
    ["edit_file", true],
    ["check", false],
    ["edit_file", true],
    ["check", true],
  ]);
  expect(tools[3]?.error).toContain("The nearest line is");
  expect(tools[5]?.errorLog).toMatch(/\/src\/app\.tsx:2/);
  const state = await ada.client.website.getProject({ id: projectId });
  expect(state.files.map(({ path }) => path)).toEqual([
    "/site.json",
    "/src/app.tsx",
    "/src/data/cards.json",
    "/src/main.tsx",
    "/src/style.css",
  ]);
  const { text } = await ada.client.website.getSiteFile({ id: projectId, path: "/src/data/cards.json" });
  expect(JSON.parse(text)).toContainEqual(expect.objectContaining({ id: "codon", answer: "the answer to codon" }));
  expect(state.checkpoints[0]).toMatchObject({ reason: "message", detail: "Add a page" });
  expect((await ada.client.website.checkSite({ id: projectId })).faults).toEqual([]);
  await finish();
});

test("after three repairs of one fault the last good version is restored, and the student sees a message", async () => {
  const broken =
    '<write_file path="/src/app.tsx">\nconst = ;\n</write_file>\n<edit_file path="/src/main.tsx">\n<<<<<<< SEARCH\nrenderSite(site);\n=======\nimport "./app";\n>>>>>>> REPLACE\n</edit_file>';
  const { ada, talk, ask, finish, projectId } = await withModel([broken, "Done.", "Done now.", "Really.", "Yes."]);
  const before = await ada.client.website.getProject({ id: projectId });
  expect(await ask("Break it")).toMatchObject({ success: true });
  expect(textOf(talk)).toContain("I could not repair it after three attempts");
  const after = await ada.client.website.getProject({ id: projectId });
  expect(after.files).toEqual(before.files);
  expect(after.checkpoints).toHaveLength(before.checkpoints.length);
  await finish();
});

test("the message above the plan's limit is refused with the limit as its reason, and is not stored", async () => {
  const limited = await withModel([], { plan: "FREE" });
  for (let count = 0; count < 5; count += 1) expect(await limited.ask("Go on")).toMatchObject({ success: true });
  expect(await limited.ask("One more")).toMatchObject({
    success: false,
    error: "You've reached your usage limit. Upgrade to continue!",
    code: "limit_reached",
    reason: "usage_limit",
  });
  const { threads } = await limited.ada.client.website.listWebsiteThreads({ id: limited.projectId });
  expect(threads[0]?.messages.filter(({ role }) => role === "user")).toHaveLength(5);
  await limited.finish();
});

test("a model that never ends stops after 24 steps, and a model that fails ends with the reason", async () => {
  const looping = await withModel(Array.from({ length: 40 }, () => "<list_files/>"));
  expect(await looping.ask("Loop")).toMatchObject({ success: true });
  expect(toolsOf(looping.talk)).toHaveLength(24);
  expect(textOf(looping.talk)).toContain("I stopped after 24 steps");
  looping.server.play("bad_key");
  expect(await looping.ask("Again")).toMatchObject({ success: false });
  await looping.finish();
});
