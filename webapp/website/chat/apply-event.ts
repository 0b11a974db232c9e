import type { WebsitePart } from "#shared/website/message-parts.ts";
import type { ServerEvent, WebsiteMessage, WebsiteThread } from "#shared/website/schema.ts";

function changeMessage(
  thread: WebsiteThread,
  messageId: string,
  change: (parts: readonly WebsitePart[]) => WebsitePart[],
): WebsiteThread {
  const messages = thread.messages.map((message) =>
    message._id === messageId ? { ...message, parts: change(message.parts) } : message,
  );
  return { ...thread, messages };
}

function appendText(parts: readonly WebsitePart[], type: "text" | "reasoning", chunk: string): WebsitePart[] {
  const last = parts.at(-1);
  if (last?.type === type) return [...parts.slice(0, -1), { type, metadata: { text: last.metadata.text + chunk } }];
  return [...parts, { type, metadata: { text: chunk } }];
}

const THREAD_EVENTS = [
  "message_processing_started",
  "assistant_message_chunk",
  "tool_invocation_start",
  "tool_invocation_result",
  "thread_update",
] as const;
type ThreadEvent = Extract<ServerEvent, { type: (typeof THREAD_EVENTS)[number] }>;

/** Whether the event changes a thread. All other events concern the preview or the connection. */
const isThreadEvent = (event: ServerEvent): event is ThreadEvent => THREAD_EVENTS.some((type) => type === event.type);

/** Applies an event from the server to a thread. The events of an answer may be repeated from its beginning. */
export function applyEvent(thread: WebsiteThread, event: ServerEvent, now: number): WebsiteThread {
  if (!isThreadEvent(event)) return thread;
  switch (event.type) {
    case "message_processing_started": {
      const answer: WebsiteMessage = {
        _id: event.messageId,
        role: "assistant",
        model: null,
        parts: [],
        createdAt: now,
        updatedAt: now,
      };
      return { ...thread, messages: [...thread.messages.filter(({ _id }) => _id !== event.messageId), answer] };
    }
    case "assistant_message_chunk":
      return changeMessage(thread, event.messageId, (parts) => appendText(parts, event.part, event.chunk));
    case "tool_invocation_start":
      return changeMessage(thread, event.messageId, (parts) => [
        ...parts,
        { type: "tool_invocation", metadata: event.metadata },
      ]);
    case "tool_invocation_result":
      return changeMessage(thread, event.messageId, (parts) =>
        parts.map((part) =>
          part.type === "tool_invocation" && part.metadata.invocationId === event.metadata.invocationId
            ? { type: "tool_invocation", metadata: event.metadata }
            : part,
        ),
      );
    case "thread_update":
      return event.thread._id === thread._id ? event.thread : thread;
    default:
      return event satisfies never;
  }
}
