import { ulid } from "ulid";
import type { Input } from "#shared/contract/endpoint.ts";
import type { tutor } from "#shared/tutor/contract.ts";
import type { AnswerEvent, Message } from "#shared/tutor/schema.ts";
import type { V1Client } from "./api.ts";

type Question = Partial<Input<typeof tutor.ask>> & { text?: string };

export const aQuestion = (more: Question = {}) => {
  const ids = { threadId: ulid(), messageId: ulid(), answerId: ulid() };
  return { ...ids, text: "What does a ribosome do?", ...more };
};

/** An answer that was asked about all material. */
export const aMessage = (more: Partial<Message> = {}): Message => ({
  _id: "answer",
  threadId: "thread",
  parent: "question",
  role: "assistant",
  text: "A codon has three nucleotides.",
  citations: [],
  followUps: [],
  status: "done",
  error: null,
  mode: "explain",
  ground: { kind: "everything" },
  selection: null,
  model: null,
  createdAt: 1,
  ...more,
});

/** The text that a client has assembled from the events. */
export function joinEvents(events: readonly AnswerEvent[]): string {
  return events.reduce((text, event) => (event.type === "text" ? text.slice(0, event.at) + event.text : text), "");
}

export interface Answered {
  events: AnswerEvent[];
  message: Message;
}

/** Asks a question and follows the answer to its end. */
export async function ask(client: V1Client, question: ReturnType<typeof aQuestion>): Promise<Answered> {
  const events: AnswerEvent[] = [];
  for await (const event of client.tutor.ask(question)) events.push(event);
  const last = events.at(-1);
  if (last?.type === "done") return { events, message: last.message };
  const { messages } = await client.tutor.getThread({ threadId: question.threadId });
  const message = messages.find(({ _id }) => _id === question.answerId);
  if (!message) throw new Error(`no answer: ${JSON.stringify(last)}`);
  return { events, message };
}
