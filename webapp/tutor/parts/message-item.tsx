import { ChevronLeft, ChevronRight, Copy, FilePlus2, Pencil, RotateCcw } from "lucide-react";
import { useAtomValue } from "jotai/react";
import { useState } from "react";
import { t, translateSent } from "#shared/messages/translate.ts";
import { siblingsOf } from "#shared/tutor/branches.ts";
import { removeCitationMarkers } from "#shared/tutor/citation-markers.ts";
import { translateAnswer } from "#shared/tutor/phrases.ts";
import type { Message } from "#shared/tutor/schema.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { IconButton } from "#shared/ui/controls/icon-button.tsx";
import { TextArea } from "#shared/ui/controls/text-area.tsx";
import { notify } from "#webapp/app/alerts.ts";
import { contentAtom } from "#webapp/library/content.ts";
import { logWarning } from "#webapp/app/log.ts";
import { openPagePortAtom } from "#webapp/pages/page-port.tsx";
import { answerToBlocks } from "../answer-blocks.ts";
import { BUILTIN_MODEL_ID } from "../state.ts";
import { AnswerText } from "./answer-text.tsx";

interface Props {
  message: Message;
  all: readonly Message[];
  stage: "reading" | "writing" | "cut" | null;
  isBusy: boolean;
  onShow: (message: Message) => void;
  onEdit: (message: Message, text: string) => void;
  onRetry: (message: Message) => void;
}

function Versions({ message, all, onShow }: Pick<Props, "message" | "all" | "onShow">) {
  const siblings = siblingsOf(all, message);
  if (siblings.length < 2) return null;
  const index = siblings.findIndex(({ _id }) => _id === message._id);
  const go = (to: Message | undefined) => to && onShow(to);
  return (
    <span className="message-versions">
      <IconButton
        label={t("tutor.branch_before")}
        icon={<ChevronLeft aria-hidden />}
        // Not `disabled`, which would lose the focus.
        aria-disabled={index === 0}
        onClick={() => go(siblings[index - 1])}
      />
      <span>{t("tutor.branch", { at: index + 1, count: siblings.length })}</span>
      <IconButton
        label={t("tutor.branch_after")}
        icon={<ChevronRight aria-hidden />}
        aria-disabled={index === siblings.length - 1}
        onClick={() => go(siblings[index + 1])}
      />
    </span>
  );
}

function Question({ message, all, isBusy, onShow, onEdit }: Props) {
  const [draft, setDraft] = useState<string | null>(null);
  // After cancelling, the focus returns to the edit button.
  const [wasCancelled, setWasCancelled] = useState(false);
  const cancelEdit = () => {
    setWasCancelled(true);
    setDraft(null);
  };
  if (draft !== null)
    return (
      <form
        className="message-edit"
        onSubmit={(event) => {
          event.preventDefault();
          setDraft(null);
          if (draft.trim() !== "") onEdit(message, draft.trim());
        }}
      >
        <TextArea
          label={t("tutor.edit")}
          labelHidden
          autoFocus
          value={draft}
          onChange={(event) => setDraft(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === "Escape") cancelEdit();
          }}
        />
        <div className="message-actions">
          <Button variant="quiet" onClick={cancelEdit}>
            {t("common.cancel")}
          </Button>
          <Button variant="primary" type="submit">
            {t("tutor.edit_save")}
          </Button>
        </div>
      </form>
    );
  return (
    <div className="message message-question">
      <p className="message-words" dir="auto">
        {message.selection && <q className="message-selection">{message.selection.text}</q>}
        {message.text}
      </p>
      <div className="message-actions">
        <Versions message={message} all={all} onShow={onShow} />
        {!isBusy && (
          <IconButton
            label={t("tutor.edit")}
            icon={<Pencil aria-hidden />}
            autoFocus={wasCancelled}
            onClick={() => {
              setWasCancelled(false);
              setDraft(message.text);
            }}
          />
        )}
      </div>
    </div>
  );
}

function InsertButton({ message }: { message: Message }) {
  const pagePort = useAtomValue(openPagePortAtom);
  if (!pagePort) return null;
  return (
    <IconButton
      label={t("tutor.insert")}
      icon={<FilePlus2 aria-hidden />}
      onClick={() => {
        pagePort.addBlocks(answerToBlocks(message));
        notify({ message: t("tutor.inserted"), type: "success" });
      }}
    />
  );
}

async function copyAnswer(message: Message): Promise<void> {
  try {
    await navigator.clipboard.writeText(removeCitationMarkers(translateAnswer(message)).trim());
    notify({ message: t("tutor.copied"), type: "success" });
  } catch (error) {
    // Denied, or not a secure context: the text can still be selected by hand.
    logWarning("Could not copy an answer", error);
    notify({ message: t("tutor.copy_failed"), type: "error" });
  }
}

function AnswerActions({ message, all, isBusy, onShow, onRetry }: Props) {
  if (message.status === "writing") return null;
  const hasText = message.text.trim() !== "";
  return (
    <div className="message-actions">
      <Versions message={message} all={all} onShow={onShow} />
      {hasText && (
        <IconButton label={t("tutor.copy")} icon={<Copy aria-hidden />} onClick={() => void copyAnswer(message)} />
      )}
      {hasText && <InsertButton message={message} />}
      {!isBusy && (
        <IconButton label={t("tutor.retry")} icon={<RotateCcw aria-hidden />} onClick={() => onRetry(message)} />
      )}
    </div>
  );
}

const formatStage = (stage: Props["stage"], hasText: boolean) => {
  if (stage === "cut") return t(navigator.onLine ? "tutor.reconnecting" : "tutor.offline");
  return stage === "reading" || (stage === "writing" && !hasText) ? t("tutor.reading") : undefined;
};

function Answer(props: Props) {
  const { message, stage } = props;
  const content = useAtomValue(contentAtom);
  const pageOf = (deckId: string) =>
    content.state === "ready" ? content.components.find(({ _id }) => _id === deckId)?.pageId : undefined;
  const stageText = formatStage(stage, message.text !== "");
  const flagsUnsupported = message.status !== "writing" && message.model !== null && message.model !== BUILTIN_MODEL_ID;
  return (
    <div className="message message-answer" aria-busy={message.status === "writing"}>
      <AnswerText
        text={message.text}
        parts={message.parts}
        citations={message.citations}
        pageOf={pageOf}
        flagsUnsupported={flagsUnsupported}
      />
      {stageText !== undefined && <p className="message-status">{stageText}</p>}
      {message.status === "stopped" && <p className="message-status">{t("tutor.stopped")}</p>}
      {message.error !== null && (
        <p className="message-error" role="alert">
          {translateSent(message.error, message.errorReason ?? {})}
        </p>
      )}
      <AnswerActions {...props} />
    </div>
  );
}

export function MessageItem(props: Props) {
  return props.message.role === "user" ? <Question {...props} /> : <Answer {...props} />;
}
