import { createHash } from "node:crypto";
import { setImmediate as breathe } from "node:timers/promises";
import { contentStems } from "#shared/text/words.ts";
import type { Own } from "#api/store/owned-store.ts";
import { findComponent } from "#api/pages/find-component.ts";
import { listDeckHeads } from "#api/pages/overview.ts";

interface CardSides {
  question: string;
  answer: string;
}

/**
 * Hash of the content words of both sides: equal for cards that differ only in function words, endings and punctuation.
 */
export function cardFingerprint({ question, answer }: CardSides): string {
  const [questionStems, answerStems] = [contentStems(question).join(" "), contentStems(answer).join(" ")];
  const text =
    questionStems === "" || answerStems === ""
      ? `${question}\n${answer}`.toLowerCase()
      : `${questionStems}\n${answerStems}`;
  return createHash("sha256").update(text).digest("base64url").slice(0, 27);
}

/** Yield to other requests after this many cards. */
const CARDS_PER_SLICE = 500;

/**
 * The cards of the account's other decks, however they were created. Each deck is read once, starting at construction.
 */
export class OtherDeckCards {
  readonly #keys: Promise<ReadonlySet<string>>;

  constructor(own: Own, deckId: string) {
    this.#keys = readCardKeys(own, deckId);
    // Avoids an unhandled rejection; `hasCard` still reports the error.
    this.#keys.catch(() => undefined);
  }

  async hasCard(card: CardSides): Promise<boolean> {
    return (await this.#keys).has(cardFingerprint(card));
  }
}

async function readCardKeys(own: Own, deckId: string): Promise<ReadonlySet<string>> {
  const keys = new Set<string>();
  for (const { _id } of await listDeckHeads(own)) {
    const deck = _id === deckId ? undefined : await findComponent(own, _id);
    if (deck?.type !== "flash_cards") continue;
    for (const [index, card] of deck.content.cards.entries()) {
      if (index % CARDS_PER_SLICE === 0) await breathe();
      keys.add(cardFingerprint(card));
    }
  }
  return keys;
}
