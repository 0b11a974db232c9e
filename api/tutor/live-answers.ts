import type { AnswerCitation } from "#shared/tutor/schema.ts";

/** An event before it is stored: text from a position on, or a citation. Empty text at 0 restarts the answer. */
export type LiveEvent = { type: "text"; at: number; text: string } | { type: "citation"; citation: AnswerCitation };

type Listener = (event: LiveEvent) => void;

interface LiveAnswer {
  text: string;
  citations: AnswerCitation[];
  listeners: Set<Listener>;
}

export const isRestart = (event: LiveEvent) => event.type === "text" && event.at === 0 && event.text === "";

/**
 * Answers being written in this process. The log is written about once a second; clients of this process receive every
 * word at once, others read the log.
 */
class LiveAnswers {
  readonly #answers = new Map<string, LiveAnswer>();

  publish(jobKey: string, event: LiveEvent): void {
    const live = this.#getOrCreate(jobKey);
    if (isRestart(event)) Object.assign(live, { text: "", citations: [] });
    else if (event.type === "text") live.text += event.text;
    else live.citations.push(event.citation);
    for (const listener of live.listeners) listener(event);
  }

  /** Replays what exists, then sends new events; returns a function that unsubscribes. */
  subscribe(jobKey: string, listener: Listener): () => void {
    const live = this.#getOrCreate(jobKey);
    if (live.text !== "") listener({ type: "text", at: 0, text: live.text });
    for (const citation of live.citations) listener({ type: "citation", citation });
    live.listeners.add(listener);
    return () => {
      live.listeners.delete(listener);
      if (live.listeners.size === 0 && live.text === "") this.#answers.delete(jobKey);
    };
  }

  /** Called when the answer is complete and stored. */
  end(jobKey: string): void {
    this.#answers.delete(jobKey);
  }

  #getOrCreate(jobKey: string): LiveAnswer {
    const existing = this.#answers.get(jobKey);
    if (existing) return existing;
    const live: LiveAnswer = { text: "", citations: [], listeners: new Set() };
    this.#answers.set(jobKey, live);
    return live;
  }
}

export const liveAnswers = new LiveAnswers();
