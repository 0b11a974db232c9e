import { useAtomValue } from "jotai/react";
import { useEffect, useRef } from "react";
import { t } from "#shared/messages/translate.ts";
import { branchEndingAt } from "#shared/tutor/branches.ts";
import type { Message, Selection, TutorMode } from "#shared/tutor/schema.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { ErrorState } from "#shared/ui/empty-state.tsx";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import { accountIdAtom } from "#webapp/app/session/account-atom.ts";
import { loadUsage } from "#webapp/user/usage.ts";
import type { Conversation } from "../conversation.ts";
import type { ConversationSnapshot } from "../conversation-snapshot.ts";
import { loadModels } from "../state.ts";
import { Composer } from "./composer.tsx";
import { EmptyConversation } from "../empty-conversation.tsx";
import { FollowUps } from "../follow-ups.tsx";
import { type ScopeSource, type ScopeSources, scopeFromSources } from "./scope-chooser.tsx";
import { MessageItem } from "./message-item.tsx";
import { useStickToEnd, useEarlierMessages, useRefusedSelection, useQuestionSettings } from "./conversation-scroll.ts";
import "./conversation-view.css";

interface Props {
  conversation: Conversation;
  /** The initial scope. */
  initialSources: ScopeSources;
  selection: Selection | null;
  onDropSelection: () => void;
  headingLevel: 1 | 2;
  takesFocus?: boolean;
}

/** The placeholder for an answer scope. It says "this page" only if the conversation is beside that page. */
function choosePlaceholder(sources: ScopeSources, beside: ScopeSources): string {
  const [only, ...rest] = sources;
  if (!only) return t("tutor.ask_everything");
  if (rest.length > 0) return t("tutor.ask_sources");
  const isBeside = beside.some(({ id }) => id === only.id);
  if (!isBeside) return t("tutor.ask_named", { title: only.title });
  return only.kind === "deck" ? t("tutor.ask_sources") : t(`tutor.ask_${only.kind}`);
}

