import { Failure } from "#shared/contract/failure.ts";
import { sliceParts } from "#shared/tutor/message-parts.ts";
import type { AnswerEvent } from "#shared/tutor/schema.ts";
import type { UserCtx } from "#api/http/handler.ts";
import { isRestart, liveAnswers, type LiveEvent } from "./live-answers.ts";
import { findMessage, presentMessage } from "./store.ts";

/**
 * Streams an answer: the logged events after `after`, then live events if the answer is written in this process. Text
 * that was already sent is sent again with its start position.
 */
export async function* followAnswer(
  ctx: UserCtx,
  key: string,
  answerId: string,
  after: number,
): AsyncGenerator<AnswerEvent> {
  const queue = new EventQueue();
  const seenEvents = new EventDeduplicator();
  let seq = after;
  const unsubscribe = liveAnswers.subscribe(key, (event) => {
    const unseen = seenEvents.unseen(event, "live");
    if (unseen) queue.push({ ...unseen, seq });
  });
  const replay = (async () => {
    for await (const logged of ctx.jobs.follow(ctx.caller.userId, key, after, ctx.signal)) {
      ({ seq } = logged);
      const event = logged.event as AnswerEvent;
      const isContent = event.type === "text" || event.type === "citation";
      const unseen = isContent ? seenEvents.unseen(event, "log") : event;
      if (unseen) queue.push({ ...unseen, seq });
    }
  })();
  replay.then(
    () => queue.close(),
    (error: unknown) => queue.close(error),
  );
  let hasEnded = false;
  try {
    for await (const event of queue) {
      hasEnded = event.type === "done" || event.type === "error";
      yield event;
      if (hasEnded) return;
    }
    if (!ctx.signal.aborted) yield await finalEvent(ctx, key, answerId, seq + 1);
  } finally {
    unsubscribe();
  }
}

/** The final event of an answer whose log has none: it was cancelled, or its process crashed repeatedly. */
async function finalEvent(ctx: UserCtx, key: string, answerId: string, seq: number): Promise<AnswerEvent> {
  const [job, message] = await Promise.all([ctx.jobs.get(ctx.caller.userId, key), findMessage(ctx.own, answerId)]);
  if (job?.status === "cancelled")
    return { type: "error", seq, ...new Failure("cancelled", "stopped").toEventFields() };
  if (message?.status === "done") return { type: "done", seq, message: presentMessage(message), title: "" };
  const failureText = message?.error
    ? { message: message.error, ...message.errorReason }
    : { reason: "server_broken" as const };
  return { type: "error", seq, ...new Failure("broken", failureText).toEventFields() };
}

/** Removes what the client already received, because events arrive both live and from the log. */
class EventDeduplicator {
  #length: number | undefined;
  readonly #citations = new Set<number>();
  /** How often the answer was restarted, by what each source sent so far. */
  readonly #restarts = { live: 0, log: 0 };
  #sentRestarts = 0;

  /** The new part of an event; undefined if there is none, or if the other source has already restarted the answer. */
  unseen(event: LiveEvent, source: "live" | "log"): LiveEvent | undefined {
    if (isRestart(event)) {
      this.#restarts[source] += 1;
      if (this.#restarts[source] <= this.#sentRestarts) return undefined;
      this.#sentRestarts = this.#restarts[source];
      this.#length = 0;
      this.#citations.clear();
      return event;
    }
    if (this.#restarts[source] < this.#sentRestarts) return undefined;
    if (event.type === "citation") {
      const isNew = !this.#citations.has(event.citation.n);
      this.#citations.add(event.citation.n);
      return isNew ? event : undefined;
    }
    // A client that joins midway starts at the first text it receives.
    const knownLength = this.#length ?? event.at;
    const end = event.at + event.text.length;
    if (end <= knownLength || event.at > knownLength) return undefined;
    this.#length = end;
    const seen = knownLength - event.at;
    const parts = event.parts && sliceParts(event.parts, seen);
    return { type: "text", at: knownLength, text: event.text.slice(seen), ...(parts && { parts }) };
  }
}

/** Merges events of two sources in order of arrival. */
class EventQueue implements AsyncIterable<AnswerEvent> {
  readonly #events: AnswerEvent[] = [];
  #wakeUp: () => void = () => undefined;
  #end: { error: unknown } | undefined;

  push(event: AnswerEvent): void {
    this.#events.push(event);
    this.#wakeUp();
  }

  close(error?: unknown): void {
    this.#end = { error };
    this.#wakeUp();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<AnswerEvent> {
    for (;;) {
      const event = this.#events.shift();
      if (event) yield event;
      else if (this.#end) {
        if (this.#end.error !== undefined) throw this.#end.error;
        return;
      } else await new Promise<void>((resolve) => (this.#wakeUp = resolve));
    }
  }
}
