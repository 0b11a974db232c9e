import { useAtomValue } from "jotai/react";
import { useState } from "react";
import { notify } from "#webapp/app/alerts.ts";
import { logWarning } from "#webapp/app/log.ts";
import { contentAtom, createPage } from "#webapp/library/content.ts";
import { type CardTarget, listDeckChoices } from "./card-target.ts";

const NEW = "new";

interface SaveOptions {
  /** The page whose deck is proposed, and where a new deck goes; undefined creates a page for it. */
  pageId: string | undefined;
  /** Title of a new deck. */
  newDeck: string;
  /** The choice of a new deck in the list. */
  newDeckLabel: string;
  saved: (deckTitle: string) => string;
  failed: string;
  onSaved: () => void;
}

/** The choice of a deck for new cards, and how they are saved there. */
export function useSaveCards({ pageId, newDeck, newDeckLabel, saved, failed, onSaved }: SaveOptions) {
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
      notify({ message: saved(deck?.title ?? newDeck), type: "success" });
      onSaved();
    } catch (error) {
      logWarning("Could not save cards", error);
      notify({ message: failed, type: "error" });
      setSaving(false);
    }
  };
  const options = [...decks.map(({ id, title }) => ({ value: id, label: title })), { value: NEW, label: newDeckLabel }];
  return { deckId: deck?.id ?? NEW, options, setChosen, isSaving, save };
}
