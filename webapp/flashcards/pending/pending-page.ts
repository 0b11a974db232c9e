import { pageCitation } from "#shared/citations.ts";
import type { Flashcard } from "#shared/flashcards/schema.ts";
import { t } from "#shared/messages/translate.ts";
import type { Component, Run, TextSubType } from "#shared/pages/schema.ts";
import type { PendingSet } from "./pending-sets.ts";

type NewComponent = Pick<Component, "_id" | "type" | "content">;

const passageId = (pageId: string, index: number) => `${pageId}-text-${index}`;

const createText = (_id: string, text: Run[], subType: TextSubType): NewComponent => ({
  _id,
  type: "text",
  content: { text, subType, metadata: { indents: 0, highlightColor: null } },
});

const lineTypes = { heading: "heading_2", task: "list_checkbox_unchecked", text: "normal" } as const satisfies Record<
  PendingSet["lines"][number]["kind"],
  TextSubType
>;

/** The page of a study plan, or of a set of cards. */
export const createPendingPage = (set: PendingSet): NewComponent[] =>
  set.lines.length > 0
    ? set.lines.map(({ kind, text }, index) =>
        createText(passageId(set.pageId, index), [{ content: text }], lineTypes[kind]),
      )
    : createCardsPage(set);

/** The deck of a set, and the passages that the cards cite, because their file is not in the account. */
function createCardsPage({ pageId, title, source, passages, cards }: PendingSet): NewComponent[] {
  const toFlashcard = ({ question, answer, quote, passage = -1 }: PendingSet["cards"][number], index: number) => {
    const isCited = quote !== undefined && passages[passage]?.text.includes(quote) === true;
    const card: Flashcard = {
      id: `${pageId}-${index}`,
      question,
      answer,
      questionImage: null,
      citation: isCited ? pageCitation(pageId, passageId(pageId, passage), quote) : null,
    };
    return card;
  };
  const deck: NewComponent = {
    _id: `deck-${pageId}`,
    type: "flash_cards",
    content: { title, cards: cards.map(toFlashcard), minimized: false },
  };
  if (passages.length === 0) return [deck];
  const heading =
    source === undefined ? t("flashcards.from_tool_passages") : t("flashcards.from_tool_source", { source });
  const texts = passages.map(({ text, page }, index) => {
    const place: Run[] =
      page === undefined ? [] : [{ content: ` (${t("study.cite_place", { page })})`, attributes: { italic: true } }];
    return createText(passageId(pageId, index), [{ content: text }, ...place], "normal");
  });
  return [deck, createText(`${pageId}-texts`, [{ content: heading }], "heading_2"), ...texts];
}
