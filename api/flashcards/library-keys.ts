import { createHash } from "node:crypto";
import { contentStems } from "#shared/engine/words.ts";
import type { Own } from "#api/kit/store/owned.ts";
import { findComponent } from "#api/pages/service.ts";
import { findAsked, saveAsked } from "./store.ts";

interface Asked {
  question: string;
  answer: string;
}

/** The words of matter on both sides: the same for two cards that differ in small words, endings and marks alone. */
export function keyOfCard({ question, answer }: Asked): string {
  const [asked, said] = [contentStems(question).join(" "), contentStems(answer).join(" ")];
  const text = asked === "" || said === "" ? `${question}\n${answer}`.toLowerCase() : `${asked}\n${said}`;
  return createHash("sha256").update(text).digest("base64url").slice(0, 27);
}

/** Whether another deck that is still there asks this. Decks are read once each. */
export class Library {
  readonly #own: Own;
  readonly #deckId: string;
  readonly #decks = new Map<string, Promise<ReadonlySet<string>>>();

  constructor(own: Own, deckId: string) {
    this.#own = own;
    this.#deckId = deckId;
  }

  async asks(card: Asked): Promise<boolean> {
    const held = await findAsked(this.#own, keyOfCard(card));
    if (!held || held.deckId === this.#deckId) return false;
    return (await this.#cardsOf(held.deckId)).has(held.cardId);
  }

  async note(cards: readonly (Asked & { id: string })[]): Promise<void> {
    const save = (card: Asked & { id: string }) =>
      saveAsked(this.#own, keyOfCard(card), { deckId: this.#deckId, cardId: card.id });
    await Promise.all(cards.map(save));
  }

  #cardsOf(deckId: string): Promise<ReadonlySet<string>> {
    const known = this.#decks.get(deckId);
    if (known) return known;
    const cards = findComponent(this.#own, deckId).then(
      (deck) => new Set(deck?.type === "flash_cards" ? deck.content.cards.map(({ id }) => id) : []),
    );
    this.#decks.set(deckId, cards);
    return cards;
  }
}
