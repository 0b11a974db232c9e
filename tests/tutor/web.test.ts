// @vitest-environment happy-dom
// It puts itself in the place of the browser's own.
// oxlint-disable-next-line import/no-unassigned-import
import "fake-indexeddb/auto";
import { EventEmitter, once } from "node:events";
import { expect, test, vi } from "vitest";
import { NoAnswer } from "#shared/client/client.ts";
import type { Message } from "#shared/tutor/schema.ts";
import { carryCallsBy } from "#webapp/kit/client.ts";
import { Conversation, type Question } from "#webapp/tutor/conversation.ts";

const ground = { kind: "everything" } as const;
const question: Question = { text: "And what is turgor?", mode: "explain", ground, selection: null };

async function* nothing(): AsyncGenerator<string> {}

function said(id: string, status: Message["status"]): Message {
  const about = { threadId: "thread-1", parent: null, citations: [], followUps: [], error: null, selection: null };
  return {
    _id: id,
    role: "assistant",
    text: "So it is.",
    status,
    mode: "explain",
    ground,
    model: null,
    createdAt: 1,
    ...about,
  };
}

/** A conversation that is still coming; what it holds comes with `come`. */
function stillComing() {
  const arrival = new EventEmitter<{ come: [Message[]] }>();
  const messages = once(arrival, "come").then(([all]) => all as Message[]);
  const asked: unknown[] = [];
  carryCallsBy(async ({ path, body }) => {
    if (path.endsWith("/ask") && body.kind === "json") asked.push(JSON.parse(body.text));
    // The answer is long in coming.
    if (path.endsWith("/ask")) return new Promise(() => undefined);
    if (path !== "/v1/conversation/threads/thread-1") throw new NoAnswer("network");
    const head = (await messages).at(-1)?._id ?? null;
    const text = JSON.stringify({ thread: { _id: "thread-1", head }, messages: await messages });
    return { text: async () => text, blob: async () => new Blob(), pieces: nothing };
  });
  const conversation = new Conversation();
  void conversation.open("thread-1");
  return { conversation, asked, come: (all: Message[]) => arrival.emit("come", all) };
}

test("a question that is asked while its conversation is still coming follows what was said before", async () => {
  const { conversation, asked, come } = stillComing();
  void conversation.ask(question);
  come([said("answer-1", "done")]);
  await vi.waitFor(() => expect(asked).toMatchObject([{ text: question.text, parent: "answer-1" }]));
  expect(conversation.talk.state).toBe("ready");
  expect(conversation.talk.messages.map(({ text }) => text)).toEqual(["So it is.", question.text, ""]);
  conversation.leave();
});

test("where an answer is still written in it the question goes back to who wrote it", async () => {
  const { conversation, asked, come } = stillComing();
  const asking = conversation.ask(question);
  come([said("answer-1", "writing")]);
  await asking;
  expect(asked).toEqual([]);
  expect(conversation.talk.refusal).toMatchObject({ text: question.text });
  conversation.leave();
});
