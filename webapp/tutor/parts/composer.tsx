import { ArrowUp, Square, X } from "lucide-react";
import { useId, useState, type ClipboardEvent, type KeyboardEvent } from "react";
import { useAtomValue } from "jotai/react";
import { timeToReset } from "#shared/billing/rules.ts";
import { t } from "#shared/messages/translate.ts";
import type { Selection, TutorMode } from "#shared/tutor/schema.ts";
import { IconButton } from "#shared/ui/controls/icon-button.tsx";
import { useNow } from "#webapp/app/hooks/use-now.ts";
import { questionsLeftAtom } from "../state.ts";
import { type ChosenGround, GroundChooser, useGivenFiles } from "./ground-chooser.tsx";
import { ModelChooser, ModeChooser } from "./choosers.tsx";
import { useUnasked } from "./use-unasked.ts";
import "./composer.css";

interface Props {
  placeholder: string;
  mode: TutorMode;
  onMode: (mode: TutorMode) => void;
  ground: ChosenGround;
  onGround: (ground: ChosenGround) => void;
  selection: Selection | null;
  onDropSelection: () => void;
  isAnswering: boolean;
  takesFocus: boolean;
  refusal: { message: string; text: string; isLimit: boolean } | null;
  onAsk: (text: string) => void;
  onStop: () => void;
}

const MAX_SHOWN = 80;
const FEW_LEFT = 5;

function Left() {
  const left = useAtomValue(questionsLeftAtom);
  const now = useNow();
  if (left === null || left > FEW_LEFT) return null;
  return (
    <p className="composer-left">
      {left === 0 ? t("tutor.none_left", { time: timeToReset(now) }) : t("tutor.left", { count: left })}
    </p>
  );
}

function Marked({ selection, onDrop }: { selection: Selection; onDrop: () => void }) {
  const { text } = selection;
  return (
    <p className="composer-selection">
      <span>{t("tutor.selection", { text: text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text })}</span>
      <IconButton label={t("tutor.selection_remove")} icon={<X aria-hidden />} onClick={onDrop} />
    </p>
  );
}

function Row({ mode, onMode, ground, onGround, isAnswering, onStop, onSend }: Props & { onSend: () => void }) {
  return (
    <div className="composer-row">
      <GroundChooser chosen={ground} onChange={onGround} />
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
const wordsOf = (text: string, mode: TutorMode) => {
  if (text.trim() !== "" || mode === "explain" || mode === "socratic") return text.trim();
  return t(mode === "plan" ? "tutor.plan_prompt" : "tutor.quiz_prompt");
};

interface FieldProps {
  text: string;
  placeholder: string;
  errorId: string | undefined;
  takesFocus: boolean;
  onText: (text: string) => void;
  onSend: () => void;
  onFiles: (files: readonly File[]) => void;
}

function Field({ text, placeholder, errorId, takesFocus, onText, onSend, onFiles }: FieldProps) {
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
  return (
    <textarea
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
  const [text, write] = useUnasked();
  const errorId = useId();
  const [seen, setSeen] = useState(refusal);
  // Restore the text of a refused question.
  if (refusal !== seen) {
    setSeen(refusal);
    if (refusal && refusal.text !== "") write(text === "" ? refusal.text : `${refusal.text}\n${text}`);
  }

  const { uploading, give } = useGivenFiles(props.ground, props.onGround);
  const send = () => {
    const words = wordsOf(text, mode);
    if (words === "" || isAnswering || uploading !== null) return;
    write("");
    onAsk(words);
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
        give([...event.dataTransfer.files]);
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
      <Left />
      <div className="composer-box">
        {uploading !== null && (
          <p className="composer-selection" role="status">
            {t("tutor.ground_uploading", { name: uploading })}
          </p>
        )}
        {selection && <Marked selection={selection} onDrop={props.onDropSelection} />}
        <Field
          text={text}
          placeholder={placeholder}
          errorId={refusal ? errorId : undefined}
          takesFocus={props.takesFocus}
          onText={write}
          onSend={send}
          onFiles={give}
        />
        <Row {...props} onSend={send} />
      </div>
    </form>
  );
}
