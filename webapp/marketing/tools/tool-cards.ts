import type { EngineCard, EngineNotice } from "#shared/cards/schema.ts";
import type { Passage } from "#shared/pdf/schema.ts";
import type { CardsMessage, CardsTask } from "./cards-worker.ts";

/** Cards from one source; more are the product's own work. */
export const MAX_CARDS = 30;

export interface ToolCard {
  id: number;
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

/** Makes cards in a worker of the page; yields each as it is found. Throws if the worker cannot be loaded. */
// oxlint-disable-next-line complexity -- one line for each kind of event
export async function* makeToolCards(
  passages: readonly Passage[],
  signal: AbortSignal,
): AsyncGenerator<Made | { notice: EngineNotice }> {
  const worker = new Worker(new URL("./cards-worker.ts", import.meta.url), { type: "module" });
  const events: CardsMessage[] = [];
  let failed = false;
  // oxlint-disable-next-line unicorn/consistent-function-scoping -- replaced while it waits
  let wake = () => {};
  const notify = (change: () => void) => {
    change();
    wake();
  };
  worker.addEventListener("message", ({ data }: MessageEvent<CardsMessage>) => notify(() => events.push(data)));
  worker.addEventListener("error", () => notify(() => (failed = true)));
  signal.addEventListener("abort", () => notify(() => undefined));
  const texts = new Map(passages.map(({ id, text }) => [id, text]));
  const task: CardsTask = { passages, options: { density: "LOW", atMost: MAX_CARDS } };
  try {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
    worker.postMessage(task);
    let count = 0;
    while (!signal.aborted) {
      const event = events.shift();
      if (event?.type === "end" || count >= MAX_CARDS) return;
      if (event?.type === "card") yield { card: toToolCard(event.card, texts.get(event.card.passageId)) };
      if (event?.type === "card") count += 1;
      if (event?.type === "notice") yield { notice: event.notice };
      if (event) continue;
      if (failed) throw new Error("The card maker could not be loaded");
      await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    worker.terminate();
  }
}

const toToolCard = ({ question, answer, quote, page }: EngineCard, passage: string | undefined) => ({
  question,
  answer,
  quote,
  ...(passage === undefined ? {} : { passage }),
  ...(page === undefined ? {} : { page }),
});
