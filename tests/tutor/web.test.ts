// @vitest-environment happy-dom
// Provides IndexedDB, which the test environment lacks.
// oxlint-disable-next-line import/no-unassigned-import
import "fake-indexeddb/auto";
import { EventEmitter, once } from "node:events";
import { expect, test, vi } from "vitest";
import { z } from "zod";
import { NoResponseError } from "#shared/client/client.ts";
import { Failure } from "#shared/contract/failure.ts";
import { frameEvent } from "#shared/contract/framing.ts";
import { phrase } from "#shared/tutor/phrases.ts";
import type { Message, MessagePart } from "#shared/tutor/schema.ts";
import { alertsAtom } from "#webapp/app/alerts.ts";
import { setTransport } from "#webapp/app/client.ts";
import { aMessage } from "#tests/kit/tutor.ts";
import { createDeferred } from "#tests/kit/timing/deferred.ts";
import { store } from "#webapp/app/store.ts";
import { Conversation } from "#webapp/tutor/conversation.ts";
import type { Question } from "#webapp/tutor/conversation-snapshot.ts";

const ground = { kind: "everything" } as const;
const question: Question = { text: "And what is turgor?", mode: "explain", ground, selection: null };

async function* nothing(): AsyncGenerator<string> {}

const anAnswer = (id: string, status: Message["status"]): Message =>
  aMessage({ _id: id, threadId: "thread-1", parent: null, text: "So it is.", status });

/** A conversation that is still loading; `arrive` delivers its messages. */
function openLoadingConversation() {
  const arrival = new EventEmitter<{ arrive: [Message[]] }>();
  const messages = once(arrival, "arrive").then(([all]) => all as Message[]);
  const askedQuestions: unknown[] = [];
  setTransport(async ({ path, body }) => {
    if (path.endsWith("/ask") && body.kind === "json") askedQuestions.push(JSON.parse(body.text));
    // The answer never arrives.
    if (path.endsWith("/ask")) return new Promise(() => undefined);
    if (path !== "/v1/conversation/threads/thread-1") throw new NoResponseError("network");
    const head = (await messages).at(-1)?._id ?? null;
    const text = JSON.stringify({ thread: { _id: "thread-1", head }, messages: await messages });
    return { text: async () => text, blob: async () => new Blob(), pieces: nothing };
  });
  const conversation = new Conversation();
  void conversation.open("thread-1");
  return { conversation, askedQuestions, arrive: (all: Message[]) => arrival.emit("arrive", all) };
}

test("a question asked while its conversation loads follows the last message", async () => {
  const { conversation, askedQuestions, arrive } = openLoadingConversation();
  void conversation.ask(question);
  arrive([anAnswer("answer-1", "done")]);
  await vi.waitFor(() => expect(askedQuestions).toMatchObject([{ text: question.text, parent: "answer-1" }]));
  expect(conversation.snapshot.state).toBe("ready");
  expect(conversation.snapshot.messages.map(({ text }) => text)).toEqual(["So it is.", question.text, ""]);
  conversation.stopFollowing();
});

test("if an answer is still being written, the question returns to the input", async () => {
  const { conversation, askedQuestions, arrive } = openLoadingConversation();
  const asking = conversation.ask(question);
  arrive([anAnswer("answer-1", "writing")]);
  await asking;
  expect(askedQuestions).toEqual([]);
  expect(conversation.snapshot.refusal).toMatchObject({ text: question.text });
  conversation.stopFollowing();
});

const replied = (value: unknown) => ({
  text: async () => JSON.stringify(value),
  blob: async () => new Blob(),
  pieces: nothing,
});

/** A server that the test makes reachable or not, and whose answers never end. */
function useUnreliableServer() {
  const askedQuestions: Record<string, unknown>[] = [];
  const stopped: string[] = [];
  const connection = { isUp: false, hasAnswer: true };
  const begun = new EventEmitter<{ begin: [] }>();
  setTransport(async ({ path, body }) => {
    if (path.endsWith("/ask") && body.kind === "json") {
      const sent = z.record(z.string(), z.unknown()).parse(JSON.parse(body.text));
      askedQuestions.push(sent);
      if (!connection.isUp) throw new NoResponseError("network");
      const pieces = async function* () {
        await once(begun, "begin");
        yield frameEvent({ type: "started", seq: 0, answerId: sent["answerId"] });
        await new Promise(() => undefined);
      };
      return { ...replied(""), pieces };
    }
    if (path.endsWith("/cancel")) {
      stopped.push(path);
      if (!connection.isUp) throw new NoResponseError("network");
      if (!connection.hasAnswer) throw new Failure("not_found", "no_answer");
      return replied({ ...aStoppedMessage, _id: path.split("/").at(-2), status: "stopped" });
    }
    throw new NoResponseError("network");
  });
  return { askedQuestions, stopped, connection, begin: () => begun.emit("begin") };
}
const aStoppedMessage = anAnswer("answer", "stopped");

test("a question that may have arrived keeps its id when asked again", async () => {
  const { askedQuestions, connection } = useUnreliableServer();
  const conversation = new Conversation();
  const marked = { ...question, selection: { text: "turgor pressure" } };
  await conversation.ask(marked);
  expect(conversation.snapshot.refusal).toMatchObject({ text: question.text, selection: { text: "turgor pressure" } });
  connection.isUp = true;
  void conversation.ask(marked);
  await vi.waitFor(() => expect(askedQuestions).toHaveLength(2));
  expect(askedQuestions[1]).toEqual(askedQuestions[0]);
  conversation.stopFollowing();
  const other = new Conversation();
  void other.ask({ ...marked, text: "And what is osmosis?" });
  await vi.waitFor(() => expect(askedQuestions).toHaveLength(3));
  expect(askedQuestions[2]?.["answerId"]).not.toBe(askedQuestions[0]?.["answerId"]);
  other.stopFollowing();
});

