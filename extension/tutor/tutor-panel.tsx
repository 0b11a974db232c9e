import { useCallback, useEffect, useState, useSyncExternalStore } from "react";
import { normaliseAddress } from "#shared/capture/rules.ts";
import { interpolate } from "#shared/messages/interpolate.ts";
import type { AnswerCitation } from "#shared/tutor/schema.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { TextArea } from "#shared/ui/controls/text-area.tsx";
import { words } from "#extension/words/words.ts";
import { onTabLeft, type ShownTab } from "#extension/platform/tabs.ts";
import { InPanelFoot } from "#extension/ui/panel.tsx";
import { SeePlans } from "#extension/ui/see-plans.tsx";
import { Answer } from "./answer.tsx";
import { hasModel, readLanguage, stopAnswer } from "./ask.ts";
import {
  ask,
  type CapturePage,
  type CapturedSubject,
  clearDraft,
  forgetTab,
  subscribeToConversations,
  openConversation,
  type Question,
  getConversation,
  writeDraft,
} from "./conversations.ts";
import "./tutor-panel.css";

interface Props {
  tab: ShownTab | undefined;
  /** Captures the tab; undefined if that failed. */
  capturePage: CapturePage;
  /** The selected text in the tab; null if there is none or the tab cannot be read. */
  readSelection: () => Promise<string | null>;
  show: (page: CapturedSubject, cited: AnswerCitation) => Promise<void>;
}

/** The conversation of the active tab, by its address or, if that is unknown, by the tab. */
function useConversation(tab: ShownTab | undefined, capturePage: CapturePage) {
  const address = tab?.url === undefined ? undefined : normaliseAddress(tab.url);
  const key = address ?? `tab:${tab?.id ?? ""}`;
  const conversation = useSyncExternalStore(subscribeToConversations, () => getConversation(key));
  useEffect(() => {
    if (address !== undefined) void openConversation(address);
  }, [address]);
  useEffect(() => onTabLeft((tabId) => forgetTab(`tab:${tabId}`)), []);
  const askQuestion = useCallback((question: Question) => ask(key, question, capturePage), [key, capturePage]);
  return { key, conversation, askQuestion };
}

interface FormProps {
  text: string;
  onText: (text: string) => void;
  ask: (text: string) => Promise<void>;
  stop: (() => void) | undefined;
  isBusy: boolean;
  isQuiz: boolean;
  /** Explains what happens before a question is sent; undefined if nothing does. */
  hint: string | undefined;
}

function AskForm({ text, onText, ask: askQuestion, stop, isBusy, isQuiz, hint }: FormProps) {
  const send = () => void askQuestion(text);
  return (
    <form
      className="tutor-form"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      onKeyDown={(event) => {
        // Enter also confirms the text of an input method.
        if (event.nativeEvent.isComposing || event.target instanceof HTMLButtonElement) return;
        if (event.key !== "Enter" || event.shiftKey) return;
        event.preventDefault();
        send();
      }}
    >
      <TextArea
        label={isQuiz ? words.ask_answer_label : words.ask_label}
        labelHidden
        placeholder={isQuiz ? words.ask_answer_label : words.ask_label}
        hint={hint}
        rows={1}
        value={text}
        onChange={(event) => onText(event.target.value)}
      />
      {stop ? (
        <Button onClick={stop}>{words.ask_stop}</Button>
      ) : (
        <Button type="submit" pending={isBusy}>
          {isQuiz ? words.ask_answer : words.ask}
        </Button>
      )}
    </form>
  );
}

interface QuickQuestionsProps extends Pick<Props, "readSelection"> {
  askQuestion: (question: Question) => Promise<boolean>;
}

/** Buttons for common requests, about the selection if there is one. */
function QuickQuestions({ askQuestion, readSelection }: QuickQuestionsProps) {
  const [notice, setNotice] = useState<string>();
  const explain = async () => {
    const selection = await readSelection();
    const text = selection === null ? words.ask_explain_text : words.ask_explain_selection;
    await askQuestion({ text, mode: "explain", selection });
  };
  const translate = async () => {
    setNotice(undefined);
    if (!(await hasModel().catch(() => false))) return setNotice(words.ask_translate_none);
    const [selection, language] = await Promise.all([readSelection(), readLanguage()]);
    const text = interpolate(selection === null ? words.ask_translate_page : words.ask_translate_text, { language });
    await askQuestion({ text, mode: "explain", selection });
    return undefined;
  };
  const askAboutPage = (text: string, mode: Question["mode"]) => () =>
    void askQuestion({ text, mode, selection: null });
  return (
    <>
      <div className="tutor-actions">
        <Button onClick={() => void explain()}>{words.ask_explain}</Button>
        <Button onClick={askAboutPage(words.ask_summary_text, "explain")}>{words.ask_summary}</Button>
        <Button onClick={askAboutPage(words.ask_quiz_text, "quiz")}>{words.ask_quiz}</Button>
        <Button onClick={() => void translate()}>{words.ask_translate}</Button>
      </div>
      {notice !== undefined && <p role="status">{notice}</p>}
    </>
  );
}

/** Tutor for the active page; its answers cite the page and can highlight the cited text. */
export function TutorPanel({ tab, capturePage, readSelection, show }: Props) {
  const { key, conversation, askQuestion } = useConversation(tab, capturePage);
  const { messages, stage, problem, isLimit = false, page, draft } = conversation;
  const [endedQuizId, setEndedQuizId] = useState<string>();
  const writing = stage === "answering" ? messages.findLast(({ status }) => status === "writing") : undefined;
  const showCited = (cited: AnswerCitation) => {
    if (page) void show(page, cited);
  };
  const last = messages.at(-1);
  const isQuiz = last?.mode === "quiz" && endedQuizId !== last._id;
  const askDraft = async (text: string) => {
    if (await askQuestion({ text, mode: isQuiz ? "quiz" : "explain", selection: null })) clearDraft(key, text);
  };

  return (
    <section className="tutor" aria-label={words.ask_title}>
      <h2>{words.ask_title}</h2>
      <div className="tutor-talk" aria-live="polite">
        {messages.map((message) => (
          <Answer key={message._id} message={message} onShow={showCited} />
        ))}
      </div>
      {stage !== "idle" && (
        <p role="status" className="tutor-note">
          {stage === "capturing" ? words.ask_reading : words.ask_searching}
        </p>
      )}
      {problem !== undefined && <p role="alert">{problem}</p>}
      {isLimit && <SeePlans />}
      {isQuiz ? (
        <div className="tutor-actions">
          <p className="tutor-note">{words.ask_quiz_running}</p>
          <Button variant="quiet" onClick={() => setEndedQuizId(last._id)}>
            {words.ask_quiz_end}
          </Button>
        </div>
      ) : (
        <QuickQuestions askQuestion={askQuestion} readSelection={readSelection} />
      )}
      <InPanelFoot>
        <AskForm
          key={key}
          isQuiz={isQuiz}
          hint={page ? undefined : words.ask_hint}
          text={draft}
          onText={(text) => writeDraft(key, text)}
          ask={askDraft}
          isBusy={stage !== "idle"}
          stop={writing && (() => void stopAnswer(writing._id).catch(() => undefined))}
        />
      </InPanelFoot>
    </section>
  );
}
