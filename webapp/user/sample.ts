import { pageCitation } from "#shared/citations.ts";
import type { Flashcard } from "#shared/flashcards/schema.ts";
import { t } from "#shared/messages/translate.ts";
import type { Component, TextSubType } from "#shared/pages/schema.ts";
import { sampleFolderId, samplePageIds } from "./sample-ids.ts";
import { queue } from "#webapp/offline/sync.ts";

type Made = Pick<Component, "_id" | "type" | "content">;

const parts = ["fast", "asking", "spread", "small"] as const;
const tries = ["try_study", "try_badge", "try_tutor", "try_blocks", "try_search"] as const;
/** The paragraph each card asks about. */
const asked = [
  ["fast", "fast"],
  ["asking", "asking"],
  ["spread", "spread"],
  ["review", "spread"],
  ["small", "small"],
] as const;

const textOf = (_id: string, words: string, subType: TextSubType): Made => ({
  _id,
  type: "text",
  content: { text: [{ content: words }], subType, metadata: { indents: 0, highlightColor: null } },
});

function notesOf(pageId: string): Made[] {
  const cards = asked.map(([card, part]): Flashcard => ({
    id: `${pageId}-${card}`,
    question: t(`welcome.${card}_q`),
    answer: t(`welcome.${card}_a`),
    questionImage: null,
    citation: pageCitation(pageId, `${part}-${pageId}`, t(`welcome.${card}_quote`)),
  }));
  const title = t("welcome.remembering");
  return [
    ...parts.flatMap((part) => [
      textOf(`${part}-head-${pageId}`, t(`welcome.${part}_head`), "heading_1"),
      textOf(`${part}-${pageId}`, t(`welcome.${part}`), "normal"),
    ]),
    { _id: `deck-${pageId}`, type: "flash_cards", content: { title, cards, minimized: false } },
  ];
}

const triesOf = (pageId: string): Made[] =>
  tries.map((line, at) => textOf(`try-${at}-${pageId}`, t(`welcome.${line}`), "list_checkbox_unchecked"));

async function putPage(pageId: string, title: string, made: readonly Made[]): Promise<void> {
  const { accountId } = queue();
  const now = Date.now();
  await queue().enqueue("page_create", pageId, { title, createdAt: now });
  // A sample deleted before is restored with the student's edits.
  await queue().enqueue("page_update", pageId, { archived: false });
  const meta = { pageId, createdAt: now, modifiedAt: now, createdBy: accountId, lastOpenedAt: null, version: 1 };
  for (const one of made)
    await queue().enqueue("component_create", one._id, {
      component: { ...meta, ...one } as Component,
      parentId: pageId,
    });
}

/** Adds two pages, a deck and a folder to the account; resolves once they are stored on this device. */
export async function addSample(): Promise<void> {
  const { accountId } = queue();
  const { notes, tries: second } = samplePageIds(accountId);
  const folder = sampleFolderId(accountId);
  const now = Date.now();
  await putPage(notes, t("welcome.remembering"), notesOf(notes));
  await putPage(second, t("welcome.tries"), triesOf(second));
  await queue().enqueue("folder_create", folder, { title: t("welcome.sample_folder"), color: "GREEN", createdAt: now });
  const items = [notes, second].map((item_id) => ({ item_id, item_type: "page" as const, created_at: now }));
  await queue().enqueue("folder_update", folder, { items, is_archived: false });
}
