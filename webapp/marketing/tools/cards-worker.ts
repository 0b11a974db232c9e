import { generateCards } from "#shared/cards/deck/generate-cards.ts";
import type { EngineEvent, EngineOptions } from "#shared/cards/schema.ts";
import type { Passage } from "#shared/pdf/schema.ts";
import { tagSentence } from "#shared/text/tagging.ts";

export interface CardsTask {
  passages: readonly Passage[];
  options: EngineOptions;
}

export type CardsMessage = EngineEvent | { type: "end" };

/** The worker's global object, for which the types of pages have no declaration. */
const scope = globalThis as unknown as {
  postMessage(message: CardsMessage): void;
  addEventListener(name: "message", listener: (event: { data: CardsTask }) => void): void;
};

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
const post = (message: CardsMessage) => scope.postMessage(message);

// Warm-up: tagging a sentence loads the tagger's model, so that it is ready when there is a text.
tagSentence("The tagger is ready.");

scope.addEventListener("message", ({ data: { passages, options } }) => {
  for (const event of generateCards(passages, options)) post(event);
  post({ type: "end" });
});
