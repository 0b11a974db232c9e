import { ArrowUp, Square, X } from "lucide-react";
import { useLayoutEffect, useId, useRef, useState, type ClipboardEvent, type KeyboardEvent } from "react";
import { useAtomValue } from "jotai/react";
import { formatTimeToReset } from "#shared/billing/rules.ts";
import { t } from "#shared/messages/translate.ts";
import type { Selection, TutorMode } from "#shared/tutor/schema.ts";
import { IconButton } from "#shared/ui/controls/icon-button.tsx";
import { useNow } from "#webapp/app/hooks/use-now.ts";
import { questionsLeftAtom } from "../state.ts";
import { type ScopeSources, ScopeChooser, useScopeUploads } from "./scope-chooser.tsx";
import { ModelChooser, ModeChooser } from "./choosers.tsx";
import { useQuestionDraft } from "./use-question-draft.ts";
import "./composer.css";

interface Props {
  placeholder: string;
  mode: TutorMode;
  onMode: (mode: TutorMode) => void;
  sources: ScopeSources;
  onSources: (sources: ScopeSources) => void;
  selection: Selection | null;
  onDropSelection: () => void;
  isAnswering: boolean;
  takesFocus: boolean;
  refusal: { message: string; text: string; isLimit: boolean } | null;
  onAsk: (text: string) => void;
  onStop: () => void;
}

const MAX_SHOWN_CHARS = 80;
const LOW_QUOTA = 5;

function QuestionsLeft() {
  const questionsLeft = useAtomValue(questionsLeftAtom);
  const now = useNow();
  if (questionsLeft === null || questionsLeft > LOW_QUOTA) return null;
  return (
    <p className="composer-left">
      {questionsLeft === 0
        ? t("tutor.none_left", { time: formatTimeToReset(now) })
        : t("tutor.left", { count: questionsLeft })}
    </p>
  );
}

function SelectedText({ selection, onDrop }: { selection: Selection; onDrop: () => void }) {
  const { text } = selection;
  return (
    <p className="composer-selection">
      <span>
        {t("tutor.selection", { text: text.length > MAX_SHOWN_CHARS ? `${text.slice(0, MAX_SHOWN_CHARS)}…` : text })}
      </span>
      <IconButton label={t("tutor.selection_remove")} icon={<X aria-hidden />} onClick={onDrop} />
    </p>
  );
}

function ComposerRow({
  mode,
  onMode,
  sources,
  onSources,
  isAnswering,
  onStop,
  onSend,
}: Props & { onSend: () => void }) {
  return (
    <div className="composer-row">
      <ScopeChooser chosen={sources} onChange={onSources} />
      <ModeChooser mode={mode} onMode={onMode} />
      <ModelChooser />
      {isAnswering ? (
        <IconButton className="composer-send" label={t("tutor.stop")} icon={<Square aria-hidden />} onClick={onStop} />
      ) : (
        <IconButton className="composer-send" label={t("tutor.ask")} icon={<ArrowUp aria-hidden />} onClick={onSend} />
      )}
    </div>
  );
}

/** Plan and quiz have a default prompt, so their text may be empty. */
const resolveQuestion = (text: string, mode: TutorMode) => {
  if (text.trim() !== "" || mode === "explain" || mode === "socratic") return text.trim();
  return t(mode === "plan" ? "tutor.plan_prompt" : "tutor.quiz_prompt");
};

interface QuestionFieldProps {
  text: string;
  placeholder: string;
  errorId: string | undefined;
  takesFocus: boolean;
  onText: (text: string) => void;
  onSend: () => void;
  onFiles: (files: readonly File[]) => void;
}

function QuestionField({ text, placeholder, errorId, takesFocus, onText, onSend, onFiles }: QuestionFieldProps) {
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    onSend();
  };
  const onPaste = (event: ClipboardEvent) => {
    if (event.clipboardData.files.length === 0) return;
    event.preventDefault();
    onFiles([...event.clipboardData.files]);
  };
  const field = useRef<HTMLTextAreaElement>(null);
  // Moves the caret to the end of the draft before the next key is handled.
  useLayoutEffect(() => {
    if (takesFocus) field.current?.setSelectionRange(field.current.value.length, field.current.value.length);
  }, [takesFocus]);
  return (
    <textarea
      ref={field}
      rows={1}
      value={text}
      autoFocus={takesFocus}
      aria-label={t("tutor.ask_label")}
      aria-describedby={errorId}
      placeholder={placeholder}
      maxLength={16_000}
      onChange={(event) => onText(event.target.value)}
      onKeyDown={onKey}
      onPaste={onPaste}
    />
  );
}

/** The question field: Enter sends, Shift+Enter starts a new line. */
export function Composer(props: Props) {
  const { placeholder, mode, selection, isAnswering, refusal, onAsk } = props;
  const [text, setText] = useQuestionDraft();
  const errorId = useId();
  const [lastRefusal, setLastRefusal] = useState(refusal);
  // Restore the text of a refused question.
  if (refusal !== lastRefusal) {
    setLastRefusal(refusal);
    if (refusal && refusal.text !== "") setText(text === "" ? refusal.text : `${refusal.text}\n${text}`);
  }

  const { uploading, uploadFiles } = useScopeUploads(props.sources, props.onSources);
  const send = () => {
    const question = resolveQuestion(text, mode);
    if (question === "" || isAnswering || uploading !== null) return;
    setText("");
    onAsk(question);
  };
  return (
    <form
      className="composer"
      onDragOver={(event) => {
        if (event.dataTransfer.types.includes("Files")) event.preventDefault();
      }}
      onDrop={(event) => {
        if (event.dataTransfer.files.length === 0) return;
        event.preventDefault();
        uploadFiles([...event.dataTransfer.files]);
      }}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {refusal && (
        <p className="composer-refusal" role="alert" id={errorId}>
          {refusal.message}
        </p>
      )}
      <QuestionsLeft />
      <div className="composer-box">
        {uploading !== null && (
          <p className="composer-selection" role="status">
            {t("tutor.scope_uploading", { name: uploading })}
          </p>
        )}
        {selection && <SelectedText selection={selection} onDrop={props.onDropSelection} />}
        <QuestionField
          text={text}
          placeholder={placeholder}
          errorId={refusal ? errorId : undefined}
          takesFocus={props.takesFocus}
          onText={setText}
          onSend={send}
          onFiles={uploadFiles}
        />
        <ComposerRow {...props} onSend={send} />
      </div>
    </form>
  );
}
