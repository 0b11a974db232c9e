import { NoAnswer } from "#shared/client/client.ts";
import { Failure } from "#shared/contract/failure.ts";
import { branchTo } from "#shared/tutor/branches.ts";
import type { AnswerEvent, Message, TutorMode } from "#shared/tutor/schema.ts";
import { client } from "#extension/app/client.ts";

const RETRY_MS = 1_000;
const MAX_RETRIES = 30;
const MAX_SELECTION = 8000;
const BUILT_IN = "lamplight-builtin";

/** What a conversation is about: a page of notes or one of its files. */
export interface Subject {
  pageId: string;
  /** The document or video; null for the notes themselves. */
  componentId: string | null;
}

/** One conversation per document, so that it can be resumed. */
const threadOf = ({ pageId, componentId }: Subject) => `beside-${componentId ?? pageId}`;

const groundOf = ({ pageId, componentId }: Subject) =>
  componentId === null
    ? { kind: "chosen" as const, pageIds: [pageId], componentIds: [] }
    : { kind: "chosen" as const, pageIds: [], componentIds: [componentId] };

/** The previous conversation about a document; empty if there is none. */
export async function loadTalk(subject: Subject): Promise<Message[]> {
  try {
    const { thread, messages } = await client.tutor.getThread({ threadId: threadOf(subject) });
    return branchTo(messages, thread.head ?? messages.at(-1)?._id ?? null);
  } catch (error) {
    if (error instanceof Failure && error.code === "not_found") return [];
    throw error;
  }
}

/** Applies one answer event to a message. */
export function withEvent(message: Message, event: AnswerEvent): Message {
  switch (event.type) {
    case "text":
      return { ...message, text: message.text.slice(0, event.at) + event.text };
    case "citation":
      return {
        ...message,
        citations: [...message.citations.filter(({ n }) => n !== event.citation.n), event.citation],
      };
    case "done":
      return event.message;
    case "error":
      return { ...message, status: "failed", error: event.message };
    case "started":
    case "reading":
      return message;
    default:
      return event satisfies never;
  }
}

export interface Asked {
  subject: Subject;
  text: string;
  answerId: string;
  messageId: string;
  parent: string | null;
  mode: TutorMode;
  /** Text that the student selected on the page. */
  selection: string | null;
}

type Events = AsyncGenerator<AnswerEvent>;

/** Sends a question and streams its answer. */
export function askAbout({ subject, selection, ...asked }: Asked): Events {
  const ask = () =>
    client.tutor.ask({
      ...asked,
      threadId: threadOf(subject),
      ground: groundOf(subject),
      selection: selection === null ? null : { text: selection.slice(0, MAX_SELECTION) },
    });
  return readOn(asked.answerId, ask);
}

/** Streams an answer in progress, from its beginning. */
export const followOn = (answerId: string): Events => readOn(answerId);

/** Reconnects after connection losses, continuing after the last event received. */
async function* readOn(answerId: string, ask?: () => Events): Events {
  let seen = 0;
  let hasBegun = ask === undefined;
  for (let retries = 0; retries < MAX_RETRIES; retries += 1) {
    try {
      const events = ask && !hasBegun ? ask() : client.tutor.followAnswer({ answerId, after: seen });
      for await (const event of events) {
        hasBegun = true;
        seen = Math.max(seen, event.seq);
        yield event;
        if (event.type === "done" || event.type === "error") return;
      }
    } catch (error) {
      if (!hasBegun || !(error instanceof NoAnswer)) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
  throw new NoAnswer("network");
}

export const stopAnswer = (answerId: string) => client.tutor.stopAnswer({ answerId });

/** Whether a language model is available for translations; the built-in engine only quotes. */
export async function hasModel(): Promise<boolean> {
  const { models } = await client.tutor.listModels({});
  return models.some(({ id }) => id !== BUILT_IN);
}

/** The language in which the student wants answers. */
export async function readLanguage(): Promise<string> {
  return (await client.user.getPreferences({})).assistant.language;
}
