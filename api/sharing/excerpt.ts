import { cutCardText } from "#shared/flashcards/card-text.ts";
import type { Flashcard } from "#shared/flashcards/schema.ts";
import { splitSectionLine } from "#shared/flashcards/section-line.ts";
import { plainText } from "#shared/pages/runs.ts";
import type { Component } from "#shared/pages/schema.ts";
import type { ItemExcerpt } from "#shared/sharing/schema.ts";
import { ownedBy } from "#api/store/owned-store.ts";
import type { DocumentStore } from "#api/store/port.ts";
import { detectLanguageTag } from "#api/ai/language-detection.ts";
import { readComponents } from "#api/pages/find-component.ts";
import type { SharedHead } from "./shared-content.ts";
import { listSharedDeckHeads, readContentIds } from "./shared-part.ts";
import type { ShareDoc } from "./store.ts";
import { cacheKey, VersionCache } from "./version-cache.ts";

const MAX_TEXT = 200;
/** How much of the content is read: enough characters for an excerpt, from few components, and one deck. */
const MAX_READ_CHARS = 300;
const MAX_READ_COMPONENTS = 5;
const MAX_SAMPLES = 3;
const MAX_SIDE_CHARS = 160;
const MAX_CACHED = 2_000;

const texts = new VersionCache<string>(MAX_CACHED, () => 1);
const decks = new VersionCache<DeckExcerpt>(MAX_CACHED, () => 1);
const languages = new VersionCache<string | null>(MAX_CACHED, () => 1);

type DeckExcerpt = Pick<ItemExcerpt, "samples" | "cards">;

/** The beginning of a shared item; cached until the item changes. */
export async function readExcerpt(store: DocumentStore, share: ShareDoc, head: SharedHead): Promise<ItemExcerpt> {
  const text = await readFirstWords(store, share, head);
  const deck = await readDeck(store, share, head);
  const language = await languages.get(cacheKey(share), head.version, async () => {
    const words = [text, ...deck.samples.flatMap(({ question, answer }) => [question, answer])];
    return detectLanguageTag(words.join(" ")) ?? null;
  });
  return { text, ...deck, language };
}

/** The first words of the texts of an item, otherwise of its first question. */
export const readFirstWords = (store: DocumentStore, share: ShareDoc, { version }: SharedHead) =>
  texts.get(cacheKey(share), version, async () => {
    const ids = await readContentIds(store, share, version);
    let text = "";
    for await (const component of readComponents(ownedBy(store, share.ownerId), ids.slice(0, MAX_READ_COMPONENTS))) {
      text = `${text} ${beginningOf(component)}`.slice(0, MAX_READ_CHARS);
      if (text.length === MAX_READ_CHARS) break;
    }
    return cutAtWord(text, MAX_TEXT);
  });

const readDeck = (store: DocumentStore, share: ShareDoc, { version }: SharedHead) =>
  decks.get(cacheKey(share), version, async () => {
    const own = ownedBy(store, share.ownerId);
    const heads = await listSharedDeckHeads(own, share);
    const cards = heads.reduce((sum, { cardCount }) => sum + (cardCount ?? 0), 0);
    const [first] = heads;
    for await (const deck of readComponents(own, first ? [first._id] : []))
      if (deck.type === "flash_cards") return { samples: sampleCards(deck.content.cards), cards };
    return { samples: [], cards };
  });

/**
 * The first cards that can be shown as text: both sides have text after shortening, and no picture is beside the
 * question, because pictures are not sent.
 */
function sampleCards(cards: readonly Flashcard[]): DeckExcerpt["samples"] {
  const samples: DeckExcerpt["samples"] = [];
  for (const card of cards) {
    if (samples.length === MAX_SAMPLES) break;
    if (card.questionImage !== null) continue;
    const question = cutCardText(splitSectionLine(card).question, MAX_SIDE_CHARS);
    const answer = cutCardText(card.answer, MAX_SIDE_CHARS);
    if (question !== "" && answer !== "") samples.push({ question, answer });
  }
  return samples;
}

export function clearExcerpts(ownerId: string): void {
  for (const cache of [texts, decks, languages]) cache.removePrefix(cacheKey({ ownerId, _id: "" }));
}

function cutAtWord(text: string, maxChars: number): string {
  const words = text
    .slice(0, maxChars * 2)
    .replaceAll(/\s+/g, " ")
    .trim();
  return words.length > maxChars ? `${words.slice(0, maxChars).replace(/\s\S*$/u, "")} …` : words;
}

function beginningOf(component: Component): string {
  if (component.type === "flash_cards") return component.content.cards[0]?.question.slice(0, MAX_READ_CHARS) ?? "";
  if (component.type !== "text") return "";
  let text = "";
  for (const run of component.content.text) {
    text += plainText([run]).slice(0, MAX_READ_CHARS);
    if (text.length >= MAX_READ_CHARS) break;
  }
  return text;
}
