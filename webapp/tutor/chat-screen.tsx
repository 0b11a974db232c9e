import { useNavigate, useSearch } from "@tanstack/react-router";
import { useAtomValue } from "jotai/react";
import { Maximize2, Minimize2, PanelLeft, Plus, SquarePen } from "lucide-react";
import { useEffect, useState } from "react";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { IconButton } from "#shared/ui/controls/icon-button.tsx";
import { accountIdAtom } from "#webapp/app/session/account-atom.ts";
import { useContent } from "#webapp/library/use-content.ts";
import { Conversation } from "./conversation.ts";
import { ConversationView } from "./parts/conversation-view.tsx";
import { ThreadList } from "./parts/thread-list.tsx";
import { threadsAtom } from "./state.ts";
import "./chat-screen.css";

interface Props {
  /** The screen's own path. */
  path: string;
  isFullScreen: boolean;
}

const chatHref = (screen: string, threadId: string | null) =>
  threadId === null ? screen : `${screen}?thread=${encodeURIComponent(threadId)}`;

/** Keeps the shown thread in the URL, so that a reload or a second tab shows the same one. */
function useThreadFromUrl(path: string): Conversation {
  const [conversation] = useState(() => new Conversation());
  const navigate = useNavigate();
  const { thread }: { thread?: unknown } = useSearch({ strict: false });
  const requestedThreadId = typeof thread === "string" ? thread : null;
  const accountId = useAtomValue(accountIdAtom);
  useEffect(() => {
    conversation.onThreadChange((threadId) => void navigate({ href: chatHref(path, threadId), replace: true }));
  }, [conversation, navigate, path]);
  useEffect(() => {
    if (accountId === undefined || requestedThreadId === conversation.snapshot.threadId) return;
    if (requestedThreadId === null) conversation.startNew();
    else void conversation.open(requestedThreadId);
  }, [conversation, requestedThreadId, accountId]);
  useEffect(() => () => conversation.stopFollowing(), [conversation]);
  return conversation;
}

interface ChatHeaderProps extends Pick<Props, "isFullScreen"> {
  threadId: string | null;
  isListShown: boolean;
  onList: () => void;
  onNew: () => void;
}

function ChatHeader({ isFullScreen, threadId, isListShown, onList, onNew }: ChatHeaderProps) {
  const navigate = useNavigate();
  const threads = useAtomValue(threadsAtom);
  const threadTitle =
    threads.state === "ready" ? threads.threads.find(({ _id }) => _id === threadId)?.title : undefined;
  const otherScreen = isFullScreen ? screenPath("chat", {}) : screenPath("assistant", {});
  return (
    <header className="chat-head">
      <IconButton
        className="chat-list-button"
        label={t("tutor.threads_show")}
        icon={<PanelLeft aria-hidden />}
        aria-expanded={isListShown}
        onClick={onList}
      />
      <h1 dir="auto">{threadTitle || t("tutor.title")}</h1>
      <IconButton
        label={t("tutor.canvas")}
        icon={<SquarePen aria-hidden />}
        onClick={() => void navigate({ to: screenPath("canvas", {}) })}
      />
      <IconButton
        label={t(isFullScreen ? "tutor.leave_full_screen" : "tutor.full_screen")}
        icon={isFullScreen ? <Minimize2 aria-hidden /> : <Maximize2 aria-hidden />}
        onClick={() => void navigate({ href: chatHref(otherScreen, threadId) })}
      />
      <Button icon={<Plus aria-hidden />} onClick={onNew}>
        <span className="chat-new-words">{t("tutor.new_thread")}</span>
      </Button>
    </header>
  );
}

function Chat({ path, isFullScreen }: Props) {
  const conversation = useThreadFromUrl(path);
  const navigate = useNavigate();
  const [isListShown, setListShown] = useState(false);
  const { threadId } = useAtomValue(conversation.atom);
  const open = (id: string) => {
    setListShown(false);
    void navigate({ href: chatHref(path, id) });
  };
  return (
    <div className="chat" data-full={isFullScreen} data-list={isListShown}>
      <aside className="chat-threads" aria-label={t("tutor.threads")}>
        <ThreadList
          current={threadId}
          onOpen={open}
          onRemoved={(id) => {
            if (id === threadId) conversation.startNew();
          }}
        />
      </aside>
      <section className="chat-talk" aria-label={t("tutor.name")}>
        <ChatHeader
          isFullScreen={isFullScreen}
          threadId={threadId}
          isListShown={isListShown}
          onList={() => setListShown(!isListShown)}
          onNew={() => {
            setListShown(false);
            conversation.startNew();
          }}
        />
        <ConversationView
          conversation={conversation}
          initialSources={[]}
          selection={null}
          onDropSelection={() => undefined}
          headingLevel={2}
        />
      </section>
    </div>
  );
}

export const ChatScreen = () => <Chat path={screenPath("chat", {})} isFullScreen={false} />;

/** The chat in full screen, without the workspace around it. */
export function AssistantScreen() {
  useContent();
  return (
    <main id="content">
      <Chat path={screenPath("assistant", {})} isFullScreen />
    </main>
  );
}
