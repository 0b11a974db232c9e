import { useState } from "react";
import { ulid } from "ulid";
import { buildListCards } from "#shared/flashcards/card-builders.ts";
import type { Flashcard } from "#shared/flashcards/schema.ts";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Dialog } from "#shared/ui/overlays/dialog.tsx";
import { TextArea } from "#shared/ui/controls/text-area.tsx";
import { TextField } from "#shared/ui/controls/text-field.tsx";

interface Props {
  onCards: (cards: readonly Flashcard[], title: string) => void;
  onClose: () => void;
}

/** Makes one card for each item of a list, for learning it by heart. */
export function ListDialog({ onCards, onClose }: Props) {
  const [title, setTitle] = useState("");
  const [text, setText] = useState("");
  const cards = buildListCards(title, text.split("\n"), ulid);
  const add = () => {
    onCards(cards, title.trim());
    onClose();
  };
  return (
    <Dialog
      open
      title={t("cardDialogs.list_cards")}
      closeLabel={t("common.close")}
      closeOnBackdrop={false}
      onClose={onClose}
      footer={
        <Button variant="primary" disabled={cards.length === 0} onClick={add}>
          {t("cardDialogs.hide_make", { count: cards.length })}
        </Button>
      }
    >
      <TextField
        label={t("cardDialogs.list_title")}
        value={title}
        maxLength={300}
        onChange={(event) => setTitle(event.target.value)}
      />
      <TextArea
        label={t("cardDialogs.list_items")}
        hint={t("cardDialogs.list_hint")}
        rows={6}
        value={text}
        maxLength={10_000}
        onChange={(event) => setText(event.target.value)}
      />
    </Dialog>
  );
}
