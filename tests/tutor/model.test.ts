import { expect, onTestFinished, test } from "vitest";
import { parseCitation } from "#shared/citations.ts";
import type { Failure } from "#shared/contract/failure.ts";
import { startApi, type TestApi } from "#tests/kit/api.ts";
import { aPage, aText } from "#tests/store/changes.ts";
import { startModelServer, type Turn } from "#tests/kit/servers/model-server.ts";
import { ask, aQuestion, joinEvents } from "#tests/kit/tutor.ts";

const RIBOSOME = "The ribosome reads messenger RNA one codon at a time. Each codon names one amino acid.";

async function aServer(script: Turn[], say: (prompt: string) => string) {
  const server = await startModelServer({ script, say });
  onTestFinished(() => server.close());
  const api = await startApi({ env: { AI_BASE_URL: server.baseUrl, AI_MODEL: "test-model" }, realClock: true });
  return { server, api };
}

async function aStudent(api: TestApi, text = RIBOSOME, plan: "FREE" | "ULTIMATE" = "ULTIMATE") {
  const ada = await api.newUser({ plan });
  const pageId = await aPage(ada);
  const componentId = await aText(ada, pageId, text);
  return { ada, pageId, componentId };
}

const REPLY =
  'It reads mRNA. [P1: "reads messenger RNA one codon at a time"] It also sings. [P1: "sings at night loudly"]';

test("a model's citation marker becomes a citation if the passage contains its words, and is removed otherwise", async () => {
  const { server, api } = await aServer([], () => REPLY);
  const { ada, pageId, componentId } = await aStudent(api);
  const { events, message } = await ask(ada.client, aQuestion());
  expect(message.text.replaceAll(/\s+/g, " ").trim()).toBe("It reads mRNA. [^1] It also sings.");
  expect(message.citations).toHaveLength(1);
  expect(message.citations[0]?.quote).toBe("reads messenger RNA one codon at a time");
  expect(parseCitation(message.citations[0]?.citation ?? "")).toMatchObject({ pageId, componentId });
  expect(joinEvents(events)).toBe(message.text);
  const streamed = events.flatMap((event) => (event.type === "text" ? event.text : ""));
  expect(streamed.join("")).not.toContain("sings at night");
  expect(server.requests[0]?.prompt).toContain("END OF PASSAGES");
});

test("a citation quotes the source's exact text, however the model wrote it", async () => {
  const { api } = await aServer([], () => 'It reads mRNA. [P1: "READS messenger  rna one co-don at a time"]');
  const { ada } = await aStudent(api);
  const { message } = await ask(ada.client, aQuestion());
  expect(message.citations.map(({ quote }) => quote)).toEqual(["reads messenger RNA one codon at a time"]);
});

test("a citation marker without a quote is accepted only if the passage supports the sentence", async () => {
  const reply =
    "The ribosome sings loudly at night in summer. [P1] The ribosome reads messenger RNA one codon at a time. [P1]";
  const { api } = await aServer([], () => reply);
  const { ada } = await aStudent(api);
  const { message } = await ask(ada.client, aQuestion());
  expect(message.text).toMatch(/in summer\. +The ribosome reads .*\[\^1\]$/);
  expect(message.citations).toHaveLength(1);
});

