// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Call } from "#shared/client/client.ts";
import { CircuitBreaker, faultOfCode, isValidId } from "#shared/website/chat-connection.ts";
import { toDevServerStatus } from "#shared/website/rules.ts";
import type { ServerEvent, WebsiteThread } from "#shared/website/schema.ts";
import { alertsAtom, dismissAlert } from "#webapp/app/alerts.ts";
import { setSessionPort, setTransport } from "#webapp/app/client.ts";
import { reachedLimitAtom } from "#webapp/app/overlays.ts";
import { store } from "#webapp/app/store.ts";
import { Chat } from "#webapp/website/chat/website-chat.ts";

/** A fake socket whose server side the test controls. */
class FakeSocket extends EventTarget {
  static opened: FakeSocket[] = [];
  /** The server's behaviour for each new socket. */
  static play: (socket: FakeSocket) => void = (socket) => socket.answer({ type: "connection-established" });
  sent: { type: string; message?: string }[] = [];
  protocols: string[];

  constructor(_url: string, protocols: string[]) {
    super();
    this.protocols = protocols;
    FakeSocket.opened.push(this);
    queueMicrotask(() => FakeSocket.play(this));
  }

  send(text: string) {
    this.sent.push(JSON.parse(text) as { type: string });
  }

  answer(event: ServerEvent) {
    this.dispatchEvent(new MessageEvent("message", { data: JSON.stringify(event) }));
  }

  end(code: number) {
    this.dispatchEvent(Object.assign(new Event("close"), { code }));
  }

  close() {}
}

const aThread = (_id: string, more: Partial<WebsiteThread> = {}): WebsiteThread => ({
  _id,
  messages: [],
  thread_title: null,
  updated_at: 1,
  ...more,
});

let token: string | undefined = "temp";
let answers: Record<string, () => unknown> = {};
const refuse = () => {
  throw new Error("refused");
};

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(console, "warn").mockImplementation(() => undefined);
  vi.stubGlobal("WebSocket", FakeSocket);
  token = "temp";
  FakeSocket.opened = [];
  FakeSocket.play = (socket) => socket.answer({ type: "connection-established" });
  answers = {
    "/threads": () => ({ threads: [aThread("t1")] }),
    "/threads/create": () => aThread("t2"),
    "/generate_name": () => ({ title: "Genes" }),
    "/generate_title": () => ({ title: "Colours" }),
  };
  setSessionPort({ tempToken: () => Promise.resolve(token), handleRefusal: () => undefined });
  setTransport(({ path }: Call) => {
    const key = Object.keys(answers).findLast((ending) => path.endsWith(ending));
    const body = JSON.stringify(key === undefined ? refuse() : answers[key]?.());
    return Promise.resolve({
      text: () => Promise.resolve(body),
      blob: () => Promise.resolve(new Blob([body])),
    } as never);
  });
  for (const { id } of store.get(alertsAtom)) dismissAlert(id);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const notices = () => store.get(alertsAtom).map(({ message }) => message);

async function aChat(hasName = true) {
  const chat = new Chat("p1", hasName);
  await chat.load();
  const state = () => store.get(chat.atom);
  const texts = () => state().threads.find(({ _id }) => _id === state().threadId)?.messages.length;
  return { chat, state, texts };
}

/** Sends a message while the fake timers advance. */
async function send(chat: Chat, text: string): Promise<boolean> {
  const sent = chat.send(text);
  await vi.advanceTimersByTimeAsync(120_000 - 1);
  return sent;
}

test("a message is sent with the token as a subprotocol, and its answer grows part by part", async () => {
  const { chat, state } = await aChat();
  expect(await chat.send(" Title: Genes ")).toBe(true);
  const [socket] = FakeSocket.opened;
  expect(socket?.protocols).toEqual(["lamplight.v1", "bearer.temp"]);
  expect(socket?.sent.map(({ type }) => type)).toEqual(["client_ready", "user_message"]);
  expect(await chat.send("second")).toBe(false);
  socket?.answer({ type: "message_processing_started", messageId: "a1" });
  socket?.answer({ type: "assistant_message_chunk", messageId: "a1", part: "text", chunk: "Do" });
  socket?.answer({ type: "assistant_message_chunk", messageId: "a1", part: "text", chunk: "ne." });
  expect(state().threads[0]?.messages.at(-1)?.parts).toEqual([{ type: "text", metadata: { text: "Done." } }]);
  // A reconnect sends the events again from the beginning.
  socket?.answer({ type: "message_processing_started", messageId: "a1" });
  expect(state().threads[0]?.messages).toHaveLength(2);
  socket?.answer({ type: "message_processing_complete", success: false, error: "no model" });
  await vi.advanceTimersByTimeAsync(0);
  expect(state().isProcessing).toBe(false);
  expect(notices()).toContain("Processing failed: no model");
});

