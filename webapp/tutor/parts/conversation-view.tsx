import { useAtomValue } from "jotai/react";
import { useEffect, useRef } from "react";
import { asAnswered, t } from "#shared/messages/translate.ts";
import { branchTo } from "#shared/tutor/branches.ts";
import type { Message, Selection, TutorMode } from "#shared/tutor/schema.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { EmptyState, ErrorState } from "#shared/ui/empty-state.tsx";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import { accountIdAtom } from "#webapp/app/session/account-atom.ts";
import { loadUsage } from "#webapp/user/usage.ts";
import type { Conversation } from "../conversation.ts";
import type { Talk } from "../talk.ts";
import { loadModels } from "../state.ts";
import { Composer } from "./composer.tsx";
import { type ChosenGround, groundOf } from "./ground-chooser.tsx";
import { MessageItem } from "./message-item.tsx";
import { useEndInSight, useMoreAbove, useRefused, useStanding } from "./standing.ts";
import "./conversation-view.css";

interface Props {
  conversation: Conversation;
  /** The initial scope. */
  beside: ChosenGround;
  selection: Selection | null;
  onDropSelection: () => void;
  headingLevel: 1 | 2;
  takesFocus?: boolean;
}

function placeholderOf(ground: ChosenGround): string {
  const [only, ...rest] = ground;
  if (!only) return t("tutor.ask_everything");
  if (rest.length > 0 || only.kind === "deck") return t("tutor.ask_sources");
  return t(`tutor.ask_${only.kind}`);
}

function FollowUps({ message, onAsk }: { message: Message | undefined; onAsk: (text: string) => void }) {
  if (message?.role !== "assistant" || message.followUps.length === 0) return null;
  return (
    <ul role="list" className="follow-ups" aria-label={t("tutor.follow_ups")}>
      {message.followUps.map(asAnswered).map((text) => (
        <li key={text}>
          <button type="button" className="follow-up" onClick={() => onAsk(text)}>
            {text}
          </button>
        </li>
      ))}
    </ul>
  );
}

interface EmptyProps {
  headingLevel: 1 | 2;
  hasGround: boolean;
  onStart: (text: string, mode: TutorMode) => void;
}

function Empty({ headingLevel, hasGround, onStart }: EmptyProps) {
  return (
    <EmptyState
      title={t("tutor.empty_title")}
      headingLevel={headingLevel}
      action={
        <>
          {hasGround && (
            <Button onClick={() => onStart(t("tutor.start_summary"), "explain")}>{t("tutor.start_summary")}</Button>
          )}
          <Button onClick={() => onStart(t("tutor.quiz_prompt"), "quiz")}>{t("tutor.mode_quiz")}</Button>
          <Button onClick={() => onStart(t("tutor.plan_prompt"), "plan")}>{t("tutor.mode_plan")}</Button>
        </>
      }
    >
      {t("tutor.empty")}
    </EmptyState>
  );
}

function NotReady({ talk, conversation, headingLevel }: { talk: Talk } & Pick<Props, "conversation" | "headingLevel">) {
  if (talk.state === "loading") return <Skeleton label={t("common.loading")} lines={[60, 96, 88, 40]} height={16} />;
  const isMissing = talk.state === "missing";
  const retry = () =>
    isMissing || talk.threadId === null ? conversation.startNew() : void conversation.open(talk.threadId);
  return (
    <ErrorState
      headingLevel={headingLevel}
      title={t(isMissing ? "tutor.missing_title" : "tutor.failed_title")}
      action={<Button onClick={retry}>{t(isMissing ? "tutor.new_thread" : "common.retry")}</Button>}
    >
      {t(isMissing ? "tutor.missing" : "tutor.failed")}
    </ErrorState>
  );
}

interface SaidProps {
  talk: Talk;
  branch: readonly Message[];
  conversation: Conversation;
  onAsk: (text: string, instead?: Message) => void;
  onAskAgain: (message: Message) => void;
}

