import { pageCitation } from "#shared/citations.ts";
import type { Flashcard } from "#shared/flashcards/schema.ts";
import { t } from "#shared/messages/translate.ts";
import type { Component, TextSubType } from "#shared/pages/schema.ts";
import { getSampleFolderId, getSamplePageIds } from "./sample-ids.ts";
import { queue } from "#webapp/offline/sync.ts";

type NewComponent = Pick<Component, "_id" | "type" | "content">;

const parts = ["fast", "asking", "spread", "small"] as const;
const tries = ["try_study", "try_badge", "try_tutor", "try_blocks", "try_search"] as const;
/** The cards, each with the paragraph that it is about. */
const cardParagraphs = [
  ["fast", "fast"],
  ["asking", "asking"],
  ["spread", "spread"],
  ["review", "spread"],
  ["small", "small"],
] as const;

const createText = (_id: string, words: string, subType: TextSubType): NewComponent => ({
  _id,
  type: "text",
  content: { text: [{ content: words }], subType, metadata: { indents: 0, highlightColor: null } },
});

function createNotes(pageId: string): NewComponent[] {
  const cards = cardParagraphs.map(([card, part]): Flashcard => ({
    id: `${pageId}-${card}`,
    question: t(`welcome.${card}_q`),
    answer: t(`welcome.${card}_a`),
    questionImage: null,
    citation: pageCitation(pageId, `${part}-${pageId}`, t(`welcome.${card}_quote`)),
  }));
  const title = t("welcome.remembering");
  return [
    ...parts.flatMap((part) => [
      createText(`${part}-head-${pageId}`, t(`welcome.${part}_head`), "heading_1"),
      createText(`${part}-${pageId}`, t(`welcome.${part}`), "normal"),
    ]),
    { _id: `deck-${pageId}`, type: "flash_cards", content: { title, cards, minimized: false } },
  ];
}

const createTries = (pageId: string): NewComponent[] =>
  tries.map((line, index) => createText(`try-${index}-${pageId}`, t(`welcome.${line}`), "list_checkbox_unchecked"));

async function createSamplePage(pageId: string, title: string, components: readonly NewComponent[]): Promise<void> {
  const { accountId } = queue();
  const now = Date.now();
  await queue().enqueue("page_create", pageId, { title, createdAt: now });
  // A sample that was deleted before is restored with the student's edits.
  await queue().enqueue("page_update", pageId, { archived: false });
  const meta = { pageId, createdAt: now, modifiedAt: now, createdBy: accountId, lastOpenedAt: null, version: 1 };
  for (const component of components)
    await queue().enqueue("component_create", component._id, {
      component: { ...meta, ...component } as Component,
      parentId: pageId,
    });
}

/** Adds two pages, a deck and a folder to the account; resolves once they are stored on this device. */
export async function addSample(): Promise<void> {
  const { accountId } = queue();
  const { notes, tries: triesPageId } = getSamplePageIds(accountId);
  const folder = getSampleFolderId(accountId);
  const now = Date.now();
  await createSamplePage(notes, t("welcome.remembering"), createNotes(notes));
  await createSamplePage(triesPageId, t("welcome.tips"), createTries(triesPageId));
  await queue().enqueue("folder_create", folder, { title: t("welcome.sample_folder"), color: "GREEN", createdAt: now });
  const items = [notes, triesPageId].map((item_id) => ({ item_id, item_type: "page" as const, created_at: now }));
  await queue().enqueue("folder_update", folder, { items, is_archived: false });
}