test("a blank message is ignored, and the first message creates a thread with a notice about the wait", async () => {
  answers["/threads"] = () => ({ threads: [] });
  const { chat, state } = await aChat();
  expect(await chat.send("  \n")).toBe(false);
  expect(await chat.send("Hello")).toBe(true);
  expect(state().threadId).toBe("t2");
  expect(notices()).toContain("Setting up development environment – first response can take up to a minute...");
});

test("a failure before the connection shows an error, and the message is removed", async () => {
  answers["/threads"] = refuse;
  const { chat, state, texts } = await aChat();
  expect(notices()).toContain("Failed to load conversation history");
  answers["/threads/create"] = refuse;
  expect(await chat.send("Hello")).toBe(false);
  expect(notices().some((notice) => notice.startsWith("Failed to create thread: "))).toBe(true);
  answers["/threads/create"] = () => aThread("undefined");
  expect(await chat.send("Hello")).toBe(false);
  expect(notices()).toContain("Failed to create conversation. Please try again.");
  chat.choose("gone");
  expect(await chat.send("Hello")).toBe(false);
  expect(notices()).toContain("Error: Could not find thread to send message to.");
  expect([texts(), state().isProcessing]).toEqual([undefined, false]);
});

test.each([
  [4001, "Authentication failed. Please refresh the page and try again."],
  [4003, "Project or thread not found. Please ensure you have access to this project."],
] as const)("a refusal with %i is not retried, and the message is removed", async (code, error) => {
  FakeSocket.play = (socket) => socket.end(code);
  const { chat, state, texts } = await aChat();
  expect(await send(chat, "Hello")).toBe(false);
  expect(FakeSocket.opened).toHaveLength(1);
  expect([state().error, texts(), state().isProcessing]).toEqual([error, 0, false]);
  expect(notices()).toContain("Failed to start conversation. Please try again.");
});

test("without a token nothing is opened", async () => {
  token = undefined;
  const { chat, state } = await aChat();
  expect(await send(chat, "Hello")).toBe(false);
  expect(FakeSocket.opened).toHaveLength(0);
  expect(state().error).toBe("No authentication token available");
});

test("a server that cannot be reached is tried three times, then the circuit breaker waits", async () => {
  FakeSocket.play = (socket) => socket.end(1006);
  const { chat } = await aChat();
  expect(await send(chat, "Hello")).toBe(false);
  expect(FakeSocket.opened).toHaveLength(3);
  expect(notices()).toContain("Failed to send message after 3 attempts. Please try again.");
});

test("a socket that throws is a failed message", async () => {
  vi.stubGlobal("WebSocket", function noSockets() {
    throw new Error("no sockets here");
  });
  const { chat } = await aChat();
  const sent = await send(chat, "Hello");
  expect(sent).toBe(false);
  expect(notices()).toContain("Failed to send message. Please try again.");
});

test("a lost connection or a silent agent ends processing with an error, and an idle timeout without one", async () => {
  const { chat, state } = await aChat();
  for (const [code, error] of [
    [1006, "Connection lost. Please resend your message."],
    [4000, null],
    [1000, null],
  ] as const) {
    await chat.send("Hello");
    FakeSocket.opened.at(-1)?.end(code);
    expect([state().error, state().isProcessing]).toEqual([error, false]);
  }
  await chat.send("Hello");
  await vi.advanceTimersByTimeAsync(120_000);
  expect(state().error).toBe("The agent took too long to respond. Please try again.");
});

test("an answer in progress is followed again when the page is reopened", async () => {
  const message = { model: null, parts: [], createdAt: 1, updatedAt: 1 };
  const asked = aThread("t1", { messages: [{ ...message, _id: "m1", role: "user" }] });
  answers["/threads"] = () => ({ threads: [asked, aThread("t2")] });
  const { chat, state } = await aChat();
  await vi.advanceTimersByTimeAsync(0);
  const [socket] = FakeSocket.opened;
  expect(socket?.sent).toEqual([{ type: "client_ready" }]);
  socket?.answer({ type: "message_processing_started", messageId: "a1" });
  expect(state().isProcessing).toBe(true);
  socket?.answer({ type: "assistant_message_chunk", messageId: "a1", part: "text", chunk: "Go" });
  expect(state().threads[0]?.messages.map(({ _id }) => _id)).toEqual(["m1", "a1"]);
  // A thread without an unanswered question needs no connection; the first thread is followed again when it is chosen.
  chat.choose("t2");
  await vi.advanceTimersByTimeAsync(0);
  expect(FakeSocket.opened).toHaveLength(1);
});

