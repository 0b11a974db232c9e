import { Failure } from "#shared/contract/failure.ts";
import type { EngineOptions } from "#shared/cards/schema.ts";
import { FOCUS_CARD_COUNT } from "#shared/flashcards/rules.ts";
import { runEngine, warmThread } from "./engine-threads.ts";
import type { CardEvent, CardRequest, Model } from "../port.ts";

/** A chapter takes about a second, a book ten; anything longer blocks a thread for other users. */
const TIME_LIMIT_MS = 2 * 60_000;

function toEngineOptions({ options, existing, formPreference }: CardRequest): EngineOptions {
  const { density, customInstructions, language, focus } = options;
  const instructions = [customInstructions ?? "", focus?.kind === "term" ? focus.label : ""].join(" ").trim();
  return {
    density,
    ...(focus === undefined ? {} : { maxCards: FOCUS_CARD_COUNT }),
    existingCards: existing.map(({ question, answer }) => ({ question, answer })),
    ...(formPreference === undefined ? {} : { formPreference }),
    ...(instructions === "" ? {} : { customInstructions: instructions }),
    ...(language === undefined ? {} : { language }),
  };
}

/**
 * Deterministic: the same request yields the same cards in the same order, so an interrupted generation is simply run
 * again.
 */
async function* generateCards(request: CardRequest): AsyncGenerator<CardEvent> {
  const task = { passages: request.passages, options: toEngineOptions(request) };
  for await (const event of runEngine(task, { signal: request.signal, timeLimitMs: TIME_LIMIT_MS })) {
    switch (event.type) {
      case "card": {
        const { question, answer, quote, passageId, page } = event.card;
        yield { type: "card", card: { question, answer, quote, passageId, page } };
        break;
      }
      case "progress":
        yield { ...event, stage: "reading" };
        break;
      case "notice":
        yield event;
        break;
      case "failed":
        throw new Failure("broken", "no_cards_made", {}, { kind: event.kind });
      case "coverage":
      case "end":
        break;
      default:
        event satisfies never;
    }
  }
}

/**
 * The engine that is always available: it turns sentences of the source into questions, without an API key or network.
 */
export const builtinModel: Model = {
  info: {
    id: "lamplight-builtin",
    name: "Built-in engine",
    description: "Runs on this server without a key. It asks about sentences of your own material and invents none.",
  },
  prepare: warmThread,
  generateCards,
};
