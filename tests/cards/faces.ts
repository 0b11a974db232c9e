import { generateCards } from "#shared/cards/deck/generate-cards.ts";
import { passagesFromText } from "#shared/text/plain-text.ts";
import type { Density, EngineCard } from "#shared/cards/schema.ts";
import type { Passage } from "#shared/pdf/schema.ts";

export const cardsOf = (passages: readonly Passage[], density: Density = "VERY_HIGH"): EngineCard[] =>
  [...generateCards(passages, { density })].flatMap((e) => (e.type === "card" ? [e.card] : []));

/** Both sides of every card that a text gives. */
export const faces = (text: string, density?: Density): string[] =>
  cardsOf(passagesFromText(text), density).map(({ question, answer }) => `${question} → ${answer}`);

/** What the harbour texts begin with, so that a source has matter of its own. */
export const OPENING = "The sea has marks of many kinds that help a ship on its way.";
const own = new Set(faces(OPENING));

/** What a text gives behind that opening, without the opening's own cards. */
export const facesOf = (text: string): string[] => faces(`${OPENING}\n\n${text}`).filter((face) => !own.has(face));
