import { useAtomValue } from "jotai/react";
import { useState } from "react";
import { t } from "#shared/messages/translate.ts";
import { formatTimecode } from "#shared/video/rules.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Dialog, focusInDialog } from "#shared/ui/overlays/dialog.tsx";
import { Select } from "#shared/ui/controls/select.tsx";
import { TextArea } from "#shared/ui/controls/text-area.tsx";
import { notify } from "#webapp/app/alerts.ts";
import { listDeckChoices, type CardTarget } from "#webapp/flashcards/card-target.ts";
import { contentAtom } from "#webapp/library/content.ts";
import { logWarning } from "#webapp/app/log.ts";
import { saveQuoteCard, type VideoQuote } from "../quote-cards.ts";

const NEW = "new";

interface Props {
  quote: VideoQuote;
  pageId: string;
  onClose: () => void;
}

function QuoteFigure({ quote }: Pick<Props, "quote">) {
  return (
    <figure className="card-quote">
      <figcaption>{t("video.card_quote", { time: formatTimecode(quote.startMs) })}</figcaption>
      <blockquote dir="auto">
        <span className="lit">{quote.text}</span>
      </blockquote>
    </figure>
  );
}

/** The draft card and how it is saved. */
function useCardDraft({ quote, pageId, onClose }: Props) {
  const decks = listDeckChoices(useAtomValue(contentAtom), pageId);
  const [question, setQuestion] = useState("");
  const [answer, setAnswer] = useState(quote.text);
  const [chosenDeckId, setChosenDeckId] = useState<string>();
  const [isSaving, setSaving] = useState(false);
  const deck = decks.find(
    ({ id }) => id === (chosenDeckId ?? decks.find((deckChoice) => deckChoice.pageId === pageId)?.id),
  );
  const save = async () => {
    setSaving(true);
    const target: CardTarget = deck ? { pageId: deck.pageId, componentId: deck.id } : { pageId, newDeck: quote.title };
    try {
      await saveQuoteCard({ question, answer, quote }, target);
      notify({ message: t("video.card_saved"), type: "success" });
      onClose();
    } catch (error) {
      logWarning("Could not store a card", error);
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
    setChosen: setChosenDeckId,
    isSaving,
    canSave,
    save,
  };
}

/** Makes a card from a transcript passage, with the passage as the initial answer. */
export function CardDialog(props: Props) {
  const { quote, onClose } = props;
  const draft = useCardDraft(props);
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
      <QuoteFigure quote={quote} />
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