function Said({ talk, branch, conversation, onAsk, onAskAgain }: SaidProps) {
  const { drawn, more } = useMoreAbove();
  return (
    <>
      {branch.length > drawn && (
        <Button variant="quiet" onClick={more}>
          {t("tutor.earlier")}
        </Button>
      )}
      {branch.slice(-drawn).map((message) => (
        <MessageItem
          // Versions of a message share a key, so that switching between them keeps the focus.
          key={`${message.parent ?? ""} ${message.role}`}
          message={message}
          all={talk.messages}
          stage={talk.answering?.answerId === message._id ? talk.answering.stage : null}
          isBusy={talk.answering !== null}
          onShow={(other) => conversation.show(other)}
          onEdit={(other, text) => onAsk(text, other)}
          onRetry={onAskAgain}
        />
      ))}
      {!talk.answering && <FollowUps message={branch.at(-1)} onAsk={(text) => onAsk(text)} />}
    </>
  );
}

/** Screen readers get the start and the end of an answer, not each word. */
const newsOf = (talk: Talk, last: Message | undefined) => {
  if (talk.answering) return t("tutor.writing");
  return last?.role === "assistant" && last.status === "done" ? t("tutor.answered") : "";
};

/** Loads the models and the remaining quota. */
function useOffered(): void {
  const accountId = useAtomValue(accountIdAtom);
  useEffect(() => {
    // Load only once the account is known; account atoms reset on change.
    if (accountId === undefined) return;
    void loadModels();
    void loadUsage();
  }, [accountId]);
}

/** The pressed button disappears while an answer is written, so the focus moves to the stop button. */
function keepFocus(root: HTMLElement | null): void {
  if (root?.querySelector(".conversation-said")?.contains(document.activeElement) === true)
    root.querySelector<HTMLElement>(".composer-send")?.focus();
}

/** The messages of a conversation and its composer. */
export function ConversationView(props: Props) {
  const { conversation, beside, headingLevel, takesFocus = false } = props;
  const talk = useAtomValue(conversation.atom);
  const { mode, setMode, ground, setGround } = useStanding(talk, beside);
  const { selection, onDropSelection } = useRefused(talk, props);
  const { ref, onScroll } = useEndInSight();
  const root = useRef<HTMLDivElement>(null);
  const branch = branchTo(talk.messages, talk.head);
  const last = branch.at(-1);
  useOffered();
  const ask = (text: string, instead?: Message, asked = mode) => {
    const marked = instead ? instead.selection : selection;
    void conversation.ask({ text, mode: asked, ground: groundOf(ground), selection: marked }, instead);
    onDropSelection();
    keepFocus(root.current);
  };
  const askAgain = (message: Message) => {
    void conversation.askAgain(message);
    keepFocus(root.current);
  };
  const isReady = talk.state === "ready";
  return (
    <div className="conversation" ref={root}>
      <div className="conversation-said" ref={ref} onScroll={onScroll}>
        {!isReady && <NotReady talk={talk} conversation={conversation} headingLevel={headingLevel} />}
        {isReady && branch.length === 0 && (
          <Empty
            headingLevel={headingLevel}
            hasGround={ground.length > 0}
            onStart={(text, started) => {
              setMode(started);
              ask(text, undefined, started);
            }}
          />
        )}
        {isReady && <Said talk={talk} branch={branch} conversation={conversation} onAsk={ask} onAskAgain={askAgain} />}
      </div>
      <p className="visually-hidden" role="status">
        {newsOf(talk, last)}
      </p>
      <Composer
        placeholder={placeholderOf(ground)}
        mode={mode}
        onMode={setMode}
        ground={ground}
        onGround={setGround}
        selection={selection}
        onDropSelection={onDropSelection}
        isAnswering={talk.answering !== null}
        refusal={talk.refusal}
        takesFocus={takesFocus}
        onAsk={(text) => ask(text)}
        onStop={() => void conversation.stop()}
      />
    </div>
  );
}
