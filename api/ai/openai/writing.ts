import type { z } from "zod";
import { Failure } from "#shared/contract/failure.ts";
import { ObjectReader } from "./answer-reader.ts";
import type { Model, TalkTurn } from "../port.ts";

interface Asked {
  system: string;
  user: string;
  maxTokens: number;
  ownerId: string;
  signal: AbortSignal;
}

export interface WriteRequest<T> extends Asked {
  form: z.ZodType<T>;
  /** What is wrong with one that has the form, in words for the model; undefined where nothing is. */
  faultOf?: (written: T) => string | undefined;
  /** Once it has written so many that hold, it is not read any further. */
  atMost: number;
}

/** An answer that holds nothing of use is asked for once more, with what was wrong with it. */
const MAX_TRIES = 2;
const MAX_SHOWN_BACK = 4000;
/** An answer that is longer than this for each token it was allowed goes on for its own sake. */
const MAX_CHARS_PER_TOKEN = 12;

const NO_OBJECT = "it holds no JSON of the form that was asked for";

/**
 * Objects of a form as a model writes them, each read, mended and checked as soon as it is whole. Nothing comes where
 * the model cannot converse, or says nothing of use twice. Fails as the model fails, unless something came before.
 */
export async function* writeObjects<T>(model: Model, request: WriteRequest<T>): AsyncGenerator<T> {
  const turns: TalkTurn[] = [{ role: "user", text: request.user }];
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const attempt = new Attempt(model, request, turns);
    yield* attempt.read();
    if (attempt.count > 0) return;
    if (attempt.said.trim() === "") continue;
    const again = `That could not be used: ${attempt.fault ?? NO_OBJECT}. Answer once more, with the JSON alone.`;
    turns.push({ role: "assistant", text: attempt.said.slice(0, MAX_SHOWN_BACK) }, { role: "user", text: again });
  }
}

/** One answer, read to its end or to as many as were asked for. */
class Attempt<T> {
  said = "";
  count = 0;
  fault: string | undefined;
  readonly #model: Model;
  readonly #request: WriteRequest<T>;
  readonly #turns: readonly TalkTurn[];

  constructor(model: Model, request: WriteRequest<T>, turns: readonly TalkTurn[]) {
    this.#model = model;
    this.#request = request;
    this.#turns = [...turns];
  }

  async *read(): AsyncGenerator<T> {
    const { form, system, maxTokens, ownerId, signal, atMost } = this.#request;
    const reader = new ObjectReader(form);
    let isWhole = false;
    const ended = (whole: boolean) => void (isWhole = whole);
    try {
      const asked = { system, turns: this.#turns, maxTokens, ownerId, signal, ended };
      for await (const piece of this.#model.talk?.(asked) ?? []) {
        this.said += piece;
        yield* this.#admitted(reader.push(piece));
        if (this.count >= atMost || this.said.length > maxTokens * MAX_CHARS_PER_TOKEN) return;
      }
      // Of an answer that was cut at its length the last object is half of one.
      if (isWhole) yield* this.#admitted(reader.end());
    } catch (error) {
      if (!(error instanceof Failure) || this.count === 0) throw error;
    }
  }

  *#admitted(written: readonly T[]): Generator<T> {
    for (const one of written) {
      if (this.count >= this.#request.atMost) return;
      const fault = this.#request.faultOf?.(one);
      if (fault === undefined) {
        this.count += 1;
        yield one;
      } else this.fault = fault;
    }
  }
}

const MAX_LINE = 400;

/** A title as a model wrote it, or undefined where it wrote something else: talk, markup, an address. */
function readTitle(written: string): string | undefined {
  const line = (written.trim().split("\n")[0] ?? "")
    .replaceAll(/^(?:title|name)\s*:\s*|^["'“”‘’*#_\s]+|["'“”‘’*_.\s]+$/giu, "")
    .replaceAll(/\s+/gu, " ");
  const isTitle = line.length >= 2 && line.length <= 80 && line.split(" ").length <= 12;
  return isTitle && !/https?:|[<>[\]{}]|^(?:i['’]m sorry|i am|i can|sorry)/iu.test(line) ? line : undefined;
}

/** A title in a model's words; undefined where it cannot converse or gives none, which is nobody's trouble. */
export async function writeTitle(model: Model, request: Asked): Promise<string | undefined> {
  let written = "";
  try {
    const turns = [{ role: "user" as const, text: request.user }];
    for await (const piece of model.talk?.({ ...request, turns }) ?? []) {
      written += piece;
      if (written.length > MAX_LINE) break;
    }
    return readTitle(written);
  } catch (error) {
    request.signal.throwIfAborted();
    if (error instanceof Failure) return undefined;
    throw error;
  }
}
