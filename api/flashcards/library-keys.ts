import { createHash } from "node:crypto";
import { setImmediate as breathe } from "node:timers/promises";
import { contentStems } from "#shared/engine/words.ts";
import type { Own } from "#api/store/owned.ts";
import { findComponent, listDeckHeads } from "#api/pages/service.ts";

interface Asked {
  question: string;
  answer: string;
}

/**
 * Hash of the content words of both sides: equal for cards that differ only in function words, endings and punctuation.
 */
export function keyOfCard({ question, answer }: Asked): string {
  const [asked, said] = [contentStems(question).join(" "), contentStems(answer).join(" ")];
  const text = asked === "" || said === "" ? `${question}\n${answer}`.toLowerCase() : `${asked}\n${said}`;
  return createHash("sha256").update(text).digest("base64url").slice(0, 27);
}

/** Yield to other requests after this many cards. */
const CARDS_AT_ONCE = 500;

/**
 * The cards of the account's other decks, however they were created. Each deck is read once, starting at construction.
 */
export class Library {
  readonly #keys: Promise<ReadonlySet<string>>;

  constructor(own: Own, deckId: string) {
    this.#keys = keysBeside(own, deckId);
    // Avoids an unhandled rejection; `asks` still reports the error.
    this.#keys.catch(() => undefined);
  }

  async asks(card: Asked): Promise<boolean> {
    return (await this.#keys).has(keyOfCard(card));
  }
}

async function keysBeside(own: Own, deckId: string): Promise<ReadonlySet<string>> {
  const keys = new Set<string>();
  for (const { _id } of await listDeckHeads(own)) {
    const deck = _id === deckId ? undefined : await findComponent(own, _id);
    if (deck?.type !== "flash_cards") continue;
    for (const [at, card] of deck.content.cards.entries()) {
      if (at % CARDS_AT_ONCE === 0) await breathe();
      keys.add(keyOfCard(card));
    }
  }
  return keys;
}
