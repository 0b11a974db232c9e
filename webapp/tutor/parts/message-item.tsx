import { Pencil } from "lucide-react";
import { useAtomValue } from "jotai/react";
import { useState } from "react";
import { t, translateSent } from "#shared/messages/translate.ts";
import type { Message } from "#shared/tutor/schema.ts";
import { mayHaveUnsupportedClaims } from "#shared/tutor/unsupported-claims.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { IconButton } from "#shared/ui/controls/icon-button.tsx";
import { TextArea } from "#shared/ui/controls/text-area.tsx";
import { contentAtom } from "#webapp/library/content.ts";
import { AnswerActions } from "./answer-actions.tsx";
import { AnswerText } from "./answer-text.tsx";
import type { MessageProps } from "./message-props.ts";
import { Versions } from "./versions.tsx";

interface QuestionEditorProps {
  draft: string;
  onDraft: (draft: string) => void;
  isBusy: boolean;
  onSave: () => void;
  onCancel: () => void;
}

const QuestionEditor = ({ draft, onDraft, isBusy, onSave, onCancel }: QuestionEditorProps) => (
  <form
    className="message-edit"
    onSubmit={(event) => {
      event.preventDefault();
      // While an answer is being written no question can be asked, so the draft stays.
      if (!isBusy) onSave();
    }}
  >
    <TextArea
      label={t("tutor.edit")}
      labelHidden
      autoFocus
      value={draft}
      onChange={(event) => onDraft(event.target.value)}
      onKeyDown={(event) => {
        if (event.key === "Escape") onCancel();
      }}
    />
    <div className="message-actions">
      <Button variant="quiet" onClick={onCancel}>
        {t("common.cancel")}
      </Button>
      <Button variant="primary" type="submit" pending={isBusy}>
        {t("tutor.edit_save")}
      </Button>
    </div>
  </form>
);

function Question({ message, all, isBusy, onShow, onEdit }: MessageProps) {
  const [draft, setDraft] = useState<string | null>(null);
  // After cancelling, the focus returns to the edit button.
  const [wasCancelled, setWasCancelled] = useState(false);
  const cancelEdit = () => {
    setWasCancelled(true);
    setDraft(null);
  };
  if (draft !== null) {
    const save = () => {
      setDraft(null);
      if (draft.trim() !== "") onEdit(message, draft.trim());
    };
    return <QuestionEditor draft={draft} onDraft={setDraft} isBusy={isBusy} onSave={save} onCancel={cancelEdit} />;
  }
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

const formatStage = (stage: MessageProps["stage"], hasText: boolean) => {
  if (stage === "cut") return t(navigator.onLine ? "tutor.reconnecting" : "tutor.offline");
  return stage === "reading" || (stage === "writing" && !hasText) ? t("tutor.reading") : undefined;
};

/** Whether an answer may use, or uses, more than one source. */
function hasSeveralSources({ ground: scope, citations }: Message): boolean {
  const titles = new Set(citations.map(({ title }) => title));
  return titles.size > 1 || scope.kind === "everything" || scope.pageIds.length + scope.componentIds.length > 1;
}

function Answer(props: MessageProps) {
  const { message, stage } = props;
  const content = useAtomValue(contentAtom);
  const pageOf = (deckId: string) =>
    content.state === "ready" ? content.components.find(({ _id }) => _id === deckId)?.pageId : undefined;
  const stageText = formatStage(stage, message.text !== "");
  const flagsUnsupported = mayHaveUnsupportedClaims(message);
  return (
    <div className="message message-answer" aria-busy={message.status === "writing"}>
      <AnswerText
        text={message.text}
        parts={message.parts}
        citations={message.citations}
        namesSources={hasSeveralSources(message)}
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

export function MessageItem(props: MessageProps) {
  return props.message.role === "user" ? <Question {...props} /> : <Answer {...props} />;
}