test("a message that the server refuses is removed from the conversation, and its text returns to the field", async () => {
  const { chat, state, texts } = await aChat();
  const returned = vi.fn<(text: string) => void>();
  chat.onMessageReturned(returned);
  await chat.send("Hello");
  const [socket] = FakeSocket.opened;
  const sent = socket?.sent.at(-1) as { messageId?: string } | undefined;
  const refusal = { success: false, error: "A message is being processed already.", refusedId: sent?.messageId };
  socket?.answer({ type: "message_processing_complete", ...refusal });
  expect([texts(), returned.mock.calls, state().isProcessing]).toEqual([0, [["Hello"]], false]);
  expect(notices()).toContain("Processing failed: A message is being processed already.");
});

test("at the plan's limit the message returns to the field, and the plans dialog opens with the reason", async () => {
  const { chat } = await aChat();
  await chat.send("Hello");
  const [socket] = FakeSocket.opened;
  const sent = socket?.sent.at(-1) as { messageId?: string } | undefined;
  socket?.answer({
    type: "message_processing_complete",
    success: false,
    error: "You've reached your usage limit. Upgrade to continue!",
    code: "limit_reached",
    reason: "usage_limit",
    refusedId: sent?.messageId,
  });
  const message = "You've reached your usage limit. Upgrade to continue!";
  expect(store.get(reachedLimitAtom)).toEqual({ message, name: "assistantMessages" });
  expect(notices().filter((notice) => notice.startsWith("Processing failed"))).toEqual([]);
});

test.each(["dev_url_update", "dev-url-update", "dev-url-updated", "sandbox-created"] as const)(
  "after %s the preview is reloaded",
  async (type) => {
    const look = vi.fn(() => refuse());
    answers["/projects/p1"] = look;
    const { chat } = await aChat();
    await chat.send("Hello");
    FakeSocket.opened[0]?.answer({ type, dev_url: "http://localhost:1/x/" });
    await vi.advanceTimersByTimeAsync(0);
    expect(look).toHaveBeenCalledOnce();
  },
);

test("missing names are generated, and a failure is reported", async () => {
  const thread = aThread("t1");
  answers["/generate_name"] = refuse;
  answers["/generate_title"] = refuse;
  const { chat } = await aChat(false);
  await chat.send("Hello");
  const [socket] = FakeSocket.opened;
  const message = { model: null, parts: [], createdAt: 1, updatedAt: 1 };
  const messages = [
    { ...message, _id: "m1", role: "user" as const },
    { ...message, _id: "m2", role: "assistant" as const },
  ];
  socket?.answer({ type: "thread_update", thread: { ...thread, messages } });
  socket?.answer({ type: "message_processing_complete", success: true });
  await vi.advanceTimersByTimeAsync(10);
  expect(notices()).toEqual(
    expect.arrayContaining(["Failed to generate project name.", "Failed to generate thread title."]),
  );
});

test("the breaker opens after three failures and lets one attempt through after 30 seconds", () => {
  const breaker = new CircuitBreaker();
  for (let failure = 0; failure < 3; failure += 1) {
    expect(breaker.canTry(0)).toBe(true);
    breaker.fail(0);
  }
  expect([breaker.canTry(29_999), breaker.canTry(30_000)]).toEqual([false, true]);
  breaker.fail(30_000);
  expect(breaker.canTry(30_001)).toBe(false);
  breaker.succeed();
  expect(breaker.canTry(30_001)).toBe(true);
});

test("close codes, ids and reports of the server mean what the specification says", () => {
  expect([4000, 4001, 4003, 1000, 1001, 1006, 1011].map((code) => faultOfCode(code))).toEqual([
    null,
    "signed_out",
    "not_found",
    null,
    null,
    "lost",
    "lost",
  ]);
  expect([undefined, null, "", "undefined", "null", "01J"].map((id) => isValidId(id))).toEqual([
    false,
    false,
    false,
    false,
    false,
    true,
  ]);
  expect(["starting", "running", "stopped", "error", "whatever"].map((update) => toDevServerStatus(update))).toEqual([
    "starting",
    "online",
    "offline",
    "offline",
    "online",
  ]);
});
