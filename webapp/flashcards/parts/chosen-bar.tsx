import { useState } from "react";
import { ulid } from "ulid";
import { withReversed } from "#shared/flashcards/making.ts";
import { moveCards, toggleSuspended, toggleTag, without } from "#shared/flashcards/deck-edits.ts";
import { cutText } from "#shared/flashcards/cut-text.ts";
import type { Flashcard } from "#shared/flashcards/schema.ts";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Dialog } from "#shared/ui/overlays/dialog.tsx";
import { Menu } from "#shared/ui/overlays/menu.tsx";
import { TextField } from "#shared/ui/controls/text-field.tsx";
import { notify } from "#webapp/app/alerts.ts";
import { editCards, sendCards, toggleFavourites, undoOfLatest, type OpenDeck } from "../deck-state.ts";

interface Props {
  deck: OpenDeck;
  shown: readonly Flashcard[];
  chosen: ReadonlySet<string>;
  onChosen: (ids: ReadonlySet<string>) => void;
}

/** Bulk actions for the selected cards. */
export function ChosenBar({ deck, shown, chosen, onChosen }: Props) {
  const [asks, setAsks] = useState<"tag" | "split" | null>(null);
  const none = new Set<string>();
  const remove = () => {
    editCards((cards) => without(cards, chosen));
    notify({
      message: t("flashcards.removed", { count: chosen.size }),
      type: "success",
      action: { label: t("common.undo"), run: undoOfLatest() },
    });
    onChosen(none);
  };
  const send = (target: { componentId: string } | { title: string }) => {
    void sendCards(chosen, target);
    onChosen(none);
  };
  return (
    <section className="chosen-bar" aria-label={t("flashcards.chosen_actions")}>
      <span role="status">{t("flashcards.chosen", { count: chosen.size })}</span>
      <Button variant="quiet" onClick={() => onChosen(new Set(shown.map((card) => card.id)))}>
        {t("flashcards.choose_all")}
      </Button>
      <Button variant="quiet" onClick={() => onChosen(none)}>
        {t("flashcards.choose_none")}
      </Button>
      <Button onClick={() => setAsks("tag")}>{t("flashcards.tag")}</Button>
      <Button onClick={() => editCards((cards) => toggleSuspended(cards, chosen))}>{t("flashcards.suspend")}</Button>
      <Button onClick={() => reverse(chosen)}>{t("making.reverse")}</Button>
      <Button onClick={() => void toggleFavourites(chosen)}>{t("flashcards.mark_all")}</Button>
      <MoveMenu deck={deck} chosen={chosen} onSplit={() => setAsks("split")} onSend={send} />
      <Button variant="danger" onClick={remove}>
        {t("flashcards.remove_cards")}
      </Button>
      {asks === "tag" && (
        <Asking
          title={t("flashcards.tag")}
          label={t("flashcards.tag_label")}
          onClose={() => setAsks(null)}
          onGiven={(tag) => editCards((cards) => toggleTag(cards, chosen, cutText(tag.replaceAll(/\s+/g, "_"), 100)))}
        />
      )}
      {asks === "split" && (
        <Asking
          title={t("flashcards.split")}
          label={t("flashcards.deck_title")}
          onClose={() => setAsks(null)}
          onGiven={(title) => send({ title: cutText(title, 500) })}
        />
      )}
    </section>
  );
}

/** Cards that already have a reversed card are left as they are. */
function reverse(chosen: ReadonlySet<string>) {
  let count = 0;
  editCards((cards) => {
    const both = withReversed(cards, chosen, ulid);
    count = both.length - cards.length;
    return both;
  });
  const message = count === 0 ? t("making.reversed_none") : t("making.reversed", { count });
  notify({ message, type: "success", action: { label: t("common.undo"), run: undoOfLatest() } });
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
          ...deck.others.map(({ componentId, title }) => ({
            label: t("flashcards.move_to", { title }),
            onSelect: () => onSend({ componentId }),
          })),
        ],
      ]}
    />
  );
}

interface AskingProps {
  title: string;
  label: string;
  onClose: () => void;
  onGiven: (text: string) => void;
}

function Asking({ title, label, onClose, onGiven }: AskingProps) {
  const [text, setText] = useState("");
  const give = () => {
    if (text.trim() === "") return;
    onGiven(text.trim());
    onClose();
  };
  return (
    <Dialog
      open
      title={title}
      closeLabel={t("common.close")}
      onClose={onClose}
      footer={
        <Button variant="primary" disabled={text.trim() === ""} onClick={give}>
          {title}
        </Button>
      }
    >
      <TextField
        label={label}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => event.key === "Enter" && give()}
      />
    </Dialog>
  );
}
