import { redo, undo } from "@tiptap/pm/history";
import { useAtomValue } from "jotai/react";
import {
  Archive,
  Camera,
  Copy,
  CopyPlus,
  FileDown,
  FileInput,
  History,
  Link,
  ListTree,
  MoreHorizontal,
  Printer,
  Redo2,
  Share2,
  Sparkle,
  Trash2,
  Undo2,
  Upload,
} from "lucide-react";
import type { Page } from "#shared/pages/schema.ts";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { IconButton } from "#shared/ui/controls/icon-button.tsx";
import { Menu } from "#shared/ui/overlays/menu.tsx";
import type { MenuItem } from "#shared/ui/overlays/menu-items.ts";
import { formatShortcut } from "#webapp/app/format/format-shortcut.ts";
import { usePinItem } from "#webapp/library/use-pin-item.tsx";
import { duplicateOwnPage } from "#webapp/sharing/copy-shared.ts";
import { openShareDialog } from "#webapp/sharing/share-dialog-state.ts";
import { diskStateAtom, syncStatusAtom } from "#webapp/offline/sync-status.ts";
import { hasCamera } from "#webapp/uploads/parts/pick-files.ts";
import { restoreOnError } from "../editor/typing/keys.ts";
import { addMarkdownFile, copyMarkdown, downloadMarkdown, downloadZip, printPage } from "../markdown-files.ts";
import type { PageSession } from "../session/page-session.ts";
import { deletePage, redoPageAction, restoreOpenPage, saveStateAtom, undoPageAction } from "../session/open-page.ts";
import { SidebarButton } from "#webapp/ui/sidebar/sidebar-button.tsx";
import { Breadcrumb } from "./breadcrumb.tsx";
import "./top-bar.css";

/** Shows "Saved" only when nothing is left to send. */
function SavedState() {
  const saveState = useAtomValue(saveStateAtom);
  const status = useAtomValue(syncStatusAtom);
  const diskState = useAtomValue(diskStateAtom);
  const isFull = diskState === "full" && status.unsaved > 0;
  const formatState = () => {
    if (diskState === "silent" && (saveState !== "saved" || status.unsaved > 0)) return t("pages.state_silent");
    if (saveState === "failed" || isFull) return t("pages.state_failed");
    if (diskState === "denied" && status.unsaved > 0) return t("pages.state_denied");
    if (status.parked.length > 0) return t("pages.state_waiting", { count: status.unsaved });
    if (status.state === "offline") return t("pages.state_offline");
    return t(saveState === "saving" || status.state === "saving" ? "pages.state_saving" : "pages.state_saved");
  };
  return (
    <span className="top-bar-state" role="status" data-failed={saveState === "failed" || isFull}>
      {formatState()}
    </span>
  );
}

const ArchivedBar = () => (
  <div className="archived-bar" role="status">
    <p>{t("pages.archived")}</p>
    <Button onClick={() => void restoreOpenPage()}>{t("pages.restore")}</Button>
  </div>
);

const sharePage = ({ _id: id, title }: Page) => openShareDialog({ type: "page", id, title });

/** Pin, import, export, print, duplicate and share. */
const fileItems = (page: Page, session: PageSession, pinning: MenuItem): MenuItem[] => [
  pinning,
  { label: t("pages.markdown_import"), icon: <FileInput aria-hidden />, onSelect: () => addMarkdownFile(session) },
  {
    label: t("pages.markdown_export"),
    icon: <FileDown aria-hidden />,
    onSelect: () => downloadMarkdown(page, session),
  },
  { label: t("pages.zip_export"), icon: <Archive aria-hidden />, onSelect: () => void downloadZip(page, session) },
  { label: t("pages.markdown_copy"), icon: <Copy aria-hidden />, onSelect: () => void copyMarkdown(page, session) },
  { label: t("pages.print"), icon: <Printer aria-hidden />, onSelect: () => printPage(session) },
  {
    label: t("common.duplicate"),
    icon: <CopyPlus aria-hidden />,
    onSelect: () => void session.saver.flush().then(() => duplicateOwnPage(page._id)),
  },
  { label: t("common.share"), icon: <Share2 aria-hidden />, onSelect: () => sharePage(page) },
];

interface Props {
  page: Page;
  session: PageSession;
  onUpload: () => void;
  onPhoto: () => void;
  onLink: () => void;
  onMake: () => void;
  onHistory: () => void;
  onOutline: () => void;
}

function pageMenu(
  { page, session, onUpload, onPhoto, onLink, onMake, onHistory, onOutline }: Props,
  pinning: MenuItem,
) {
  const run = (command: typeof undo) => () => {
    const view = session.editor?.view;
    if (!view || (command === undo ? undoPageAction() : redoPageAction())) return;
    restoreOnError(command)(view.state, view.dispatch, view);
    view.focus();
  };
  return [
    [
      { label: t("pages.upload"), icon: <Upload aria-hidden />, onSelect: onUpload },
      ...(hasCamera() ? [{ label: t("uploads.from_camera"), icon: <Camera aria-hidden />, onSelect: onPhoto }] : []),
      { label: t("uploads.link_title"), icon: <Link aria-hidden />, onSelect: onLink },
      { label: t("pages.make_cards"), icon: <Sparkle aria-hidden />, onSelect: onMake },
    ],
    [
      {
        label: t("pages.undo"),
        icon: <Undo2 aria-hidden />,
        keys: formatShortcut("Ctrl Z"),
        onSelect: run(undo),
      },
      {
        label: t("pages.redo"),
        icon: <Redo2 aria-hidden />,
        keys: formatShortcut("Ctrl Y"),
        onSelect: run(redo),
      },
      { label: t("pages.history"), icon: <History aria-hidden />, onSelect: onHistory },
      { label: t("pages.outline"), icon: <ListTree aria-hidden />, onSelect: onOutline },
    ],
    fileItems(page, session, pinning),
    [
      {
        label: t("pages.delete"),
        icon: <Trash2 aria-hidden />,
        danger: true,
        onSelect: () => void deletePage(),
      },
    ],
  ];
}

export function TopBar(props: Props) {
  const { page } = props;
  const { _id: id, title, emoji } = page;
  const pinning = usePinItem({ id, kind: "page", title, emoji, pageId: id });
  return (
    <>
      <header className="top-bar">
        <SidebarButton />
        <Breadcrumb page={page} />
        <SavedState />
        <Menu
          trigger={<IconButton label={t("pages.menu")} icon={<MoreHorizontal aria-hidden />} />}
          groups={pageMenu(props, pinning)}
        />
      </header>
      {page.archived && <ArchivedBar />}
    </>
  );
}
