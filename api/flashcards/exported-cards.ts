import type { Flashcard } from "#shared/flashcards/schema.ts";
import type { Review } from "#shared/study/schema.ts";
import { groupBy } from "#shared/pages/rules.ts";
import type { AnkiCard } from "#api/documents/anki/anki-messages.ts";
import type { Own } from "#api/store/owned-store.ts";
import { findComponent } from "#api/pages/find-component.ts";
import { listDeckHeads } from "#api/pages/overview.ts";
import { readDeckStudy } from "#api/study/service.ts";

interface LocalDeck {
  componentId: string;
  pageId: string;
  title: string;
  cardCount: number;
}

interface LocalCard {
  cardId: string;
  deck: LocalDeck;
}

/**
 * An Anki deck that was exported from here: our deck, the cards that the account has, and the cards that were added in
 * Anki.
 */
export interface ReturningDeck {
  deck: LocalDeck;
  /** Cards that the account has, each with its local id and deck. */
  known: readonly { card: AnkiCard; local: LocalCard }[];
  added: readonly AnkiCard[];
}

/**
 * The keys under which a card that was created here comes back from Anki; see `groupNotes`, which names the notes of an
 * export. An imported card needs none, because it keeps the key of its package, by which every import finds it.
 */
function listReturningKeys({ id, groupId, cloze, occlusion }: Flashcard): string[] {
  if (id.startsWith("anki:")) return [];
  if (cloze) return [`anki:${cloze.index - 1}:${groupId ?? id}`];
  const regionIndex = occlusion ? occlusion.regions.findIndex((region) => region.id === occlusion.regionId) : -1;
  // An occlusion card without its image is exported as a pair of texts.
  return [`anki:0:${id}`, ...(regionIndex === -1 ? [] : [`anki:${regionIndex}:${groupId ?? id}`])];
}

/** Finds the account's cards that a package contains. */
export class ExportedCards {
  readonly #cards = new Map<string, LocalCard>();
  readonly #reviews = new Map<string, Map<string, Review[]>>();
  readonly #own: Own;

  private constructor(own: Own) {
    this.#own = own;
  }

  static async read(own: Own): Promise<ExportedCards> {
    const exported = new ExportedCards(own);
    for (const { _id } of await listDeckHeads(own)) {
      const component = await findComponent(own, _id);
      if (component?.type !== "flash_cards") continue;
      const { title, cards } = component.content;
      const deck = { componentId: _id, pageId: component.pageId, title, cardCount: cards.length };
      for (const card of cards) exported.#add(card, deck);
    }
    return exported;
  }

  #add(card: Flashcard, deck: LocalDeck): void {
    for (const key of listReturningKeys(card)) this.#cards.set(key, { cardId: card.id, deck });
  }

  /** The deck that most of these cards are in; undefined if the account has none of them. */
  match(cards: readonly AnkiCard[]): ReturningDeck | undefined {
    const known = cards.flatMap((card) => {
      const local = this.#cards.get(card.key);
      return local ? { card, local } : [];
    });
    const byDeck = [...groupBy(known, ({ local }) => local.deck.componentId).values()];
    const deck = byDeck.toSorted((a, b) => b.length - a.length)[0]?.[0]?.local.deck;
    return deck && { deck, known, added: cards.filter(({ key }) => !this.#cards.has(key)) };
  }

  /** The reviews of a card that are stored here. */
  async reviewsOf({ cardId, deck: { componentId } }: LocalCard): Promise<readonly Review[]> {
    let reviews = this.#reviews.get(componentId);
    if (!reviews) {
      reviews = groupBy((await readDeckStudy(this.#own, componentId)).reviews, (review) => review.cardId);
      this.#reviews.set(componentId, reviews);
    }
    return reviews.get(cardId) ?? [];
  }
}

/** In Anki no two answers have the same time, so an answer may have moved by a few milliseconds. */
const SAME_ANSWER_MS = 1000;

/**
 * The answers that were given in Anki since the export. The exported answers are stored here already. The state of a
 * card is computed from all answers, so the state from Anki is needed only for a card without answers.
 */
export function newAnswers(
  incoming: readonly Review[],
  stored: readonly Review[],
  { cardId, deck: { componentId } }: LocalCard,
): Review[] {
  const answers = incoming.filter(({ seed }) => !seed);
  const reviews = answers.length === 0 && stored.length === 0 ? incoming : answers;
  return reviews.flatMap((review) =>
    stored.some(({ seed, reviewedAt }) => !seed && Math.abs(reviewedAt - review.reviewedAt) < SAME_ANSWER_MS)
      ? []
      : { ...review, cardId, componentId },
  );
}

/** The id that a card had here before it was exported, in case it was deleted since. */
export const idBeforeExport = (key: string): string => key.replace(/^anki:\d+:/, "");
