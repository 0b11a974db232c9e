import { useAtomValue } from "jotai/react";
import { useState } from "react";
import { monotonicFactory } from "ulid";
import { parseCitation } from "#shared/citations.ts";
import { Flashcard } from "#shared/flashcards/schema.ts";
import { t } from "#shared/messages/translate.ts";
import type { PodcastLine } from "#shared/podcasts/schema.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Select } from "#shared/ui/controls/select.tsx";
import { TextArea } from "#shared/ui/controls/text-area.tsx";
import { Dialog, focusInDialog } from "#shared/ui/overlays/dialog.tsx";
import { addCards } from "#webapp/flashcards/card-target.ts";
import { useSaveCards } from "#webapp/flashcards/use-save-cards.ts";
import { type Content, contentAtom } from "#webapp/library/content.ts";
import type { PodcastView } from "../state.ts";

const newId = monotonicFactory();

interface Props {
  index: number;
  view: Extract<PodcastView, { state: "ready" }>;
  onClose: () => void;
}

/** The page that the cited source is on. */
function pageOf(content: Content, citationText: string | null): string | undefined {
  const citation = citationText === null ? undefined : parseCitation(citationText);
  if (citation?.type === "page_citation") return citation.pageId;
  if (content.state !== "ready" || !citation || !("componentId" in citation)) return undefined;
  return content.components.find(({ _id }) => _id === citation.componentId)?.pageId;
}

/** The question of the host that the line answers. */
function findQuestionBefore(before: PodcastLine | undefined): string {
  if (before?.speaker !== "host") return "";
  return /[^.?!]*\?/u.exec(before.text)?.[0].trim() ?? "";
}

function useCard({ index, view, onClose }: Props) {
  const content = useAtomValue(contentAtom);
  const { text = "", citation = null } = view.transcript.lines[index] ?? {};
  const [question, setQuestion] = useState(() => findQuestionBefore(view.transcript.lines[index - 1]));
  const [answer, setAnswer] = useState(text);
  const saving = useSaveCards({
    pageId: pageOf(content, citation),
    newDeck: view.podcast.title,
    newDeckLabel: t("podcasts.card_new_deck"),
    savedMessage: () => t("podcasts.card_saved"),
    failedMessage: t("podcasts.card_failed"),
    onSaved: onClose,
  });
  const save = () => {
    const fields = { question: question.trim(), answer: answer.trim(), questionImage: null, citation };
    return saving.save((target) => addCards(target, [Flashcard.parse({ id: newId(), ...fields })]));
  };
  const canSave = question.trim() !== "" && answer.trim() !== "";
  return { ...saving, question, setQuestion, answer, setAnswer, canSave, save };
}

/** Makes a card from a line of the guest, with its citation. */
export function LineCardDialog(props: Props) {
  const card = useCard(props);
  return (
    <Dialog
      open
      title={t("podcasts.card_title")}
      onClose={props.onClose}
      closeLabel={t("common.close")}
      closeOnBackdrop={false}
      footer={
        <>
          <Button variant="quiet" onClick={props.onClose}>
            {t("common.cancel")}
          </Button>
          <Button variant="primary" pending={card.isSaving} disabled={!card.canSave} onClick={() => void card.save()}>
            {t("podcasts.card_save")}
          </Button>
        </>
      }
    >
      <TextArea
        ref={focusInDialog}
        label={t("podcasts.card_question")}
        rows={2}
        value={card.question}
        onChange={(event) => card.setQuestion(event.target.value)}
      />
      <TextArea
        label={t("podcasts.card_answer")}
        rows={3}
        value={card.answer}
        onChange={(event) => card.setAnswer(event.target.value)}
      />
      <Select label={t("podcasts.card_deck")} value={card.deckId} options={card.options} onValue={card.setChosen} />
    </Dialog>
  );
}
