import { useAtomValue } from "jotai/react";
import { Plus, X } from "lucide-react";
import { useEffect, useState, type ReactNode } from "react";
import { t } from "#shared/messages/translate.ts";
import type { Selection } from "#shared/tutor/schema.ts";
import { IconButton } from "#shared/ui/controls/icon-button.tsx";
import { accountIdAtom } from "#webapp/app/session/account-atom.ts";
import { readLocal, removeLocal, writeLocal } from "#webapp/app/browser/local-storage.ts";
import { useContent } from "#webapp/library/use-content.ts";
import { Conversation } from "../conversation.ts";
import { ConversationView } from "./conversation-view.tsx";
import type { ScopeSources, ScopeSource } from "./scope-chooser.tsx";

/** The last conversation about this source in this browser. */
function useSourceConversation(source: ScopeSource): Conversation {
  const accountId = useAtomValue(accountIdAtom);
  const [conversation] = useState(() => new Conversation());
  const key = `lamplight_tutor_${accountId ?? ""}_${source.id}`;
  useEffect(() => {
    if (accountId === undefined) return undefined;
    conversation.onThreadChange((threadId) => (threadId === null ? removeLocal(key) : writeLocal(key, threadId)));
    const last = readLocal(key);
    if (last !== null) void conversation.open(last);
    return () => conversation.stopFollowing();
  }, [conversation, accountId, key]);
  return conversation;
}

interface PanelProps {
  source: ScopeSource;
  /** The initial scope of questions. */
  initialSources: ScopeSources;
  selection: Selection | null;
  onDropSelection: () => void;
  /** The resize handle. */
  resizeHandle: ReactNode;
  /** Whether the question field is focused at once. */
  takesFocus: boolean;
  onClose: () => void;
}

/** The tutor panel next to a source. */
export function Panel({
  source,
  initialSources,
  selection,
  onDropSelection,
  resizeHandle,
  takesFocus,
  onClose,
}: PanelProps) {
  // Loads the titles of sources, because screens without a sidebar have not loaded them.
  useContent();
  const conversation = useSourceConversation(source);
  return (
    <aside className="tutor-panel" aria-label={t("tutor.name")}>
      {resizeHandle}
      <header className="tutor-head">
        <h2>{t("tutor.name")}</h2>
        <IconButton label={t("tutor.new_thread")} icon={<Plus aria-hidden />} onClick={() => conversation.startNew()} />
        <IconButton label={t("tutor.close")} icon={<X aria-hidden />} onClick={onClose} />
      </header>
      <ConversationView
        conversation={conversation}
        initialSources={initialSources}
        selection={selection}
        onDropSelection={onDropSelection}
        headingLevel={2}
        takesFocus={takesFocus}
      />
    </aside>
  );
}
