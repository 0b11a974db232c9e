import { useAtomValue } from "jotai/react";
import { useState } from "react";
import { t } from "#shared/messages/translate.ts";
import { clockOf } from "#shared/video/rules.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Dialog, focusInDialog } from "#shared/ui/overlays/dialog.tsx";
import { Select } from "#shared/ui/controls/select.tsx";
import { TextArea } from "#shared/ui/controls/text-area.tsx";
import { notify } from "#webapp/app/alerts.ts";
import { decksOf, type CardTarget } from "#webapp/flashcards/card-target.ts";
import { contentAtom } from "#webapp/library/content.ts";
import { logTrouble } from "#webapp/app/log.ts";
import { saveCard, type Quote } from "../cards.ts";

const NEW = "new";

interface Props {
  quote: Quote;
  pageId: string;
  onClose: () => void;
}

function QuoteShown({ quote }: Pick<Props, "quote">) {
  return (
    <figure className="card-quote">
      <figcaption>{t("video.card_quote", { time: clockOf(quote.startMs) })}</figcaption>
      <blockquote dir="auto">
        <span className="lit">{quote.text}</span>
      </blockquote>
    </figure>
  );
}

/** The draft card and how it is saved. */
function useDraft({ quote, pageId, onClose }: Props) {
  const decks = decksOf(useAtomValue(contentAtom), pageId);
  const [question, setQuestion] = useState("");
  const [answer, setAnswer] = useState(quote.text);
  const [chosen, setChosen] = useState<string>();
  const [isSaving, setSaving] = useState(false);
  const deck = decks.find(({ id }) => id === (chosen ?? decks.find((each) => each.pageId === pageId)?.id));
  const save = async () => {
    setSaving(true);
    const target: CardTarget = deck ? { pageId: deck.pageId, componentId: deck.id } : { pageId, newDeck: quote.title };
    try {
      await saveCard({ question, answer, quote }, target);
      notify({ message: t("video.card_saved"), type: "success" });
      onClose();
    } catch (error) {
      logTrouble("Could not store a card", error);
      notify({ message: t("video.card_failed"), type: "error" });
      setSaving(false);
    }
  };
  const options = [
    ...decks.map(({ id, title }) => ({ value: id, label: title })),
    { value: NEW, label: t("video.new_deck") },
  ];
  const canSave = question.trim() !== "" && answer.trim() !== "";
  return {
    question,
    setQuestion,
    answer,
    setAnswer,
    value: deck?.id ?? NEW,
    options,
    setChosen,
    isSaving,
    canSave,
    save,
  };
}

/** Makes a card from a transcript passage, with the passage as the initial answer. */
export function CardDialog(props: Props) {
  const { quote, onClose } = props;
  const draft = useDraft(props);
  return (
    <Dialog
      open
      title={t("video.card_title")}
      onClose={onClose}
      closeLabel={t("common.close")}
      closeOnBackdrop={false}
      footer={
        <>
          <Button variant="quiet" onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <Button
            variant="primary"
            pending={draft.isSaving}
            disabled={!draft.canSave}
            onClick={() => void draft.save()}
          >
            {t("video.save_card")}
          </Button>
        </>
      }
    >
      <QuoteShown quote={quote} />
      <TextArea
        // The dialog opens for this field.
        ref={focusInDialog}
        label={t("video.question")}
        hint={t("video.question_hint")}
        value={draft.question}
        rows={2}
        onChange={(event) => draft.setQuestion(event.target.value)}
      />
      <TextArea
        label={t("video.answer")}
        value={draft.answer}
        rows={3}
        onChange={(event) => draft.setAnswer(event.target.value)}
      />
      <Select label={t("video.deck")} value={draft.value} options={draft.options} onValue={draft.setChosen} />
    </Dialog>
  );
}
