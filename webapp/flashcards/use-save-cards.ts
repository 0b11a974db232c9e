import { useAtomValue } from "jotai/react";
import { useState } from "react";
import { notify } from "#webapp/app/alerts.ts";
import { logWarning } from "#webapp/app/log.ts";
import { contentAtom, createPage } from "#webapp/library/content.ts";
import { type CardTarget, listDeckChoices } from "./card-target.ts";

const NEW = "new";

interface SaveOptions {
  /** The page whose deck is preselected and to which a new deck is added; undefined creates a page for a new deck. */
  pageId: string | undefined;
  /** Title of a new deck. */
  newDeck: string;
  /** Label of the option for a new deck. */
  newDeckLabel: string;
  savedMessage: (deckTitle: string) => string;
  failedMessage: string;
  onSaved: () => void;
}

/** The deck that the student chooses for new cards, and a function that saves them in this deck. */
export function useSaveCards({ pageId, newDeck, newDeckLabel, savedMessage, failedMessage, onSaved }: SaveOptions) {
  const decks = listDeckChoices(useAtomValue(contentAtom), pageId ?? "");
  const [chosenId, setChosen] = useState<string>();
  const [isSaving, setSaving] = useState(false);
  const deck = decks.find((choice) => (chosenId === undefined ? choice.pageId === pageId : choice.id === chosenId));
  const save = async (add: (target: CardTarget) => Promise<void>) => {
    setSaving(true);
    try {
      const target = deck
        ? { pageId: deck.pageId, componentId: deck.id }
        : { pageId: pageId ?? (await createPage()), newDeck };
      await add(target);
      notify({ message: savedMessage(deck?.title ?? newDeck), type: "success" });
      onSaved();
    } catch (error) {
      logWarning("Could not save cards", error);
      notify({ message: failedMessage, type: "error" });
      setSaving(false);
    }
  };
  const options = [...decks.map(({ id, title }) => ({ value: id, label: title })), { value: NEW, label: newDeckLabel }];
  return { deckId: deck?.id ?? NEW, options, setChosen, isSaving, save };
}
