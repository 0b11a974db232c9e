import { ulid } from "ulid";
import { NoAnswer } from "#shared/client/client.ts";
import { Failure } from "#shared/contract/failure.ts";
import { branchTo } from "#shared/tutor/branches.ts";
import type { AnswerEvent, Message } from "#shared/tutor/schema.ts";
import { client } from "#extension/kit/client.ts";

const RETRY_MS = 1_000;
const MAX_RETRIES = 30;

/** One conversation for each page: whoever comes back to the page finds it again. */
const threadOf = (pageId: string) => `beside-${pageId}`;

/** What was said about a page before; empty where nothing was. */
export async function loadTalk(pageId: string): Promise<Message[]> {
  try {
    const { thread, messages } = await client.tutor.getThread({ threadId: threadOf(pageId) });
    return branchTo(messages, thread.head ?? messages.at(-1)?._id ?? null);
  } catch (error) {
    if (error instanceof Failure && error.code === "not_found") return [];
    throw error;
  }
}

/** A message with one more event of its answer. */
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

interface Asked {
  pageId: string;
  text: string;
  answerId: string;
  parent: string | null;
}

/** Asks, and reads the answer to its end over cut connections, by the number of the last event that was seen. */
export async function* askAbout({ pageId, text, answerId, parent }: Asked): AsyncGenerator<AnswerEvent> {
  const ground = { kind: "chosen" as const, pageIds: [pageId], componentIds: [] };
  const threadId = threadOf(pageId);
  let seen = 0;
  let hasBegun = false;
  for (let retries = 0; retries < MAX_RETRIES; retries += 1) {
    try {
      const events = hasBegun
        ? client.tutor.followAnswer({ answerId, after: seen })
        : client.tutor.ask({ threadId, answerId, text, messageId: ulid(), parent, ground });
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
