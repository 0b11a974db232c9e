import { useAtomValue } from "jotai/react";
import { Plus, X } from "lucide-react";
import { useEffect, useState, type ReactNode } from "react";
import { t } from "#shared/messages/translate.ts";
import type { Selection } from "#shared/tutor/schema.ts";
import { IconButton } from "#shared/ui/controls/icon-button.tsx";
import { accountIdAtom } from "#webapp/app/session/account-atom.ts";
import { readLocal, removeLocal, writeLocal } from "#webapp/app/browser/local.ts";
import { Conversation } from "../conversation.ts";
import { ConversationView } from "./conversation-view.tsx";
import type { ChosenGround, ChosenSource } from "./ground-chooser.tsx";

/** The last conversation about this source in this browser. */
function useConversationBeside(beside: ChosenSource): Conversation {
  const accountId = useAtomValue(accountIdAtom);
  const [conversation] = useState(() => new Conversation());
  const key = `lamplight_tutor_${accountId ?? ""}_${beside.id}`;
  useEffect(() => {
    if (accountId === undefined) return undefined;
    conversation.tellThreadTo((threadId) => (threadId === null ? removeLocal(key) : writeLocal(key, threadId)));
    const last = readLocal(key);
    if (last !== null) void conversation.open(last);
    return () => conversation.leave();
  }, [conversation, accountId, key]);
  return conversation;
}

interface PanelProps {
  beside: ChosenSource;
  /** The initial scope of questions. */
  standsOn: ChosenGround;
  selection: Selection | null;
  onDropSelection: () => void;
  /** The resize handle. */
  handle: ReactNode;
  /** Whether the question field is focused at once. */
  takesFocus: boolean;
  onClose: () => void;
}

/** The tutor panel next to a source. */
export function Panel({ beside, standsOn, selection, onDropSelection, handle, takesFocus, onClose }: PanelProps) {
  const conversation = useConversationBeside(beside);
  return (
    <aside className="tutor-panel" aria-label={t("tutor.name")}>
      {handle}
      <header className="tutor-head">
        <h2>{t("tutor.name")}</h2>
        <IconButton label={t("tutor.new_thread")} icon={<Plus aria-hidden />} onClick={() => conversation.startNew()} />
        <IconButton label={t("tutor.close")} icon={<X aria-hidden />} onClick={onClose} />
      </header>
      <ConversationView
        conversation={conversation}
        beside={standsOn}
        selection={selection}
        onDropSelection={onDropSelection}
        headingLevel={2}
        takesFocus={takesFocus}
      />
    </aside>
  );
}
