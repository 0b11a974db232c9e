import { appendParts, partsOf } from "#shared/tutor/message-parts.ts";
import type { AnswerCitation, MessagePart } from "#shared/tutor/schema.ts";

/** An event before it is stored: text from a position on, or a citation. Empty text at 0 restarts the answer. */
export type LiveEvent = TextEvent | { type: "citation"; citation: AnswerCitation };
/** `parts` is missing for an event with plain text only. */
type TextEvent = { type: "text"; at: number; text: string; parts?: MessagePart[] | undefined };

/** Joins two adjacent events. */
export const joinTextEvents = (first: TextEvent, second: TextEvent): TextEvent => ({
  ...first,
  text: first.text + second.text,
  ...((first.parts ?? second.parts) && { parts: appendParts(partsOf(first), partsOf(second)) }),
});

const emptyText: TextEvent = { type: "text", at: 0, text: "" };
/** Makes clients discard the answer so far. */
export const restart: LiveEvent = emptyText;

export const isRestart = (event: LiveEvent) => event.type === "text" && event.at === 0 && event.text === "";

/**
 * Whether a text continues where the earlier event ends. A restart stays a separate event, so that readers receive it.
 */
export const isTextBefore = (earlier: LiveEvent, text: TextEvent): earlier is TextEvent =>
  earlier.type === "text" && !isRestart(earlier) && !isRestart(text) && earlier.at + earlier.text.length === text.at;

type Listener = (event: LiveEvent) => void;

interface LiveAnswer {
  written: TextEvent;
  citations: AnswerCitation[];
  restarts: number;
  listeners: Set<Listener>;
}

/**
 * Answers being written in this process. The log is written about once a second. Clients of this process receive every
 * word at once; other clients read the log.
 */
class LiveAnswers {
  readonly #answers = new Map<string, LiveAnswer>();

  publish(jobKey: string, event: LiveEvent): void {
    const live = this.#getOrCreate(jobKey);
    if (isRestart(event)) Object.assign(live, { written: emptyText, citations: [], restarts: live.restarts + 1 });
    else if (event.type === "text") live.written = joinTextEvents(live.written, event);
    else live.citations.push(event.citation);
    for (const listener of live.listeners) listener(event);
  }

  /** Replays the restarts and what exists, then sends new events; returns a function that unsubscribes. */
  subscribe(jobKey: string, listener: Listener): () => void {
    const live = this.#getOrCreate(jobKey);
    for (let count = 0; count < live.restarts; count += 1) listener(restart);
    if (live.written.text !== "") listener(live.written);
    for (const citation of live.citations) listener({ type: "citation", citation });
    live.listeners.add(listener);
    return () => {
      live.listeners.delete(listener);
      if (live.listeners.size === 0 && live.written.text === "" && live.restarts === 0) this.#answers.delete(jobKey);
    };
  }

  /** Called when the answer is complete and stored. */
  end(jobKey: string): void {
    this.#answers.delete(jobKey);
  }

  #getOrCreate(jobKey: string): LiveAnswer {
    const existing = this.#answers.get(jobKey);
    if (existing) return existing;
    const live: LiveAnswer = { written: emptyText, citations: [], restarts: 0, listeners: new Set() };
    this.#answers.set(jobKey, live);
    return live;
  }
}

export const liveAnswers = new LiveAnswers();
