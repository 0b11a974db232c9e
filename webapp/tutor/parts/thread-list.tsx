import { MoreHorizontal, Trash2 } from "lucide-react";
import { useAtomValue } from "jotai/react";
import { useEffect, useState } from "react";
import { t } from "#shared/messages/translate.ts";
import type { Thread } from "#shared/tutor/schema.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { IconButton } from "#shared/ui/controls/icon-button.tsx";
import { Menu } from "#shared/ui/overlays/menu.tsx";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import { TextField } from "#shared/ui/controls/text-field.tsx";
import { accountIdAtom } from "#webapp/app/session/account-atom.ts";
import { loadThreads, removeThread, renameThread, threadsAtom } from "../state.ts";
import { DeletedThreads } from "./deleted-threads.tsx";
import "./thread-list.css";

interface Props {
  current: string | null;
  onOpen: (threadId: string) => void;
  onRemoved: (threadId: string) => void;
}

interface RenameProps {
  draft: string;
  /** Null cancels the rename. */
  onDraft: (draft: string | null) => void;
  onSave: () => void;
}

function Rename({ draft, onDraft, onSave }: RenameProps) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSave();
      }}
    >
      <TextField
        label={t("tutor.rename_label")}
        labelHidden
        autoFocus
        value={draft}
        maxLength={200}
        onChange={(event) => onDraft(event.target.value)}
        onBlur={onSave}
        onKeyDown={(event) => {
          if (event.key === "Escape") onDraft(null);
        }}
      />
    </form>
  );
}

function ThreadRow({
  thread,
  isCurrent,
  onOpen,
  onRemoved,
}: { thread: Thread; isCurrent: boolean } & Omit<Props, "current">) {
  const [draft, setDraft] = useState<string | null>(null);
  const title = thread.title || t("tutor.untitled");
  if (draft !== null) {
    const save = () => {
      setDraft(null);
      if (draft.trim() !== "" && draft.trim() !== thread.title) void renameThread(thread._id, draft.trim());
    };
    return (
      <li>
        <Rename draft={draft} onDraft={setDraft} onSave={save} />
      </li>
    );
  }
  const remove = () => {
    void removeThread(thread._id);
    onRemoved(thread._id);
  };
  return (
    <li className="thread-row">
      <button
        type="button"
        className="thread-name"
        dir="auto"
        aria-current={isCurrent ? "true" : undefined}
        onClick={() => onOpen(thread._id)}
      >
        {title}
      </button>
      <Menu
        trigger={<IconButton label={t("tutor.thread_menu", { title })} icon={<MoreHorizontal aria-hidden />} />}
        groups={[
          [{ label: t("tutor.rename"), onSelect: () => setDraft(thread.title) }],
          [{ label: t("tutor.remove"), onSelect: remove, danger: true }],
        ]}
      />
    </li>
  );
}

const PAGE_SIZE = 100;

/** All conversations, newest first, with a search by title. */
export function ThreadList(props: Props) {
  const [isTrashOpen, setTrashOpen] = useState(false);
  return (
    <>
      <ListedThreads {...props} />
      <Button
        className="threads-trash"
        variant="quiet"
        icon={<Trash2 aria-hidden />}
        onClick={() => setTrashOpen(true)}
      >
        {t("tutor.trash")}
      </Button>
      {isTrashOpen && <DeletedThreads onClose={() => setTrashOpen(false)} />}
    </>
  );
}

function ListedThreads({ current, onOpen, onRemoved }: Props) {
  const threadList = useAtomValue(threadsAtom);
  const [query, setQuery] = useState("");
  const [visibleCount, setVisibleCount] = useState(PAGE_SIZE);
  const accountId = useAtomValue(accountIdAtom);
  useEffect(() => {
    // Load only once the account is known; account atoms reset on change.
    if (accountId !== undefined) void loadThreads();
  }, [accountId]);
  if (threadList.state === "loading") return <Skeleton label={t("common.loading")} lines={[80, 66, 74]} height={14} />;
  if (threadList.state === "failed")
    return (
      <div className="thread-note">
        <p>{t("tutor.threads_failed")}</p>
        <Button onClick={() => void loadThreads()}>{t("common.retry")}</Button>
      </div>
    );
  if (threadList.threads.length === 0) return <p className="thread-note">{t("tutor.threads_empty")}</p>;
  const normalizedQuery = query.trim().toLowerCase();
  const matches = threadList.threads.filter(({ title }) => title.toLowerCase().includes(normalizedQuery));
  return (
    <div className="threads">
      <TextField
        label={t("tutor.threads_search")}
        labelHidden
        type="search"
        placeholder={t("tutor.threads_search")}
        value={query}
        onChange={(event) => setQuery(event.target.value)}
      />
      {matches.length === 0 && <p className="thread-note">{t("tutor.threads_none")}</p>}
      <ul role="list">
        {matches.slice(0, visibleCount).map((thread) => (
          <ThreadRow
            key={thread._id}
            thread={thread}
            isCurrent={thread._id === current}
            onOpen={onOpen}
            onRemoved={onRemoved}
          />
        ))}
      </ul>
      {matches.length > visibleCount && (
        <Button variant="quiet" onClick={() => setVisibleCount(visibleCount + PAGE_SIZE)}>
          {t("tutor.threads_older")}
        </Button>
      )}
    </div>
  );
}
