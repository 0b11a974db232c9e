import type { z } from "zod";
import { Failure } from "#shared/contract/failure.ts";
import { MAX_JSON_CHARS_PER_TOKEN, ObjectReader } from "./object-reader.ts";
import type { Model, ChatTurn } from "../port.ts";

interface WriteTextRequest {
  system: string;
  user: string;
  maxTokens: number;
  ownerId: string;
  signal: AbortSignal;
}

export interface WriteRequest<T> extends WriteTextRequest {
  schema: z.ZodType<T>;
  /** Describes, for the model, what is wrong with a well-formed object; undefined if nothing is. */
  validate?: (written: T) => string | undefined;
  /** Stop reading after this many valid objects. */
  maxObjects: number;
}

/** If an answer contains nothing usable, the model gets one more try with the reason. */
const MAX_TRIES = 2;
const MAX_QUOTED_CHARS = 4000;

const NO_OBJECT = "it holds no JSON of the form that was asked for";

/**
 * Streams objects of a schema from a model, each repaired and checked as soon as it is complete. Yields nothing if the
 * model cannot chat or twice gives nothing usable. Throws the model's failure unless it has already yielded something.
 */
export async function* writeObjects<T>(model: Model, request: WriteRequest<T>): AsyncGenerator<T> {
  const turns: ChatTurn[] = [{ role: "user", text: request.user }];
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const attempt = new Attempt(model, request, turns);
    yield* attempt.read();
    if (attempt.count > 0) return;
    // An empty answer has nothing to quote back, so ask again unchanged.
    if (attempt.text.trim() === "") continue;
    const retryPrompt = `That could not be used: ${attempt.fault ?? NO_OBJECT}. Answer once more, with the JSON alone.`;
    turns.push(
      { role: "assistant", text: attempt.text.slice(0, MAX_QUOTED_CHARS) },
      { role: "user", text: retryPrompt },
    );
  }
}

/** One answer, read to its end or until enough objects were found. */
class Attempt<T> {
  text = "";
  count = 0;
  fault: string | undefined;
  readonly #model: Model;
  readonly #request: WriteRequest<T>;
  readonly #turns: readonly ChatTurn[];

  constructor(model: Model, request: WriteRequest<T>, turns: readonly ChatTurn[]) {
    this.#model = model;
    this.#request = request;
    this.#turns = [...turns];
  }

  async *read(): AsyncGenerator<T> {
    const { schema, system, maxTokens, ownerId, signal, maxObjects } = this.#request;
    const reader = new ObjectReader(schema);
    let isWhole = false;
    const onEnd = (whole: boolean) => {
      isWhole = whole;
    };
    try {
      const request = { system, turns: this.#turns, maxTokens, ownerId, signal, onEnd };
      for await (const chunk of this.#model.chat?.(request) ?? []) {
        this.text += chunk;
        yield* this.#filterValid(reader.push(chunk));
        if (this.count >= maxObjects || this.text.length > maxTokens * MAX_JSON_CHARS_PER_TOKEN) return;
      }
      // If the answer was cut at its length limit, its last object is incomplete.
      if (isWhole) yield* this.#filterValid(reader.end());
    } catch (error) {
      if (!(error instanceof Failure) || this.count === 0) throw error;
    }
  }

  *#filterValid(written: readonly T[]): Generator<T> {
    for (const object of written) {
      if (this.count >= this.#request.maxObjects) return;
      const fault = this.#request.validate?.(object);
      if (fault === undefined) {
        this.count += 1;
        yield object;
      } else this.fault = fault;
    }
  }
}

const MAX_TITLE_RESPONSE_CHARS = 400;

/** The title, or undefined if the model wrote something else: an explanation, markup, a URL. */
function parseTitle(written: string): string | undefined {
  const line = (written.trim().split("\n")[0] ?? "")
    .replaceAll(/^(?:title|name)\s*:\s*|^["'“”‘’*#_\s]+|["'“”‘’*_.\s]+$/giu, "")
    .replaceAll(/\s+/gu, " ");
  const isTitle = line.length >= 2 && line.length <= 80 && line.split(" ").length <= 12;
  return isTitle && !/https?:|[<>[\]{}]|^(?:i['’]m sorry|i am|i can|sorry)\b/iu.test(line) ? line : undefined;
}

/** Asks the model for a title; undefined if it cannot chat or gives no usable one. */
export async function writeTitle(model: Model, request: WriteTextRequest): Promise<string | undefined> {
  let written = "";
  try {
    const turns = [{ role: "user" as const, text: request.user }];
    for await (const chunk of model.chat?.({ ...request, turns }) ?? []) {
      written += chunk;
      if (written.length > MAX_TITLE_RESPONSE_CHARS) break;
    }
    return parseTitle(written);
  } catch (error) {
    request.signal.throwIfAborted();
    if (error instanceof Failure) return undefined;
    throw error;
  }
}