const textEvent = (at: number, words: string, parts?: MessagePart[]) => ({
  type: "text",
  seq: 1,
  at,
  text: words,
  parts,
});

test("an answer in progress shows the tutor's own phrases as parts", async () => {
  const lead = phrase("builtin_lead");
  setTransport(async ({ path, body }) => {
    if (!path.endsWith("/ask") || body.kind !== "json") throw new NoResponseError("network");
    const { answerId } = z.object({ answerId: z.string() }).parse(JSON.parse(body.text));
    const pieces = async function* () {
      yield frameEvent({ type: "started", seq: 0, answerId });
      yield frameEvent(textEvent(0, `${lead.text}\n\n`, [lead, { type: "text", text: "\n\n" }]));
      yield frameEvent(textEvent(lead.text.length + 2, "A codon"));
      // Earlier events are sent again, as after a reconnection.
      yield frameEvent(textEvent(lead.text.length + 2, "A codon is short."));
      await new Promise(() => undefined);
    };
    return { ...replied(""), pieces };
  });
  const conversation = new Conversation();
  void conversation.ask(question);
  const written = () => conversation.snapshot.messages.at(-1);
  await vi.waitFor(() => expect(written()?.text).toBe(`${lead.text}\n\nA codon is short.`));
  expect(written()?.parts).toEqual([lead, { type: "text", text: "\n\nA codon is short." }]);
  conversation.stopFollowing();
});

test("pressing Stop before the question has arrived stops it afterwards", async () => {
  const { stopped, connection, begin } = useUnreliableServer();
  Object.assign(connection, { isUp: true, hasAnswer: false });
  const conversation = new Conversation();
  void conversation.ask(question);
  await conversation.stop();
  expect(conversation.snapshot.answering).not.toBeNull();
  connection.hasAnswer = true;
  begin();
  await vi.waitFor(() => expect(conversation.snapshot.answering).toBeNull());
  expect(stopped).toHaveLength(2);
  expect(conversation.snapshot.messages.at(-1)?.status).toBe("stopped");
});

test("a failed Stop shows an error, and the answer continues", async () => {
  const { connection, begin } = useUnreliableServer();
  connection.isUp = true;
  const conversation = new Conversation();
  void conversation.ask(question);
  begin();
  connection.isUp = false;
  await conversation.stop();
  expect(store.get(alertsAtom).map(({ message }) => message)).toEqual([
    "Couldn't connect to the server. Please check your internet connection and try again.",
  ]);
  expect(conversation.snapshot.answering).not.toBeNull();
  conversation.stopFollowing();
});

test("a late reply to Stop doesn't interrupt the answer that began meanwhile", async () => {
  const [stopReply, secondEnd] = [createDeferred<undefined>(), createDeferred<undefined>()];
  const askedQuestions: string[] = [];
  setTransport(async ({ path, body }) => {
    if (path.endsWith("/cancel")) {
      await stopReply.promise;
      return replied({ ...anAnswer("", "stopped"), _id: askedQuestions[0] });
    }
    if (!path.endsWith("/ask") || body.kind !== "json") throw new NoResponseError("network");
    const { answerId } = z.object({ answerId: z.string() }).parse(JSON.parse(body.text));
    askedQuestions.push(answerId);
    const isFirst = askedQuestions.length === 1;
    const pieces = async function* () {
      yield frameEvent({ type: "started", seq: 0, answerId });
      if (isFirst) yield frameEvent({ type: "error", seq: 1, code: "cancelled", message: "Stopped." });
      await secondEnd.promise;
      yield frameEvent({
        type: "done",
        seq: 1,
        title: "",
        message: { ...anAnswer(answerId, "done"), text: "A force." },
      });
    };
    return { ...replied(""), pieces };
  });
  const conversation = new Conversation();
  void conversation.ask(question);
  const stopping = conversation.stop();
  await vi.waitFor(() => expect(conversation.snapshot.messages.at(-1)?.status).toBe("stopped"));
  void conversation.ask({ ...question, text: "In one sentence?" });
  await vi.waitFor(() => expect(askedQuestions).toHaveLength(2));
  stopReply.resolve(undefined);
  await stopping;
  secondEnd.resolve(undefined);
  await vi.waitFor(() => expect(conversation.snapshot.messages.at(-1)?.text).toBe("A force."));
  expect(conversation.snapshot.answering).toBeNull();
});

test("a new conversation stays open while the first answer of the one before is being written", async () => {
  const next = createDeferred<undefined>();
  setTransport(async ({ path, body }) => {
    if (!path.endsWith("/ask") || body.kind !== "json") throw new NoResponseError("network");
    const { answerId } = z.object({ answerId: z.string() }).parse(JSON.parse(body.text));
    const pieces = async function* () {
      yield frameEvent({ type: "started", seq: 0, answerId });
      await next.promise;
      yield frameEvent(textEvent(0, "A force."));
      await new Promise(() => undefined);
    };
    return { ...replied(""), pieces };
  });
  const conversation = new Conversation();
  const shownThreads: (string | null)[] = [];
  conversation.onThreadChange((threadId) => shownThreads.push(threadId));
  const asking = conversation.ask(question);
  await vi.waitFor(() => expect(shownThreads).toHaveLength(1));
  conversation.startNew();
  next.resolve(undefined);
  await asking;
  expect(shownThreads).toEqual([expect.any(String), null]);
  expect(conversation.snapshot.messages).toEqual([]);
});
