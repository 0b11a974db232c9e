import type { EngineCard, EngineNotice } from "#shared/cards/schema.ts";
import type { Passage } from "#shared/pdf/schema.ts";
import type { CardsMessage, CardsTask } from "./cards-worker.ts";

/** Cards from one source; more are the product's own work. */
export const MAX_CARDS = 30;

export interface ToolCard {
  id: number;
  /** The heading that the question needs to be understood; shown above it. */
  section?: string;
  question: string;
  answer: string;
  /** The words that prove it, and the passage around them; cards written by hand have none. */
  quote?: string;
  passage?: string;
  page?: number;
}

export interface Made {
  card: Omit<ToolCard, "id">;
}

/** What the worker sends, in order, for a reader that may wait for it. */
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
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    return undefined;
  }
}

const startWorker = () => new Worker(new URL("./cards-worker.ts", import.meta.url), { type: "module" });

let prepared: Worker | undefined;

/** Loads the card maker while a source is chosen and read, so that it is ready for the text. */
export function prepareToolCards(): void {
  if (prepared) return;
  const worker = startWorker();
  prepared = worker;
  // The next source tries again, and says so if that fails too.
  worker.addEventListener("error", () => {
    if (prepared === worker) prepared = undefined;
  });
}

function takeWorker(): Worker {
  const worker = prepared ?? startWorker();
  prepared = undefined;
  return worker;
}

/**
 * Makes cards in a worker of the page; yields each as it is found. Throws if the worker cannot be loaded. `title` is the
 * name of the set, whose words a question does not repeat.
 */
export async function* makeToolCards(
  passages: readonly Passage[],
  title: string,
  signal: AbortSignal,
): AsyncGenerator<Made | { notice: EngineNotice }> {
  const worker = takeWorker();
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

/** The heading of a source that has only one, which names its set of cards. */
export function findOnlyHeading(passages: readonly Passage[]): string | undefined {
  const [first, ...others] = headingsOf(passages);
  return others.length === 0 ? first : undefined;
}

/** "Zygomycota: What is a sporangium?": a heading, and the question about it. */
const PREFIXED = /^([^:?]{2,60}): (.+)$/su;

interface Headings {
  /** The name of the set of cards. */
  title: string;
  all: readonly string[];
}

/** Takes the heading out of a question; where the source has only one and the set is named after it, it is not shown again. */
function splitHeading(question: string, { title, all }: Headings): Pick<ToolCard, "section" | "question"> {
  const [, name, rest] = PREFIXED.exec(question) ?? [];
  if (name === undefined || rest === undefined) return { question };
  if (!all.some((heading) => heading.toLowerCase().includes(name.toLowerCase()))) return { question };
  return all.length === 1 && all[0] === title ? { question: rest } : { section: name, question: rest };
}

/** The question with its heading, as it leaves the page. */
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
