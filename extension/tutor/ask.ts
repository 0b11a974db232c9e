import { NoResponseError } from "#shared/client/client.ts";
import { Failure } from "#shared/contract/failure.ts";
import { branchEndingAt } from "#shared/tutor/branches.ts";
import { applyTextEvent } from "#shared/tutor/message-parts.ts";
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
const threadIdOf = ({ pageId, componentId }: Subject) => `beside-${componentId ?? pageId}`;

const scopeOf = ({ pageId, componentId }: Subject) =>
  componentId === null
    ? { kind: "chosen" as const, pageIds: [pageId], componentIds: [] }
    : { kind: "chosen" as const, pageIds: [], componentIds: [componentId] };

/** The previous conversation about a document; empty if there is none. */
export async function loadConversation(subject: Subject): Promise<Message[]> {
  try {
    const { thread, messages } = await client.tutor.getThread({ threadId: threadIdOf(subject) });
    return branchEndingAt(messages, thread.head ?? messages.at(-1)?._id ?? null);
  } catch (error) {
    if (error instanceof Failure && error.code === "not_found") return [];
    throw error;
  }
}

/** Applies one answer event to a message. */
export function applyEvent(message: Message, event: AnswerEvent): Message {
  switch (event.type) {
    case "text":
      return { ...message, ...applyTextEvent(message, event) };
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

export interface QuestionToAsk {
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
export function askAbout({ subject, selection, ...question }: QuestionToAsk): Events {
  const ask = () =>
    client.tutor.ask({
      ...question,
      threadId: threadIdOf(subject),
      ground: scopeOf(subject),
      selection: selection === null ? null : { text: selection.slice(0, MAX_SELECTION) },
    });
  return streamAnswer(question.answerId, ask);
}

/** Streams an answer in progress, from its beginning. */
export const followAnswer = (answerId: string): Events => streamAnswer(answerId);

/** Reconnects after connection losses, continuing after the last event received. */
async function* streamAnswer(answerId: string, ask?: () => Events): Events {
  let lastSeq = 0;
  let hasStarted = ask === undefined;
  for (let retries = 0; retries < MAX_RETRIES; retries += 1) {
    try {
      const events = ask && !hasStarted ? ask() : client.tutor.followAnswer({ answerId, after: lastSeq });
      for await (const event of events) {
        hasStarted = true;
        lastSeq = Math.max(lastSeq, event.seq);
        yield event;
        if (event.type === "done" || event.type === "error") return;
      }
    } catch (error) {
      if (!hasStarted || !(error instanceof NoResponseError)) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
  throw new NoResponseError("network");
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
