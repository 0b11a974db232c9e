import type { EngineCard, EngineNotice } from "#shared/cards/schema.ts";
import type { Passage } from "#shared/pdf/schema.ts";
import type { CardsMessage, CardsTask } from "./cards-worker.ts";

/** The maximum number of cards from one source. For more cards, visitors need an account. */
export const MAX_CARDS = 30;

export interface ToolCard {
  id: number;
  /** The heading without which the question is unclear, shown above the question. */
  section?: string;
  question: string;
  answer: string;
  /** The words in the source that support the card; undefined for cards written by hand. */
  quote?: string;
  /** The passage that contains the quote. */
  passage?: string;
  page?: number;
}

export interface Made {
  card: Omit<ToolCard, "id">;
}

/** A queue of the worker's messages. `next` waits for the next message. */
class WorkerEvents {
  readonly #events: CardsMessage[] = [];
  #hasFailed = false;
  #wake: (() => void) | undefined;

  constructor(worker: Worker, signal: AbortSignal) {
    worker.addEventListener("message", ({ data }: MessageEvent<CardsMessage>) => {
      this.#events.push(data);
      this.#wake?.();
    });
    worker.addEventListener("error", () => {
      this.#hasFailed = true;
      this.#wake?.();
    });
    signal.addEventListener("abort", () => this.#wake?.());
  }

  /** Undefined once the signal has aborted. Throws if the worker could not be loaded. */
  async next(signal: AbortSignal): Promise<CardsMessage | undefined> {
    while (!signal.aborted) {
      const event = this.#events.shift();
      if (event) return event;
      if (this.#hasFailed) throw new Error("The card maker could not be loaded");
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return undefined;
  }
}

const startWorker = () => new Worker(new URL("./cards-worker.ts", import.meta.url), { type: "module" });

let prepared: Worker | undefined;

/** Starts the worker while a source is being chosen and read, so that it is ready for the text. */
export function prepareToolCards(): void {
  if (prepared) return;
  const worker = startWorker();
  prepared = worker;
  // After an error, the next source starts a new worker, and shows the problem if that fails too.
  worker.addEventListener("error", () => {
    if (prepared === worker) prepared = undefined;
  });
}

function getWorker(): Worker {
  const worker = prepared ?? startWorker();
  prepared = undefined;
  return worker;
}

/**
 * Makes cards in a worker, and yields each card as it is made. Throws if the worker cannot be loaded. `title` is the
 * name of the set of cards, which is not repeated above each question.
 */
export async function* makeToolCards(
  passages: readonly Passage[],
  title: string,
  signal: AbortSignal,
): AsyncGenerator<Made | { notice: EngineNotice }> {
  const worker = getWorker();
  const events = new WorkerEvents(worker, signal);
  const texts = new Map(passages.map(({ id, text }) => [id, text]));
  const headings = { title, all: headingsOf(passages) };
  const task: CardsTask = { passages, options: { density: "LOW", maxCards: MAX_CARDS } };
  try {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
    worker.postMessage(task);
    for (let count = 0; count < MAX_CARDS;) {
      const event = await events.next(signal);
      if (!event || event.type === "end") return;
      if (event.type === "notice") yield { notice: event.notice };
      if (event.type !== "card") continue;
      count += 1;
      yield { card: toToolCard(event.card, texts.get(event.card.passageId), headings) };
    }
  } finally {
    worker.terminate();
  }
}

const headingsOf = (passages: readonly Passage[]) =>
  passages.filter(({ kind }) => kind === "heading").map(({ text }) => text);

/** The heading of a source with only one heading, which becomes the title of the set of cards. */
export function findOnlyHeading(passages: readonly Passage[]): string | undefined {
  const [first, ...others] = headingsOf(passages);
  return others.length === 0 ? first : undefined;
}

/** Matches a heading and the question about it, such as "Zygomycota: What is a sporangium?". */
const PREFIXED = /^([^:?]{2,60}): (.+)$/su;

interface Headings {
  /** The name of the set of cards. */
  title: string;
  all: readonly string[];
}

/**
 * Splits the heading from a question. The heading is dropped if it is the only one and already the title of the set.
 */
function splitHeading(question: string, { title, all }: Headings): Pick<ToolCard, "section" | "question"> {
  const [, name, rest] = PREFIXED.exec(question) ?? [];
  if (name === undefined || rest === undefined) return { question };
  if (!all.some((heading) => heading.toLowerCase().includes(name.toLowerCase()))) return { question };
  return all.length === 1 && all[0] === title ? { question: rest } : { section: name, question: rest };
}

/** The question with its heading, for downloads and for the account. */
export const fullQuestion = ({ section, question }: Pick<ToolCard, "section" | "question">) =>
  section === undefined ? question : `${section}: ${question}`;

const toToolCard = (
  { question, answer, quote, page }: EngineCard,
  passage: string | undefined,
  headings: Headings,
) => ({
  ...splitHeading(question, headings),
  answer,
  quote,
  ...(passage === undefined ? {} : { passage }),
  ...(page === undefined ? {} : { page }),
});
