import { generateCards } from "#shared/cards/deck/generate-cards.ts";
import { BLANK, type EngineCard } from "#shared/cards/schema.ts";
import { pageCitation } from "#shared/citations.ts";
import type { Flashcard } from "#shared/flashcards/schema.ts";
import { parseMarkdownBlocks } from "#shared/pages/markdown-read.ts";
import { plainText } from "#shared/pages/runs.ts";
import type { Component } from "#shared/pages/schema.ts";
import { Topic } from "#shared/sharing/schema.ts";
import { starterPageId, type StarterPage } from "#shared/sharing/starter.ts";
import { passagesFromText } from "#shared/text/plain-text.ts";

const files = import.meta.glob<string>("./chapters/*.md", { query: "?raw", import: "default", eager: true });

/** Matches `# Title` and then `<!-- emoji | topic | description -->`. The chapter follows. */
const HEAD = /^# (.+)\n+<!-- (\S+) \| (\w+) \| (.+) -->\n/;

/** The chapters were written for the product: see `docs/marketing.md`. */
const ATTRIBUTION = "Written for Lamplight; cards made by its built-in card maker";

/** The starter collection: each chapter as a page, with the cards that the built-in card maker makes from it. */
export const makeStarter = (): StarterPage[] =>
  Object.keys(files)
    .toSorted((a, b) => a.localeCompare(b))
    .map((name) => makePage(/([\w-]+)\.md$/.exec(name)?.[1] ?? "", files[name] ?? ""));

function makePage(slug: string, source: string): StarterPage {
  const [head, title = "", emoji = "", topic, description = ""] = HEAD.exec(source) ?? [];
  if (head === undefined) throw new Error(`The chapter ${slug} has no head`);
  const text = source.slice(head.length);
  const pageId = starterPageId(slug);
  const texts = parseMarkdownBlocks(text).map((block, index): Component => {
    if (block.type !== "text") throw new Error(`The chapter ${slug} has a block that is not text: ${block.type}`);
    return { ...headOf(pageId, `${pageId}-text-${index}`), ...block };
  });
  const deckId = `${pageId}-cards`;
  const cards = makeCards(text).flatMap((card, index) => toFlashcard(card, `${deckId}-${index}`, texts) ?? []);
  const deck: Component = {
    ...headOf(pageId, deckId),
    type: "flash_cards",
    content: { title, cards, minimized: false },
  };
  return {
    slug,
    title,
    emoji,
    topic: Topic.parse(topic),
    description,
    licence: "cc_by",
    attribution: ATTRIBUTION,
    components: [...texts, deck],
  };
}

const headOf = (pageId: string, _id: string) => ({
  _id,
  pageId,
  createdAt: 0,
  modifiedAt: 0,
  createdBy: "",
  lastOpenedAt: null,
  version: 1,
});

const makeCards = (text: string): EngineCard[] =>
  [...generateCards(passagesFromText(text), { density: "LOW" })].flatMap((event) =>
    event.type === "card" ? [event.card] : [],
  );

/** Converts a card, which then cites the block that contains its quote; undefined if no block contains it. */
function toFlashcard({ question, answer, quote }: EngineCard, id: string, blocks: readonly Component[]) {
  const cited = blocks.find((block) => block.type === "text" && plainText(block.content.text).includes(quote));
  if (!cited) return undefined;
  const card: Flashcard = {
    id,
    question,
    answer,
    questionImage: null,
    citation: pageCitation(cited.pageId, cited._id, quote),
    ...(question.includes(BLANK) ? { kind: "cloze" as const } : {}),
  };
  return card;
}
