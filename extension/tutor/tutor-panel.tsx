import { useCallback, useEffect, useState, useSyncExternalStore } from "react";
import { normalAddress } from "#shared/capture/rules.ts";
import { fill } from "#shared/messages/fill.ts";
import type { AnswerCitation } from "#shared/tutor/schema.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { TextArea } from "#shared/ui/controls/text-area.tsx";
import { words } from "#extension/words/words.ts";
import { onTabLeft, type ShownTab } from "#extension/platform/tabs.ts";
import { Answer } from "./answer.tsx";
import { hasModel, readLanguage, stopAnswer } from "./ask.ts";
import {
  ask,
  type KeepPage,
  type KeptPage,
  leaveTab,
  listenToTalks,
  openTalk,
  type Question,
  talkOf,
} from "./talks.ts";
import "./tutor-panel.css";

interface Props {
  tab: ShownTab | undefined;
  /** Captures the tab; undefined if that failed. */
  keepPage: KeepPage;
  /** The selected text in the tab; null if there is none or the tab cannot be read. */
  readMarked: () => Promise<string | null>;
  show: (page: KeptPage, cited: AnswerCitation) => Promise<void>;
}

/** The conversation of the active tab, by its address or, if that is unknown, by the tab. */
function useTalk(tab: ShownTab | undefined, keepPage: KeepPage) {
  const address = tab?.url === undefined ? undefined : normalAddress(tab.url);
  const key = address ?? `tab:${tab?.id ?? ""}`;
  const talk = useSyncExternalStore(listenToTalks, () => talkOf(key));
  useEffect(() => {
    if (address !== undefined) void openTalk(address);
  }, [address]);
  useEffect(() => onTabLeft((tabId) => leaveTab(`tab:${tabId}`)), []);
  const put = useCallback((question: Question) => ask(key, question, keepPage), [key, keepPage]);
  return { key, talk, put };
}

interface FormProps {
  ask: (text: string) => Promise<boolean>;
  stop: (() => void) | undefined;
  isBusy: boolean;
  isQuiz: boolean;
  /** Explains what asking does first; undefined if nothing. */
  hint: string | undefined;
}

function AskForm({ ask: put, stop, isBusy, isQuiz, hint }: FormProps) {
  const [text, setText] = useState("");
  const send = async () => {
    if (await put(text)) setText("");
  };
  return (
    <form
      className="tutor-form"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
      onKeyDown={(event) => {
        if (event.key !== "Enter" || event.shiftKey || event.target instanceof HTMLButtonElement) return;
        event.preventDefault();
        void send();
      }}
    >
      <TextArea
        label={isQuiz ? words.ask_answer_label : words.ask_label}
        hint={hint}
        rows={2}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {stop ? (
        <Button onClick={stop}>{words.ask_stop}</Button>
      ) : (
        <Button type="submit" variant="primary" pending={isBusy}>
          {isQuiz ? words.ask_answer : words.ask}
        </Button>
      )}
    </form>
  );
}

interface AsksProps extends Pick<Props, "readMarked"> {
  put: (question: Question) => Promise<boolean>;
}

/** Buttons for common requests, about the selection if there is one. */
function Asks({ put, readMarked }: AsksProps) {
  const [said, setSaid] = useState<string>();
  const explain = async () => {
    const selection = await readMarked();
    const text = selection === null ? words.ask_explain_text : words.ask_explain_marked;
    await put({ text, mode: "explain", selection });
  };
  const translate = async () => {
    setSaid(undefined);
    if (!(await hasModel().catch(() => false))) return setSaid(words.ask_translate_none);
    const [selection, language] = await Promise.all([readMarked(), readLanguage()]);
    const text = fill(selection === null ? words.ask_translate_page : words.ask_translate_text, { language });
    return void (await put({ text, mode: "explain", selection }));
  };
  const plain = (text: string, mode: Question["mode"]) => () => void put({ text, mode, selection: null });
  return (
    <>
      <div className="tutor-asks">
        <Button onClick={() => void explain()}>{words.ask_explain}</Button>
        <Button onClick={plain(words.ask_summary_text, "explain")}>{words.ask_summary}</Button>
        <Button onClick={plain(words.ask_quiz_text, "quiz")}>{words.ask_quiz}</Button>
        <Button onClick={() => void translate()}>{words.ask_translate}</Button>
      </div>
      {said !== undefined && <p role="status">{said}</p>}
    </>
  );
}

/** Tutor for the active page; its answers cite the page and can highlight the cited text. */
export function TutorPanel({ tab, keepPage, readMarked, show }: Props) {
  const { key, talk, put } = useTalk(tab, keepPage);
  const { messages, stage, problem, page } = talk;
  const [ended, setEnded] = useState<string>();
  const writing = stage === "answering" ? messages.findLast(({ status }) => status === "writing") : undefined;
  const last = messages.at(-1);
  const isQuiz = last?.mode === "quiz" && ended !== last._id;

  return (
    <section className="tutor" aria-label={words.ask_title}>
      <h2>{words.ask_title}</h2>
      <div className="tutor-talk" aria-live="polite">
        {messages.map((message) => (
          <Answer key={message._id} message={message} onShow={(cited) => void (page && show(page, cited))} />
        ))}
      </div>
      {stage !== "idle" && (
        <p role="status" className="tutor-note">
          {stage === "keeping" ? words.ask_keeping : words.ask_thinking}
        </p>
      )}
      {problem !== undefined && <p role="alert">{problem}</p>}
      {isQuiz ? (
        <div className="tutor-asks">
          <p className="tutor-note">{words.ask_quiz_on}</p>
          <Button variant="quiet" onClick={() => setEnded(last._id)}>
            {words.ask_quiz_end}
          </Button>
        </div>
      ) : (
        <Asks put={put} readMarked={readMarked} />
      )}
      <AskForm
        key={key}
        isQuiz={isQuiz}
        hint={page ? undefined : words.ask_hint}
        ask={(text) => put({ text, mode: isQuiz ? "quiz" : "explain", selection: null })}
        isBusy={stage !== "idle"}
        stop={writing && (() => void stopAnswer(writing._id).catch(() => undefined))}
      />
    </section>
  );
}
