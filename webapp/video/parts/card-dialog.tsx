import { useState } from "react";
import { t } from "#shared/messages/translate.ts";
import { formatTimecode } from "#shared/video/rules.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Dialog, focusInDialog } from "#shared/ui/overlays/dialog.tsx";
import { Select } from "#shared/ui/controls/select.tsx";
import { TextArea } from "#shared/ui/controls/text-area.tsx";
import { useSaveCards } from "#webapp/flashcards/use-save-cards.ts";
import { saveQuoteCard, type VideoQuote } from "../quote-cards.ts";

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

/** The draft of a card, with a function that saves it. */
function useCardDraft({ quote, pageId, onClose }: Props) {
  const [question, setQuestion] = useState("");
  const [answer, setAnswer] = useState(quote.text);
  const saving = useSaveCards({
    pageId,
    newDeck: quote.title,
    newDeckLabel: t("video.new_deck"),
    savedMessage: () => t("video.card_saved"),
    failedMessage: t("video.card_failed"),
    onSaved: onClose,
  });
  const save = () => saving.save((target) => saveQuoteCard({ question, answer, quote }, target));
  const canSave = question.trim() !== "" && answer.trim() !== "";
  return { ...saving, question, setQuestion, answer, setAnswer, canSave, save };
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
      <Select label={t("video.deck")} value={draft.deckId} options={draft.options} onValue={draft.setChosen} />
    </Dialog>
  );
}
