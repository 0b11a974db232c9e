import { generateCards } from "#shared/cards/deck/generate-cards.ts";
import { passagesFromText } from "#shared/text/plain-text.ts";
import type { Density, EngineCard } from "#shared/cards/schema.ts";
import type { Passage } from "#shared/pdf/schema.ts";

export const cardsOf = (passages: readonly Passage[], density: Density = "VERY_HIGH"): EngineCard[] =>
  [...generateCards(passages, { density })].flatMap((e) => (e.type === "card" ? [e.card] : []));

/** Front and back of every card that is made from a text. */
export const cardTexts = (text: string, density?: Density): string[] =>
  cardsOf(passagesFromText(text), density).map(({ question, answer }) => `${question} → ${answer}`);

/** Opens the test texts, so that each source has at least one usable sentence. */
export const OPENING = "The sea has marks of many kinds that help a ship on its way.";
const openingTexts = new Set(cardTexts(OPENING));

/** The cards that a text adds when it follows that sentence. */
export const newCardTexts = (text: string): string[] =>
  cardTexts(`${OPENING}\n\n${text}`).filter((face) => !openingTexts.has(face));
