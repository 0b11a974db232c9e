import { useAtomValue } from "jotai/react";
import { Plus, Square } from "lucide-react";
import { useEffect, useRef, useState, type SyntheticEvent } from "react";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Select } from "#shared/ui/controls/select.tsx";
import { TextArea } from "#shared/ui/controls/text-area.tsx";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import { ListLoadError } from "#webapp/ui/list-load-error.tsx";
import { Chat, type ChatState } from "./website-chat.ts";
import { hasModelAtom, loadHasModel } from "./has-model.ts";
import { MessageView } from "./message-view.tsx";
import "./chat-pane.css";

interface Props {
  projectId: string;
  name: string;
}

const NEW = "new";

export function ChatPane({ projectId, name }: Props) {
  const [chat] = useState(() => new Chat(projectId, name !== ""));
  const state = useAtomValue(chat.atom);
  const [text, setText] = useState("");
  useEffect(() => {
    chat.onMessageReturned((returned) => setText((now) => (now === "" ? returned : now)));
    void chat.load();
    void loadHasModel();
    return () => chat.close();
  }, [chat]);
  const send = async () => {
    const sent = text;
    if (sent.trim() === "" || state.isProcessing) return;
    setText("");
    // A text that could not be sent returns to the field, unless the student has typed something else in the meantime.
    if (!(await chat.send(sent))) setText((now) => (now === "" ? sent : now));
  };
  if (state.state === "loading") return <Skeleton label={t("common.loading")} lines={[60, 100, 80]} height={24} />;
  return (
    <>
      <ThreadChooser state={state} onChoose={(id) => chat.choose(id)} />
      {state.state === "failed" && (
        <ListLoadError
          className="website-load-failed"
          message={t("website.history_failed")}
          disabled={state.isProcessing}
          onRetry={() => void chat.load()}
        />
      )}
      <Messages state={state} />
      <Chips onChip={setText} />
      <Composer
        text={text}
        isProcessing={state.isProcessing}
        onText={setText}
        onSend={() => void send()}
        onStop={() => chat.stop()}
      />
    </>
  );
}

function ThreadChooser({ state, onChoose }: { state: ChatState; onChoose: (id: string | null) => void }) {
  const { threads, threadId } = state;
  if (threads.length === 0) return null;
  const options = threads.map(({ _id, thread_title: title }) => ({
    value: _id,
    label: title ?? t("website.thread_untitled"),
  }));
  return (
    <div className="website-threads">
      <Select
        label={t("website.threads")}
        labelHidden
        value={threadId ?? NEW}
        options={threadId === null ? [{ value: NEW, label: t("website.new_thread") }, ...options] : options}
        onValue={(id) => onChoose(id === NEW ? null : id)}
      />
      <Button variant="quiet" icon={<Plus aria-hidden />} onClick={() => onChoose(null)}>
        {t("website.new_thread")}
      </Button>
    </div>
  );
}

function Messages({ state }: { state: ChatState }) {
  const hasModel = useAtomValue(hasModelAtom);
  const end = useRef<HTMLDivElement>(null);
  const thread = state.threads.find(({ _id }) => _id === state.threadId);
  const messages = thread?.messages ?? [];
  const last = messages.at(-1);
  useEffect(() => {
    // Scrolls only during an answer, so that opening a thread does not scroll.
    if (last && state.isProcessing) end.current?.scrollIntoView({ block: "nearest" });
  }, [last, state.isProcessing]);
  return (
    <div className="website-messages" role="log" aria-label={t("website.chat_label")} tabIndex={0}>
      {messages.length === 0 && state.state === "ready" && (
        <p className="website-note">{t(hasModel ? "website.chat_empty_model" : "website.chat_empty")}</p>
      )}
      {messages.map((message) => (
        <MessageView key={message._id} message={message} />
      ))}
      {state.isProcessing && <p className="website-note">{t("website.working")}</p>}
      {state.error !== null && (
        <p className="website-error" role="alert">
          {state.error}
        </p>
      )}
      <div ref={end} />
    </div>
  );
}

const chips = ["chip_title", "chip_colour", "chip_font", "chip_remove", "chip_undo"] as const;

/** Example commands. Shown without a model, because only a few sentences are understood then. */
function Chips({ onChip }: { onChip: (text: string) => void }) {
  if (useAtomValue(hasModelAtom)) return null;
  return (
    <ul role="list" className="website-chips">
      {chips.map((chip) => (
        <li key={chip}>
          <button type="button" onClick={() => onChip(t(`website.${chip}`))}>
            {t(`website.${chip}`)}
          </button>
        </li>
      ))}
    </ul>
  );
}

interface ComposerProps {
  text: string;
  isProcessing: boolean;
  onText: (text: string) => void;
  onSend: () => void;
  onStop: () => void;
}

function Composer({ text, isProcessing, onText, onSend, onStop }: ComposerProps) {
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    onSend();
  };
  return (
    <form className="website-composer" onSubmit={submit}>
      <TextArea
        label={t("website.chat_input")}
        labelHidden
        rows={2}
        maxLength={16_000}
        placeholder={t("website.chat_placeholder")}
        value={text}
        onChange={(event) => onText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
          submit(event);
        }}
      />
      {isProcessing ? (
        <Button icon={<Square aria-hidden />} onClick={onStop}>
          {t("website.chat_stop")}
        </Button>
      ) : (
        <Button type="submit" variant="primary" disabled={text.trim() === ""}>
          {t("website.chat_send")}
        </Button>
      )}
    </form>
  );
}