function NotReady({
  snapshot,
  conversation,
  headingLevel,
}: { snapshot: ConversationSnapshot } & Pick<Props, "conversation" | "headingLevel">) {
  if (snapshot.state === "loading")
    return <Skeleton label={t("common.loading")} lines={[60, 96, 88, 40]} height={16} />;
  const isMissing = snapshot.state === "missing";
  const retry = () =>
    isMissing || snapshot.threadId === null ? conversation.startNew() : void conversation.open(snapshot.threadId);
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

interface MessageListProps {
  snapshot: ConversationSnapshot;
  branch: readonly Message[];
  conversation: Conversation;
  onAsk: (text: string, instead?: Message, mode?: TutorMode) => void;
  onRegenerate: (message: Message) => void;
  onAskEverything: (question: Message) => void;
}

function MessageList(props: MessageListProps) {
  const { snapshot, branch, conversation, onAsk, onRegenerate, onAskEverything } = props;
  const { visibleCount, showEarlier } = useEarlierMessages();
  return (
    <>
      {branch.length > visibleCount && (
        <Button variant="quiet" onClick={showEarlier}>
          {t("tutor.earlier")}
        </Button>
      )}
      {branch.slice(-visibleCount).map((message) => (
        <MessageItem
          // Versions of a message share a key, so that switching between them keeps the focus.
          key={`${message.parent ?? ""} ${message.role}`}
          message={message}
          all={snapshot.messages}
          stage={snapshot.answering?.answerId === message._id ? snapshot.answering.stage : null}
          isBusy={snapshot.answering !== null}
          onShow={(version) => conversation.showVersion(version)}
          onEdit={(question, text) => onAsk(text, question)}
          onRetry={onRegenerate}
          onQuiz={() => onAsk(t("tutor.quiz_prompt"), undefined, "quiz")}
          onAskEverything={onAskEverything}
        />
      ))}
      {!snapshot.answering && <FollowUps message={branch.at(-1)} onAsk={(text) => onAsk(text)} />}
    </>
  );
}

/** The status for screen readers, which announce the start and end of an answer instead of each word. */
const describeStatus = (snapshot: ConversationSnapshot, last: Message | undefined) => {
  if (snapshot.answering) return t("tutor.writing");
  return last?.role === "assistant" && last.status === "done" ? t("tutor.answered") : "";
};

/** Loads the models and the remaining quota. */
function useModelsAndUsage(): void {
  const accountId = useAtomValue(accountIdAtom);
  useEffect(() => {
    // Load only once the account is known; account atoms reset on change.
    if (accountId === undefined) return;
    void loadModels();
    void loadUsage();
  }, [accountId]);
}

/** The pressed button disappears while an answer is written, so the focus moves to the stop button. */
function moveFocusToStop(root: HTMLElement | null): void {
  if (root?.querySelector(".conversation-messages")?.contains(document.activeElement) === true)
    root.querySelector<HTMLElement>(".composer-send")?.focus();
}

interface QuestionSettings {
  conversation: Props["conversation"];
  root: { readonly current: HTMLElement | null };
  mode: TutorMode;
  setMode: (mode: TutorMode) => void;
  sources: ScopeSources;
  setSources: (sources: ScopeSources) => void;
  selection: ReturnType<typeof useRefusedSelection>["selection"];
  onDropSelection: () => void;
}

function useQuestionActions(settings: QuestionSettings) {
  const { conversation, root, mode, setMode, sources, setSources, selection, onDropSelection } = settings;
  const ask = (text: string, instead?: Message, questionMode = mode) => {
    const questionSelection = instead ? instead.selection : selection;
    void conversation.ask(
      { text, mode: questionMode, ground: scopeFromSources(sources), selection: questionSelection },
      instead,
    );
    onDropSelection();
    moveFocusToStop(root.current);
  };
  const focusField = () => root.current?.querySelector("textarea")?.focus();
  const askInMode = (text: string, instead?: Message, askedMode?: TutorMode) => {
    if (askedMode) setMode(askedMode);
    ask(text, instead, askedMode);
    // The student's next words are the answer.
    if (askedMode === "quiz") focusField();
  };
  const regenerate = (message: Message) => {
    void conversation.regenerate(message);
    moveFocusToStop(root.current);
  };
  // Uses the selection of the question. The current selection belongs to the next question.
  const askEverything = (question: Message) => {
    setSources([]);
    void conversation.ask({
      text: question.text,
      mode: question.mode,
      ground: scopeFromSources([]),
      selection: question.selection,
    });
    moveFocusToStop(root.current);
  };
  const chooseSource = (source: ScopeSource) => {
    setSources([source]);
    focusField();
  };
  return { ask, askInMode, regenerate, askEverything, chooseSource };
}

/** The messages of a conversation and its composer. */
export function ConversationView(props: Props) {
  const { conversation, initialSources, headingLevel, takesFocus = false } = props;
  const snapshot = useAtomValue(conversation.atom);
  const { mode, setMode, sources, setSources } = useQuestionSettings(snapshot, initialSources);
  const { selection, onDropSelection } = useRefusedSelection(snapshot, props);
  const { ref, onScroll } = useStickToEnd();
  const root = useRef<HTMLDivElement>(null);
  const branch = branchEndingAt(snapshot.messages, snapshot.head);
  const last = branch.at(-1);
  useModelsAndUsage();
  const settings = { conversation, root, mode, setMode, sources, setSources, selection, onDropSelection };
  const { ask, askInMode, regenerate, askEverything, chooseSource } = useQuestionActions(settings);
  const isReady = snapshot.state === "ready";
  const isInQuiz = mode === "quiz" && last?.mode === "quiz";
  return (
    <div className="conversation" ref={root}>
      <div className="conversation-messages" ref={ref} onScroll={onScroll}>
        {!isReady && <NotReady snapshot={snapshot} conversation={conversation} headingLevel={headingLevel} />}
        {isReady && branch.length === 0 && (
          <EmptyConversation
            headingLevel={headingLevel}
            hasSources={sources.length > 0}
            onStart={(text, startMode) => askInMode(text, undefined, startMode)}
            onSource={chooseSource}
          />
        )}
        {isReady && (
          <MessageList
            snapshot={snapshot}
            branch={branch}
            conversation={conversation}
            onAsk={askInMode}
            onRegenerate={regenerate}
            onAskEverything={askEverything}
          />
        )}
      </div>
      <p className="visually-hidden" role="status">
        {describeStatus(snapshot, last)}
      </p>
      <Composer
        placeholder={isInQuiz ? t("tutor.quiz_answer") : choosePlaceholder(sources, initialSources)}
        mode={mode}
        onMode={setMode}
        sources={sources}
        onSources={setSources}
        selection={selection}
        onDropSelection={onDropSelection}
        isAnswering={snapshot.answering !== null}
        refusal={snapshot.refusal}
        takesFocus={takesFocus}
        onAsk={(text) => ask(text)}
        onStop={() => void conversation.stop()}
      />
    </div>
  );
}
