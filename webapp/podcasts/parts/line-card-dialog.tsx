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
import { notify } from "#webapp/app/alerts.ts";
import { logWarning } from "#webapp/app/log.ts";
import { addCards, listDeckChoices, type CardTarget } from "#webapp/flashcards/card-target.ts";
import { type Content, contentAtom } from "#webapp/library/content.ts";
import type { PodcastView } from "../state.ts";

const NEW = "new";
const newId = monotonicFactory();

interface Props {
  index: number;
  view: Extract<PodcastView, { state: "ready" }>;
  onClose: () => void;
}

/** The page that the cited source is on. */
function pageOf(content: Content, citationText: string | null): string {
  const citation = citationText === null ? undefined : parseCitation(citationText);
  if (content.state !== "ready" || !citation || !("componentId" in citation)) return "";
  return content.components.find(({ _id }) => _id === citation.componentId)?.pageId ?? "";
}

/** The question of the host that the line answers. */
function questionBefore(before: PodcastLine | undefined): string {
  if (before?.speaker !== "host") return "";
  return /[^.?!]*\?/u.exec(before.text)?.[0].trim() ?? "";
}

function useCard({ index, view, onClose }: Props) {
  const content = useAtomValue(contentAtom);
  const { text = "", citation = null } = view.transcript.lines[index] ?? {};
  const [question, setQuestion] = useState(() => questionBefore(view.transcript.lines[index - 1]));
  const [answer, setAnswer] = useState(text);
  const pageId = pageOf(content, citation);
  const decks = listDeckChoices(content, pageId);
  const [chosen, setChosen] = useState<string>();
  const [isSaving, setSaving] = useState(false);
  const deck = decks.find(({ id }) => id === (chosen ?? decks.find((choice) => choice.pageId === pageId)?.id));
  const save = async () => {
    setSaving(true);
    const card = Flashcard.parse({
      id: newId(),
      question: question.trim(),
      answer: answer.trim(),
      questionImage: null,
      citation,
    });
    const target: CardTarget = deck
      ? { pageId: deck.pageId, componentId: deck.id }
      : { pageId, newDeck: view.podcast.title };
    try {
      await addCards(target, [card]);
      notify({ message: t("podcasts.card_saved"), type: "success" });
      onClose();
    } catch (error) {
      logWarning("Could not store a card", error);
      notify({ message: t("podcasts.card_failed"), type: "error" });
      setSaving(false);
    }
  };
  const options = [
    ...decks.map(({ id, title }) => ({ value: id, label: title })),
    ...(pageId === "" ? [] : [{ value: NEW, label: t("podcasts.card_new_deck") }]),
  ];
  const canSave = question.trim() !== "" && answer.trim() !== "" && options.length > 0;
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
      <Select label={t("podcasts.card_deck")} value={card.value} options={card.options} onValue={card.setChosen} />
    </Dialog>
  );
}
