import { CircleHelp, Copy, FilePlus2, Layers, RotateCcw, ThumbsDown, ThumbsUp } from "lucide-react";
import { useAtomValue } from "jotai/react";
import { useState } from "react";
import { t } from "#shared/messages/translate.ts";
import { removeCitationMarkers } from "#shared/tutor/citation-markers.ts";
import { isEmptyAnswer, splitAtMore } from "#shared/tutor/message-parts.ts";
import { translateAnswer } from "#shared/tutor/phrases.ts";
import type { Message, SuggestedCard } from "#shared/tutor/schema.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { IconButton } from "#shared/ui/controls/icon-button.tsx";
import { notify } from "#webapp/app/alerts.ts";
import { logWarning } from "#webapp/app/log.ts";
import { useRating } from "#webapp/feedback/use-rating.tsx";
import { openPagePortAtom } from "#webapp/pages/page-port.tsx";
import { answerToBlocks } from "../answer-blocks.ts";
import { NextSteps } from "../next-steps.tsx";
import { AnswerCardsDialog } from "./answer-cards-dialog.tsx";
import type { MessageProps } from "./message-props.ts";
import { Versions } from "./versions.tsx";

function InsertButton({ message }: { message: Message }) {
  const pagePort = useAtomValue(openPagePortAtom);
  if (!pagePort) return null;
  return (
    <Button
      variant="quiet"
      icon={<FilePlus2 aria-hidden />}
      onClick={() => {
        pagePort.addBlocks(answerToBlocks(message));
        notify({ message: t("tutor.inserted"), type: "success" });
      }}
    >
      {t("tutor.insert")}
    </Button>
  );
}

async function copyAnswer(message: Message): Promise<void> {
  try {
    await navigator.clipboard.writeText(removeCitationMarkers(translateAnswer(message)).trim());
    notify({ message: t("tutor.copied"), type: "success" });
  } catch (error) {
    // Clipboard access is denied or the context is not secure. The text can still be selected by hand.
    logWarning("Could not copy an answer", error);
    notify({ message: t("tutor.copy_failed"), type: "error" });
  }
}

/** The card to suggest for an answer: the student's question, answered with the quotes that the answer shows. */
function createCardFromAnswer({ text, citations, parts = [] }: Message, question: Message | undefined): SuggestedCard {
  const { shown } = splitAtMore(parts);
  const numbers = new Set(shown.flatMap((part) => (part.type === "citation" ? [part.n] : [])));
  const cited = numbers.size === 0 ? citations.slice(0, 1) : citations.filter(({ n }) => numbers.has(n));
  const quotes = cited.map(({ quote }) => quote).join("\n");
  const answer = quotes || removeCitationMarkers(translateAnswer({ text, parts })).trim();
  return { question: question?.text ?? "", answer, citation: cited[0]?.citation ?? "" };
}

function CardButton({ message, all }: Pick<MessageProps, "message" | "all">) {
  const [isOpen, setOpen] = useState(false);
  const { cards = [] } = message;
  const question = all.find(({ _id }) => _id === message.parent);
  return (
    <>
      <Button
        variant={cards.length > 0 ? "primary" : "quiet"}
        icon={<Layers aria-hidden />}
        onClick={() => setOpen(true)}
      >
        {cards.length > 0 ? t("tutor.cards_add", { count: cards.length }) : t("tutor.make_card")}
      </Button>
      {isOpen && (
        <AnswerCardsDialog
          suggested={cards.length > 0 ? cards : [createCardFromAnswer(message, question)]}
          source={message.citations[0]}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

/** Thumbs to rate an answer. */
function AnswerRating({ message }: { message: Message }) {
  const text = removeCitationMarkers(translateAnswer(message)).trim();
  const { value, rate, dialog } = useRating({ kind: "answer", id: message._id, model: message.model, text });
  return (
    <>
      <IconButton
        label={t("rating.up")}
        icon={<ThumbsUp aria-hidden />}
        aria-pressed={value === "up"}
        onClick={() => void rate("up")}
      />
      <IconButton
        label={t("rating.down")}
        icon={<ThumbsDown aria-hidden />}
        aria-pressed={value === "down"}
        onClick={() => void rate("down")}
      />
      {dialog}
    </>
  );
}

const hasWords = ({ text }: Message) => text.trim() !== "";
const firstPhrase = ({ parts: [first] = [] }: Message) => (first?.type === "phrase" ? first.key : undefined);
/** Whether the answer only shows passages close to the question, which are not used for cards or a quiz. */
const isOnlyClose = (message: Message) => firstPhrase(message) === "closest";
/** Whether the sources have no answer. */
const isUnanswered = (message: Message) => isOnlyClose(message) || firstPhrase(message) === "nothing";
const canUse = (message: Message) =>
  hasWords(message) && !isEmptyAnswer(message) && !isOnlyClose(message) && message.mode !== "plan";

/** The buttons below an answer. */
export function AnswerActions(props: MessageProps) {
  const { message, all, isBusy, onQuiz, onAskEverything } = props;
  if (message.status === "writing") return null;
  const canAct = canUse(message);
  const question = all.find(({ _id }) => _id === message.parent);
  return (
    <div className={isUnanswered(message) ? "message-actions message-steps" : "message-actions"}>
      {isUnanswered(message) && question && (
        <NextSteps question={question} isBusy={isBusy} onAskEverything={onAskEverything} />
      )}
      {canAct && message.mode !== "quiz" && <CardButton message={message} all={all} />}
      {canAct && message.mode !== "quiz" && !isBusy && (
        <Button variant="quiet" icon={<CircleHelp aria-hidden />} onClick={() => onQuiz(message)}>
          {t("tutor.quiz_this")}
        </Button>
      )}
      {canAct && <InsertButton message={message} />}
      <EndActions {...props} />
    </div>
  );
}

function EndActions({ message, all, isBusy, onShow, onRetry }: MessageProps) {
  return (
    <span className="message-actions-end">
      <Versions message={message} all={all} onShow={onShow} />
      {canUse(message) && <AnswerRating message={message} />}
      {hasWords(message) && (
        <IconButton label={t("tutor.copy")} icon={<Copy aria-hidden />} onClick={() => void copyAnswer(message)} />
      )}
      {!isBusy && (
        <IconButton label={t("tutor.retry")} icon={<RotateCcw aria-hidden />} onClick={() => onRetry(message)} />
      )}
    </span>
  );
}
