import type { AnswerCitation } from "#shared/tutor/schema.ts";

/** What is said before it is kept: words from a place in the text on, and citations. Nothing at 0 begins anew. */
export type LiveEvent = { type: "text"; at: number; text: string } | { type: "citation"; citation: AnswerCitation };

type Listener = (event: LiveEvent) => void;

interface Live {
  text: string;
  citations: AnswerCitation[];
  listeners: Set<Listener>;
}

export const isNewBeginning = (event: LiveEvent) => event.type === "text" && event.at === 0 && event.text === "";

/**
 * Answers that are being written in this process. What is kept is written down a few times a second; who follows from
 * here hears every word at once, and who follows from elsewhere reads what is kept.
 */
class LiveAnswers {
  readonly #answers = new Map<string, Live>();

  tell(jobKey: string, event: LiveEvent): void {
    const live = this.#of(jobKey);
    if (isNewBeginning(event)) Object.assign(live, { text: "", citations: [] });
    else if (event.type === "text") live.text += event.text;
    else live.citations.push(event.citation);
    for (const listener of live.listeners) listener(event);
  }

  /** Tells what was said so far, then what comes; call what is given back to hear no more. */
  listen(jobKey: string, listener: Listener): () => void {
    const live = this.#of(jobKey);
    if (live.text !== "") listener({ type: "text", at: 0, text: live.text });
    for (const citation of live.citations) listener({ type: "citation", citation });
    live.listeners.add(listener);
    return () => {
      live.listeners.delete(listener);
      if (live.listeners.size === 0 && live.text === "") this.#answers.delete(jobKey);
    };
  }

  /** The answer is whole, and kept. */
  end(jobKey: string): void {
    this.#answers.delete(jobKey);
  }

  #of(jobKey: string): Live {
    const known = this.#answers.get(jobKey);
    if (known) return known;
    const live: Live = { text: "", citations: [], listeners: new Set() };
    this.#answers.set(jobKey, live);
    return live;
  }
}

export const liveAnswers = new LiveAnswers();
