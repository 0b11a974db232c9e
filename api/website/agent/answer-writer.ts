import { ulid } from "ulid";
import type { WebsitePart } from "#shared/website/message-parts.ts";
import type { ServerEvent } from "#shared/website/schema.ts";
import type { ToolOutcome } from "./answer-run.ts";
import type { LiveEvents } from "./live-events.ts";

type Send = (events: readonly ServerEvent[]) => Promise<void>;

/** The time between writes to the disk, each of which delays the words of all answers. */
const STORE_INTERVAL_MS = 500;

/** Collects the parts of an answer, sends them as they arrive and stores their events in batches. */
export class AnswerWriter {
  readonly parts: WebsitePart[] = [];
  readonly #live: LiveEvents;
  readonly #send: Send;
  readonly #messageId: string;
  #isFlushing = false;
  #endPause: () => void = () => undefined;
  #unsent: ServerEvent[] = [];
  #sending: Promise<void> | undefined;
  #failure: unknown;

  constructor(live: LiveEvents, send: Send, messageId: string) {
    this.#live = live;
    this.#send = send;
    this.#messageId = messageId;
  }

  /** Adds words. They are sent at once, and stored together with words that follow soon. */
  write(text: string, part: "text" | "reasoning" = "text"): void {
    if (text === "") return;
    const last = this.parts.at(-1);
    if (last?.type === part) last.metadata.text += text;
    else this.parts.push({ type: part, metadata: { text } });
    const event = { type: "assistant_message_chunk" as const, messageId: this.#messageId, part, chunk: text };
    this.#live.push(event);
    const unsent = this.#unsent.at(-1);
    if (unsent?.type === "assistant_message_chunk" && unsent.part === part) unsent.chunk += text;
    else this.#store({ ...event });
  }

  /** Shows that an answer without words is in progress. */
  reportProgress(): void {
    this.#push({ type: "message_processing_progress", messageId: this.#messageId });
  }

  beginTool(name: string, args: Record<string, unknown>): (outcome: ToolOutcome) => void {
    const empty = { error: null, errorLog: null, result: null, resultText: null };
    const metadata = { name, args, invocationId: ulid(), ...empty };
    const part: WebsitePart = { type: "tool_invocation", metadata };
    this.parts.push(part);
    this.#push({ type: "tool_invocation_start", messageId: this.#messageId, metadata });
    return ({ resultText, error = null, errorLog = null, result = null }) => {
      part.metadata = { ...metadata, resultText, error, errorLog, result };
      this.#push({ type: "tool_invocation_result", messageId: this.#messageId, metadata: part.metadata });
    };
  }

  /** Resolves once everything so far is stored; rejects if it could not be stored. */
  async flush(): Promise<void> {
    this.#isFlushing = true;
    this.#endPause();
    while (this.#sending !== undefined) await this.#sending;
    this.#isFlushing = false;
    if (this.#failure !== undefined) throw this.#failure;
  }

  #push(event: ServerEvent): void {
    this.#live.push(event);
    this.#store(event);
  }

  #store(event: ServerEvent): void {
    this.#unsent.push(event);
    if (this.#sending !== undefined) return;
    this.#sending = this.#sendAll();
  }

  async #sendAll(): Promise<void> {
    try {
      while (this.#unsent.length > 0) {
        await this.#send(this.#unsent.splice(0));
        if (!this.#isFlushing) await this.#pause();
      }
    } catch (error) {
      this.#failure ??= error;
    }
    this.#sending = undefined;
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, STORE_INTERVAL_MS);
      this.#endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
