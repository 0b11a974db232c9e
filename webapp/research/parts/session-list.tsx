import { useAtomValue } from "jotai/react";
import { Copy, EllipsisVertical, FolderInput, Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import type { FolderItem } from "#shared/library/schema.ts";
import { t } from "#shared/messages/translate.ts";
import type { ResearchSummary } from "#shared/research/schema.ts";
import { screenPath } from "#shared/screens.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Chip } from "#shared/ui/controls/chip.tsx";
import { IconButton } from "#shared/ui/controls/icon-button.tsx";
import { EmptyState, ErrorState } from "#shared/ui/empty-state.tsx";
import { Menu } from "#shared/ui/overlays/menu.tsx";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import { formatRelativeDate } from "#webapp/app/format/format-date.ts";
import { useNow } from "#webapp/app/hooks/use-now.ts";
import { InnerLink } from "#webapp/app/inner-link.tsx";
import { FolderPicker } from "#webapp/library/parts/folder-picker.tsx";
import {
  duplicateResearchSession,
  loadResearchList,
  archiveResearchSession,
  type ResearchList,
  researchListAtom,
} from "../state.ts";
import { RenameSessionDialog } from "./rename-dialog.tsx";

/** Sessions that are shown until the student wants all. */
const MAX_SHOWN = 200;

function StateChip({ run: { status } }: ResearchSummary) {
  if (status === "running") return <Chip tone="good">{t("research.running")}</Chip>;
  if (status === "stopped") return <Chip>{t("research.state_stopped")}</Chip>;
  return status === "failed" ? <Chip tone="bad">{t("research.state_failed")}</Chip> : null;
}

function SessionRow({ session }: { session: ResearchSummary }) {
  const now = useNow();
  const { _id: id, conversation_title: title, snippet, last_opened: lastOpened } = session;
  const name = title || t("research.untitled");
  const [isRenaming, setRenaming] = useState(false);
  const [itemsToFile, setItemsToFile] = useState<readonly FolderItem[]>();
  return (
    <li className="research-row">
      <div className="research-row-text">
        <InnerLink className="research-row-title" to={screenPath("researchSession", { id })}>
          {name}
        </InnerLink>
        {snippet !== "" && <p className="research-row-snippet">{snippet}</p>}
        <p className="research-row-about">
          {formatRelativeDate(lastOpened, now)} <StateChip {...session} />
        </p>
      </div>
      <Menu
        align="end"
        trigger={
          <IconButton label={t("research.session_menu", { title: name })} icon={<EllipsisVertical aria-hidden />} />
        }
        groups={[
          [
            { label: t("research.rename"), icon: <Pencil aria-hidden />, onSelect: () => setRenaming(true) },
            {
              label: t("library.add_to_folder"),
              icon: <FolderInput aria-hidden />,
              onSelect: () => setItemsToFile([{ item_id: id, item_type: "research_session", created_at: Date.now() }]),
            },
            {
              label: t("research.duplicate"),
              icon: <Copy aria-hidden />,
              onSelect: () => void duplicateResearchSession(id),
            },
          ],
          [
            {
              label: t("research.remove"),
              icon: <Trash2 aria-hidden />,
              danger: true,
              onSelect: () => void archiveResearchSession(id),
            },
          ],
        ]}
      />
      {isRenaming && <RenameSessionDialog id={id} title={title} onClose={() => setRenaming(false)} />}
      <FolderPicker items={itemsToFile} onClose={() => setItemsToFile(undefined)} />
    </li>
  );
}

function Sessions({ sessions, isOffline = false }: Extract<ResearchList, { state: "ready" }>) {
  const [showsAll, setShowsAll] = useState(false);
  const shown = showsAll ? sessions : sessions.slice(0, MAX_SHOWN);
  return (
    <>
      <h2 className="research-sessions-title">{t("research.sessions")}</h2>
      {isOffline && <p className="research-offline">{t("research.sessions_saved")}</p>}
      <ul role="list" className="research-list">
        {shown.map((session) => (
          <SessionRow key={session._id} session={session} />
        ))}
      </ul>
      {shown.length < sessions.length && (
        <Button onClick={() => setShowsAll(true)}>{t("research.sessions_show_all", { count: sessions.length })}</Button>
      )}
    </>
  );
}

export function SessionList() {
  const list = useAtomValue(researchListAtom);
  const retry = <Button onClick={() => void loadResearchList()}>{t("common.retry")}</Button>;
  switch (list.state) {
    case "loading":
      return <Skeleton label={t("common.loading")} lines={[100, 100, 100]} height={56} />;
    case "failed":
      return (
        <ErrorState title={t("research.sessions_failed_title")} action={retry}>
          {t("research.sessions_failed")}
        </ErrorState>
      );
    case "offline":
      return (
        <EmptyState title={t("research.sessions_offline_title")} action={retry}>
          {t("research.sessions_offline")}
        </EmptyState>
      );
    case "ready":
      return list.sessions.length === 0 ? (
        <EmptyState title={t("research.sessions_empty_title")}>{t("research.sessions_empty")}</EmptyState>
      ) : (
        <Sessions {...list} />
      );
    default:
      return list satisfies never;
  }
}
