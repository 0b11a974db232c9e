import { atom } from "jotai/vanilla";
import { parseCitation } from "#shared/citations.ts";
import type { Flashcard } from "#shared/flashcards/schema.ts";
import { t } from "#shared/messages/translate.ts";
import { notify } from "#webapp/app/alerts.ts";
import { logWarning } from "#webapp/app/log.ts";
import { store } from "#webapp/app/store.ts";
import type { WindowBox } from "#webapp/app/track-range.ts";
import { contentAtom } from "#webapp/library/content.ts";
import { addCards, listDeckChoices, type CardTarget } from "./card-target.ts";
import { newCardId } from "./generation-runs.ts";

/** A card that is being made from selected text. */
export interface CardDraft {
  text: string;
  /** In the format of `shared/citations.ts`. */
  citation: string;
  pageId: string;
  /** The name of a new deck, if the page has none. */
  newDeck: string;
  /** The position of the selected text in the window. */
  findBox: () => WindowBox;
  /** Adds the card to a deck of an open page, because an open page manages its own decks. */
  addToOpenPage?: ((card: Flashcard) => void) | undefined;
}

export const cardDraftAtom = atom<CardDraft | null>(null);

/** The deck to which a card of this page is added: the page's first deck, or a new deck. */
export function chooseTarget({ pageId, newDeck }: Pick<CardDraft, "pageId" | "newDeck">): {
  target: CardTarget;
  title: string;
} {
  const content = store.get(contentAtom);
  const [deck] = listDeckChoices(content, pageId).filter((choice) => choice.pageId === pageId);
  if (!deck) return { target: { pageId, newDeck }, title: newDeck };
  const summary = content.state === "ready" ? content.components.find(({ _id }) => _id === deck.id) : undefined;
  return { target: { pageId, componentId: deck.id }, title: summary?.title ?? deck.title };
}

/** Adds the card to its deck and shows a notice. */
export async function saveDraft(draft: CardDraft, sides: { question: string; answer: string }): Promise<void> {
  const citation = parseCitation(draft.citation) ? draft.citation : null;
  const card: Flashcard = { id: newCardId(), ...sides, questionImage: null, citation };
  const { target, title } = chooseTarget(draft);
  try {
    if (draft.addToOpenPage) draft.addToOpenPage(card);
    else await addCards(target, [card]);
    notify({ message: t("cardDialogs.draft_saved", { title }), type: "success" });
  } catch (error) {
    logWarning("Could not save a card", error);
    notify({ message: t("cardDialogs.draft_failed"), type: "error" });
  }
}
