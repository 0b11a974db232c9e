import { useState } from "react";
import { ulid } from "ulid";
import { withReversed } from "#shared/flashcards/card-builders.ts";
import { moveCards, toggleSuspended, toggleTag, withoutCards } from "#shared/flashcards/deck-edits.ts";
import { truncateText } from "#shared/flashcards/truncate-text.ts";
import type { Flashcard } from "#shared/flashcards/schema.ts";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Dialog } from "#shared/ui/overlays/dialog.tsx";
import { Menu } from "#shared/ui/overlays/menu.tsx";
import { TextField } from "#shared/ui/controls/text-field.tsx";
import { notify } from "#webapp/app/alerts.ts";
import { editCards, moveCardsToDeck, toggleFavourites, captureUndo, type OpenDeck } from "../deck/deck-state.ts";

interface Props {
  deck: OpenDeck;
  shown: readonly Flashcard[];
  chosen: ReadonlySet<string>;
  onChosen: (ids: ReadonlySet<string>) => void;
}

/** Bulk actions for the selected cards. */
export function BulkActionsBar({ deck, shown, chosen, onChosen }: Props) {
  const [openDialog, setOpenDialog] = useState<"tag" | "split" | null>(null);
  const noSelection = new Set<string>();
  const remove = () => {
    editCards((cards) => withoutCards(cards, chosen));
    notify({
      message: t("flashcards.removed", { count: chosen.size }),
      type: "success",
      action: { label: t("common.undo"), run: captureUndo() },
    });
    onChosen(noSelection);
  };
  const moveTo = (target: { componentId: string } | { title: string }) => {
    void moveCardsToDeck(chosen, target);
    onChosen(noSelection);
  };
  return (
    <section className="chosen-bar" aria-label={t("flashcards.selection_actions")}>
      <span role="status">{t("flashcards.selected", { count: chosen.size })}</span>
      <Button variant="quiet" onClick={() => onChosen(new Set(shown.map((card) => card.id)))}>
        {t("flashcards.select_all")}
      </Button>
      <Button variant="quiet" onClick={() => onChosen(noSelection)}>
        {t("flashcards.select_none")}
      </Button>
      <Button onClick={() => setOpenDialog("tag")}>{t("flashcards.tag")}</Button>
      <Button onClick={() => editCards((cards) => toggleSuspended(cards, chosen))}>{t("flashcards.suspend")}</Button>
      <Button onClick={() => addReversedCards(chosen)}>{t("cardDialogs.reverse")}</Button>
      <Button onClick={() => void toggleFavourites(chosen)}>{t("flashcards.favourite_all")}</Button>
      <MoveMenu deck={deck} chosen={chosen} onSplit={() => setOpenDialog("split")} onSend={moveTo} />
      <Button variant="danger" onClick={remove}>
        {t("flashcards.remove_cards")}
      </Button>
      {openDialog === "tag" && (
        <TextPromptDialog
          title={t("flashcards.tag")}
          label={t("flashcards.tag_label")}
          onClose={() => setOpenDialog(null)}
          onSubmit={(tag) =>
            editCards((cards) => toggleTag(cards, chosen, truncateText(tag.replaceAll(/\s+/g, "_"), 100)))
          }
        />
      )}
      {openDialog === "split" && (
        <TextPromptDialog
          title={t("flashcards.split")}
          label={t("flashcards.deck_title")}
          onClose={() => setOpenDialog(null)}
          onSubmit={(title) => moveTo({ title: truncateText(title, 500) })}
        />
      )}
    </section>
  );
}

/** Adds a reversed card for each chosen card that has none. */
function addReversedCards(chosen: ReadonlySet<string>) {
  let count = 0;
  editCards((cards) => {
    const cardsWithReversed = withReversed(cards, chosen, ulid);
    count = cardsWithReversed.length - cards.length;
    return cardsWithReversed;
  });
  const message = count === 0 ? t("cardDialogs.reversed_none") : t("cardDialogs.reversed", { count });
  notify({ message, type: "success", action: { label: t("common.undo"), run: captureUndo() } });
}

interface MoveProps {
  deck: OpenDeck;
  chosen: ReadonlySet<string>;
  onSplit: () => void;
  onSend: (target: { componentId: string }) => void;
}

function MoveMenu({ deck, chosen, onSplit, onSend }: MoveProps) {
  return (
    <Menu
      trigger={<Button>{t("flashcards.move")}</Button>}
      groups={[
        [
          { label: t("flashcards.move_first"), onSelect: () => editCards((cards) => moveCards(cards, chosen, 0)) },
          {
            label: t("flashcards.move_last"),
            onSelect: () => editCards((cards) => moveCards(cards, chosen, cards.length)),
          },
        ],
        [
          { label: t("flashcards.split"), onSelect: onSplit },
          ...deck.otherDecks.map(({ componentId, title }) => ({
            label: t("flashcards.move_to", { title }),
            onSelect: () => onSend({ componentId }),
          })),
        ],
      ]}
    />
  );
}

interface TextPromptDialogProps {
  title: string;
  label: string;
  onClose: () => void;
  onSubmit: (text: string) => void;
}

function TextPromptDialog({ title, label, onClose, onSubmit }: TextPromptDialogProps) {
  const [text, setText] = useState("");
  const submit = () => {
    if (text.trim() === "") return;
    onSubmit(text.trim());
    onClose();
  };
  return (
    <Dialog
      open
      title={title}
      closeLabel={t("common.close")}
      onClose={onClose}
      footer={
        <Button variant="primary" disabled={text.trim() === ""} onClick={submit}>
          {title}
        </Button>
      }
    >
      <TextField
        label={label}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => event.key === "Enter" && submit()}
      />
    </Dialog>
  );
}
