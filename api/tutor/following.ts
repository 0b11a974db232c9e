import { Failure } from "#shared/contract/failure.ts";
import type { AnswerEvent } from "#shared/tutor/schema.ts";
import type { UserCtx } from "#api/http/handler.ts";
import { isNewBeginning, liveAnswers, type LiveEvent } from "./live.ts";
import { findMessage, presentMessage } from "./store.ts";

/**
 * Streams an answer: the logged events after `after`, then live ones if it is written in this process. Text that was
 * already sent comes again with the position where it starts.
 */
export async function* followAnswer(
  ctx: UserCtx,
  key: string,
  answerId: string,
  after: number,
): AsyncGenerator<AnswerEvent> {
  const queue = new EventQueue();
  const heard = new Heard();
  let seq = after;
  const forget = liveAnswers.listen(key, (event) => {
    const fresh = heard.fresh(event);
    if (fresh) queue.push({ ...fresh, seq });
  });
  const kept = (async () => {
    for await (const logged of ctx.jobs.follow(ctx.caller.userId, key, after, ctx.signal)) {
      ({ seq } = logged);
      const event = logged.event as AnswerEvent;
      const isWord = event.type === "text" || event.type === "citation";
      const fresh = isWord ? heard.fresh(event) : event;
      if (fresh) queue.push({ ...fresh, seq });
    }
  })();
  kept.then(
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
    if (!ctx.signal.aborted) yield await endOf(ctx, key, answerId, seq + 1);
  } finally {
    forget();
  }
}

/** The final event of an answer whose log has none: it was cancelled, or its process crashed repeatedly. */
async function endOf(ctx: UserCtx, key: string, answerId: string, seq: number): Promise<AnswerEvent> {
  const [job, message] = await Promise.all([ctx.jobs.get(ctx.caller.userId, key), findMessage(ctx.own, answerId)]);
  if (job?.status === "cancelled") return { type: "error", seq, ...new Failure("cancelled", "stopped").told() };
  if (message?.status === "done") return { type: "done", seq, message: presentMessage(message), title: "" };
  const known = message?.error
    ? { message: message.error, ...message.errorReason }
    : { reason: "server_broken" as const };
  return { type: "error", seq, ...new Failure("broken", known).told() };
}

/** Filters what one client already received, since events arrive live and from the log. */
class Heard {
  #length: number | undefined;
  readonly #citations = new Set<number>();

  /** The new part of an event; undefined if there is none. */
  fresh(event: LiveEvent): LiveEvent | undefined {
    if (isNewBeginning(event)) {
      this.#length = 0;
      this.#citations.clear();
      return event;
    }
    if (event.type === "citation") {
      const isNews = !this.#citations.has(event.citation.n);
      this.#citations.add(event.citation.n);
      return isNews ? event : undefined;
    }
    // A client that joins midway starts at the first text it receives.
    const known = this.#length ?? event.at;
    const end = event.at + event.text.length;
    if (end <= known || event.at > known) return undefined;
    this.#length = end;
    return { type: "text", at: known, text: event.text.slice(known - event.at) };
  }
}

/** Merges events of two sources in order of arrival. */
class EventQueue implements AsyncIterable<AnswerEvent> {
  readonly #events: AnswerEvent[] = [];
  #wake: () => void = () => undefined;
  #end: { error: unknown } | undefined;

  push(event: AnswerEvent): void {
    this.#events.push(event);
    this.#wake();
  }

  close(error?: unknown): void {
    this.#end = { error };
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<AnswerEvent> {
    for (;;) {
      const event = this.#events.shift();
      if (event) yield event;
      else if (this.#end) {
        if (this.#end.error !== undefined) throw this.#end.error;
        return;
      } else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}