test("a citation marker is held back until checked, however the stream splits it", async () => {
  const { api } = await aServer(["slow"], () => REPLY);
  const { ada } = await aStudent(api);
  const { events } = await ask(ada.client, aQuestion());
  for (const event of events) if (event.type === "text") expect(event.text).not.toMatch(/\[P|singing|sings at/);
});

test("removes citation markers in our own format that a model invents", async () => {
  const { api } = await aServer([], () => "Mitochondria sing. [^1] And [this] is kept, as is [a link](x).");
  const { ada } = await aStudent(api);
  const { message } = await ask(ada.client, aQuestion());
  expect(message.text).not.toContain("[^1]");
  expect(message.text).toContain("[this] is kept");
});

test("the prompt contains the student's preferences and word limit", async () => {
  const { server, api } = await aServer([], () => "Yes.");
  const { ada } = await aStudent(api);
  const assistant = { language: "French", custom_instructions: "Like to a sailor" };
  await ada.client.user.savePreferences({ assistant, conversation: { max_words: 60 } });
  await ask(ada.client, aQuestion());
  const prompt = server.requests[0]?.prompt ?? "";
  expect(prompt).toContain('"French"');
  expect(prompt).toContain("Like to a sailor");
  expect(prompt).toContain("At most 60 words");
});

test("the prompt contains the messages of its own branch only", async () => {
  const { server, api } = await aServer([], () => "Said.");
  const { ada } = await aStudent(api);
  const first = aQuestion({ text: "First question" });
  await ask(ada.client, first);
  const { threadId } = first;
  const other = aQuestion({ threadId, text: "Another beginning", parent: null });
  await ask(ada.client, other);
  await ask(ada.client, aQuestion({ threadId, text: "Then this", parent: first.answerId }));
  const prompt = server.requests.at(-1)?.prompt ?? "";
  expect(prompt).toContain("First question");
  expect(prompt).not.toContain("Another beginning");
  const { messages, thread } = await ada.client.tutor.getThread({ threadId });
  expect(messages.filter(({ parent }) => parent === null)).toHaveLength(2);
  expect(messages.find(({ _id }) => _id === thread.head)?.text).toBe("Said.");
});

test("regenerating a question adds a second answer", async () => {
  const { api } = await aServer([], () => "Said.");
  const { ada } = await aStudent(api);
  const question = aQuestion();
  await ask(ada.client, question);
  const { text: _text, ...again } = { ...question, answerId: aQuestion().answerId };
  await ask(ada.client, again as ReturnType<typeof aQuestion>);
  const { messages } = await ada.client.tutor.getThread({ threadId: question.threadId });
  expect(messages.filter(({ parent }) => parent === question.messageId)).toHaveLength(2);
});

test.each<[Turn[], string]>([
  [["error_500", "error_500", "good"], "500 twice"],
  [["rate_limited", "good"], "429 with Retry-After"],
  [["strict", "strict", "good"], "a refusal of limit and temperature"],
])("after %s (%s) the answer still arrives", async (script) => {
  const { api } = await aServer(script, () => "Here it is.");
  const { ada } = await aStudent(api);
  expect((await ask(ada.client, aQuestion())).message).toMatchObject({ status: "done", text: "Here it is." });
});

test.each<[Turn, string]>([
  ["empty", "gave no answer"],
  ["bad_key", "refused"],
  ["rate_limited_long", "busy"],
])("a model that is %s produces an error message, and the question isn't counted", async (turn, words) => {
  const { api } = await aServer([turn, turn, turn, turn, turn, turn], () => "");
  const { ada } = await aStudent(api, RIBOSOME, "FREE");
  const { message } = await ask(ada.client, aQuestion());
  expect(message.status).toBe("failed");
  expect(message.error).toContain(words);
  expect(JSON.stringify(message)).not.toContain("sk-secret");
  expect((await ada.client.user.getUsage({})).assistantMessages).toBe(0);
});

test("an interrupted answer keeps its text, shows an error and counts", async () => {
  const { api } = await aServer(["cut"], () => "The first words stand. ".repeat(20));
  const { ada } = await aStudent(api, RIBOSOME, "FREE");
  const { message } = await ask(ada.client, aQuestion());
  expect(message.status).toBe("failed");
  expect(message.text).toContain("The first words stand.");
  expect((await ada.client.user.getUsage({})).assistantMessages).toBe(1);
});

test("an endless answer is cut off", async () => {
  const { api } = await aServer(["too_long"], () => "");
  const { ada } = await aStudent(api);
  const { message } = await ask(ada.client, aQuestion());
  expect(message.text.length).toBeLessThan(20_000);
});

test("stopping an answer ends the server's work and keeps its text", async () => {
  const { server, api } = await aServer(["slow"], () => "One word after another. ".repeat(400));
  const { ada } = await aStudent(api);
  const question = aQuestion();
  let last = "";
  for await (const event of ada.client.tutor.ask(question)) {
    last = event.type;
    if (event.type === "text" && event.at > 100) {
      const message = await ada.client.tutor.stopAnswer({ answerId: question.answerId });
      expect(message).toMatchObject({ status: "stopped" });
      expect(message.text.length).toBeGreaterThan(100);
    }
  }
  expect(last).toBe("error");
  await expect.poll(() => server.requests[0]?.wasClosedEarly).toBe(true);
});

test("an answer is completed after the tab was closed", async () => {
  const { api } = await aServer(["slow"], () => "One word after another. ".repeat(40));
  const { ada } = await aStudent(api);
  const question = aQuestion();
  const tab = new AbortController();
  await expect(
    (async () => {
      for await (const event of ada.client.tutor.ask(question, { signal: tab.signal }))
        if (event.type === "text") tab.abort();
    })(),
  ).rejects.toThrow();
  const events = [];
  for await (const event of ada.client.tutor.followAnswer({ answerId: question.answerId })) events.push(event);
  expect(events.at(-1)?.type).toBe("done");
  expect(joinEvents(events)).toBe("One word after another. ".repeat(40));
  const after = [];
  for await (const event of ada.client.tutor.followAnswer({ answerId: question.answerId })) after.push(event);
  expect(joinEvents(after)).toBe(joinEvents(events));
});

test("the title comes from the model if it gives one, once, and the student's own title stays", async () => {
  const { server, api } = await aServer([], (prompt) =>
    prompt.includes("You name a conversation") ? '"How ribosomes read"' : "Said.",
  );
  const { ada } = await aStudent(api);
  const question = aQuestion();
  await ask(ada.client, question);
  const { threadId } = question;
  expect(await ada.client.tutor.nameThread({ threadId })).toEqual({ title: "How ribosomes read" });
  const asked = server.requests.length;
  await ada.client.tutor.nameThread({ threadId });
  expect(server.requests.length).toBe(asked);
  await ada.client.tutor.changeThread({ threadId, title: "Mine" });
  expect(await ada.client.tutor.nameThread({ threadId })).toEqual({ title: "Mine" });
});

test("a long earlier message is shortened in the prompt, with its answer", async () => {
  const { server, api } = await aServer([], () => "It is about the second law.");
  const { ada } = await aStudent(api);
  const long = aQuestion({ text: `Look at my essay. ${"Entropy grows. ".repeat(900)}` });
  await ask(ada.client, long);
  await ask(ada.client, aQuestion({ threadId: long.threadId, parent: long.answerId, text: "And what of Carnot?" }));
  const prompt = server.requests.at(-1)?.prompt ?? "";
  expect(prompt).toContain("Look at my essay.");
  expect(prompt).toContain("It is about the second law.");
});

test("deleting a conversation before its answer starts refunds the question", async () => {
  const { server, api } = await aServer(["silent"], () => "");
  const { ada } = await aStudent(api, RIBOSOME, "FREE");
  const question = aQuestion();
  const asking = ask(ada.client, question).catch(() => undefined);
  await expect.poll(() => server.requests.length).toBe(1);
  expect((await ada.client.user.getUsage({})).assistantMessages).toBe(1);
  await ada.client.tutor.deleteThread({ threadId: question.threadId });
  await asking;
  expect((await ada.client.user.getUsage({})).assistantMessages).toBe(0);
  expect(server.requests).toMatchObject([{ wasClosedEarly: true }]);
});

test("at most five answers are written at once, and a slot is free when one ends", async () => {
  const { server, api } = await aServer(Array<Turn>(5).fill("silent"), () => "It reads mRNA.");
  const { ada } = await aStudent(api);
  const questions = Array.from({ length: 12 }, () => aQuestion());
  const codes: string[] = [];
  const asking = questions.map((question) =>
    ask(ada.client, question).then(
      () => codes.push("answered"),
      (failure: Failure) => codes.push(failure.code),
    ),
  );
  await expect.poll(() => codes).toEqual(Array(7).fill("too_many_requests"));
  await expect.poll(() => server.requests.length).toBe(5);
  await expect(ask(ada.client, aQuestion())).rejects.toMatchObject({ code: "too_many_requests" });
  const begun = await ada.client.tutor.listThreads({});
  expect(begun.threads).toHaveLength(5);
  const [first] = begun.threads;
  await ada.client.tutor.stopAnswer({ answerId: first?.head ?? "" });
  expect((await ask(ada.client, aQuestion())).message.status).toBe("done");
  for (const { head } of begun.threads.slice(1)) await ada.client.tutor.stopAnswer({ answerId: head ?? "" });
  await Promise.all(asking);
});

test("a refused question frees its slot", async () => {
  const { api } = await aServer([], () => "It reads mRNA.");
  const { ada } = await aStudent(api, RIBOSOME, "FREE");
  for (let n = 0; n < 5; n += 1) await ask(ada.client, aQuestion());
  for (let n = 0; n < 7; n += 1)
    await expect(ask(ada.client, aQuestion())).rejects.toMatchObject({ code: "limit_reached" });
});
