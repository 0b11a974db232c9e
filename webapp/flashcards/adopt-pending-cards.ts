import { z } from "zod";
import { PENDING_CARDS_KEY } from "#shared/marketing/pending-cards.ts";
import type { Flashcard } from "#shared/flashcards/schema.ts";
import { t } from "#shared/messages/translate.ts";
import type { Component } from "#shared/pages/schema.ts";
import { notify } from "#webapp/app/alerts.ts";
import { logWarning } from "#webapp/app/log.ts";
import { queue } from "#webapp/offline/sync.ts";

const MAX_CARDS = 1000;
const side = z.string().max(20_000);
/** Cards that a public page stored in this browser. Data of another shape is ignored. */
const PendingSchema = z.object({
  pageId: z.string().regex(/^[0-9A-Z]{26}$/),
  title: z.string().min(1).max(200),
  cards: z
    .array(z.object({ question: side, answer: side }))
    .min(1)
    .max(MAX_CARDS),
});

function readPending(text: string): z.infer<typeof PendingSchema> | undefined {
  try {
    return PendingSchema.parse(JSON.parse(text));
  } catch (error) {
    logWarning("The cards of a free tool could not be read", error);
    return undefined;
  }
}

/** Adds a page with the cards that a visitor made in a free tool. Resolves once the page is stored on this device. */
export async function adoptPendingCards(text: string): Promise<void> {
  const pending = readPending(text);
  if (pending) {
    const { pageId, title } = pending;
    const now = Date.now();
    const { accountId } = queue();
    const cards = pending.cards.map(({ question, answer }, index): Flashcard => ({
      id: `${pageId}-${index}`,
      question,
      answer,
      questionImage: null,
      citation: null,
    }));
    const meta = { pageId, createdAt: now, modifiedAt: now, createdBy: accountId, lastOpenedAt: null, version: 1 };
    const component = {
      ...meta,
      _id: `deck-${pageId}`,
      type: "flash_cards",
      content: { title, cards, minimized: false },
    };
    await queue().enqueue("page_create", pageId, { title, createdAt: now });
    await queue().enqueue("component_create", component._id, { component: component as Component, parentId: pageId });
    notify({ message: t("flashcards.from_tool", { count: cards.length, title }), type: "success" });
  }
  localStorage.removeItem(PENDING_CARDS_KEY);
}
