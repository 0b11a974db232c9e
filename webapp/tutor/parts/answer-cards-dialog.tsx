import { Trash2 } from "lucide-react";
import { useAtomValue } from "jotai/react";
import { useState } from "react";
import { ulid } from "ulid";
import { parseCitation } from "#shared/citations.ts";
import { Flashcard } from "#shared/flashcards/schema.ts";
import { t } from "#shared/messages/translate.ts";
import type { AnswerCitation, SuggestedCard } from "#shared/tutor/schema.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { IconButton } from "#shared/ui/controls/icon-button.tsx";
import { Select } from "#shared/ui/controls/select.tsx";
import { TextArea } from "#shared/ui/controls/text-area.tsx";
import { Dialog, focusInDialog } from "#shared/ui/overlays/dialog.tsx";
import { addCards } from "#webapp/flashcards/card-target.ts";
import { useSaveCards } from "#webapp/flashcards/use-save-cards.ts";
import { type Content, contentAtom } from "#webapp/library/content.ts";
import { openPagePortAtom } from "#webapp/pages/page-port.tsx";
import "./answer-cards-dialog.css";

interface Props {
  suggested: readonly SuggestedCard[];
  /** The first citation of the answer. A new deck goes on the page of its source. */
  source: AnswerCitation | undefined;
  onClose: () => void;
}

interface Draft extends SuggestedCard {
  key: string;
}

/** The page of a citation's source. */
function pageOfCitation(source: AnswerCitation | undefined, content: Content): string | undefined {
  const parsed = source && parseCitation(source.citation);
  if (!parsed || parsed.type === "web_citation") return undefined;
  if (parsed.type === "page_citation") return parsed.pageId;
  const { componentId } = parsed;
  return content.state === "ready" ? content.components.find(({ _id }) => _id === componentId)?.pageId : undefined;
}

function useDrafts({ suggested, source, onClose }: Props) {
  const content = useAtomValue(contentAtom);
  const openPageId = useAtomValue(openPagePortAtom)?.pageId;
  const pageId = openPageId ?? pageOfCitation(source, content);
  const [drafts, setDrafts] = useState<readonly Draft[]>(() => suggested.map((card) => ({ ...card, key: ulid() })));
  const { save: saveInto, ...saving } = useSaveCards({
    pageId,
    newDeck: source?.title || t("tutor.card_new_deck"),
    newDeckLabel: t("tutor.card_new_deck"),
    savedMessage: (deck) => t("tutor.cards_saved", { count: drafts.length, deck }),
    failedMessage: t("tutor.cards_failed"),
    onSaved: onClose,
  });
  const save = () => {
    const cards = drafts.map(({ question, answer, citation }) =>
      Flashcard.parse({ id: ulid(), question: question.trim(), answer: answer.trim(), citation: citation || null }),
    );
    return saveInto((target) => addCards(target, cards));
  };
  return { ...saving, drafts, setDrafts, save };
}

/** Lets the student check the cards of an answer before they go into a deck. */
export function AnswerCardsDialog(props: Props) {
  const { drafts, setDrafts, deckId, options, setChosen, isSaving, save } = useDrafts(props);
  const change = (key: string, part: Partial<SuggestedCard>) =>
    setDrafts(drafts.map((draft) => (draft.key === key ? { ...draft, ...part } : draft)));
  const canSave = drafts.every(({ question, answer }) => question.trim() !== "" && answer.trim() !== "");
  return (
    <Dialog
      open
      title={t(props.suggested.length === 1 ? "tutor.card_dialog" : "tutor.cards_dialog")}
      onClose={props.onClose}
      closeLabel={t("common.close")}
      closeOnBackdrop={false}
      footer={
        <>
          <Button variant="quiet" onClick={props.onClose}>
            {t("common.cancel")}
          </Button>
          <Button variant="primary" pending={isSaving} disabled={!canSave} onClick={() => void save()}>
            {t("tutor.card_save", { count: drafts.length })}
          </Button>
        </>
      }
    >
      <ol role="list" className="answer-cards">
        {drafts.map(({ key, question, answer }, index) => (
          <li key={key} className="answer-card">
            <TextArea
              {...(index === 0 && { ref: focusInDialog })}
              label={t("tutor.card_question")}
              value={question}
              rows={2}
              onChange={(event) => change(key, { question: event.target.value })}
            />
            <TextArea
              label={t("tutor.card_answer")}
              value={answer}
              rows={2}
              onChange={(event) => change(key, { answer: event.target.value })}
            />
            {drafts.length > 1 && (
              <IconButton
                className="answer-card-drop"
                label={t("tutor.card_drop", { n: index + 1 })}
                icon={<Trash2 aria-hidden />}
                onClick={() => setDrafts(drafts.filter((draft) => draft.key !== key))}
              />
            )}
          </li>
        ))}
      </ol>
      <Select label={t("tutor.card_deck")} value={deckId} options={options} onValue={setChosen} />
    </Dialog>
  );
}
