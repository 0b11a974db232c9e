import { useAtomValue } from "jotai/react";
import {
  BookMarked,
  FilePlus2,
  Headphones,
  House,
  LibraryBig,
  MessageSquareText,
  PanelLeftClose,
  PanelLeftOpen,
  PanelsTopLeft,
  Search,
  Telescope,
  X,
} from "lucide-react";
import { useMemo } from "react";
import { t } from "#shared/messages/translate.ts";
import type { Page } from "#shared/pages/schema.ts";
import { screenPath } from "#shared/screens.ts";
import { IconButton } from "#shared/ui/controls/icon-button.tsx";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import { contentAtom, livePagesAtom } from "#webapp/library/content.ts";
import { formatShortcut } from "#webapp/app/format/format-shortcut.ts";
import { openSearch } from "#webapp/app/search-state.ts";
import { indexLibraryItems, type LibraryItem } from "#webapp/library/library-items.ts";
import { usePending } from "#webapp/offline/use-pending.ts";
import { changePreferences, preferencesAtom } from "#webapp/app/preferences.ts";
import { AccountMenu } from "./account-menu.tsx";
import { useCreatePage } from "./new-page-button.tsx";
import { LibraryItemIcon } from "./library-item-icon.tsx";
import { SidebarFolders } from "./sidebar-folders.tsx";
import { listRecents, SidebarPins, SidebarRecents } from "./sidebar-pins.tsx";
import { listResearch, SidebarResearch } from "./sidebar-research.tsx";
import { SidebarRow } from "./sidebar-row.tsx";
import { SidebarSection } from "./sidebar-section.tsx";
import { useCardsToday } from "./use-cards-today.ts";
import { SyncStatusLine } from "../sync-status-line.tsx";
import "./sidebar.css";

interface Props {
  /** Whether the sidebar is collapsed to icons with small labels. */
  minimized: boolean;
  /** Only for the drawer, whose button closes the sidebar instead of collapsing it. */
  onClose?: () => void;
  /** Only for screens on which collapsing hides the sidebar completely. */
  onCollapse?: () => void;
}

/** The number of pages that are listed before "show all" is pressed. */
const PAGES_SHOWN = 20;
const MAX_SHOWN = 500;

export function Sidebar({ minimized, onClose, onCollapse = toggleMinimized }: Props) {
  const count = useCardsToday();
  return (
    <nav className={minimized ? "sidebar sidebar-small" : "sidebar"} aria-label={t("shell.nav")}>
      <div className="sidebar-head">
        {!minimized && <span className="wordmark">{t("common.product")}</span>}
        <CollapseButton minimized={minimized} onClose={onClose} onCollapse={onCollapse} />
      </div>
      <div className="sidebar-scroll">
        <ul role="list">
          <SidebarRow
            to={screenPath("home", {})}
            label={t("shell.home")}
            icon={<House aria-hidden />}
            note={count > 0 ? t("shell.today", { count }) : undefined}
          />
          <SidebarRow to={screenPath("chat", {})} label={t("shell.tutor")} icon={<MessageSquareText aria-hidden />} />
          <SidebarRow to={screenPath("research", {})} label={t("shell.research")} icon={<Telescope aria-hidden />} />
          <SidebarRow to={screenPath("content", {})} label={t("shell.content")} icon={<LibraryBig aria-hidden />} />
          <SearchRow />
          <SidebarRow to={screenPath("knowledge", {})} label={t("shell.sources")} icon={<BookMarked aria-hidden />} />
          <SidebarRow to={screenPath("podcasts", {})} label={t("shell.podcasts")} icon={<Headphones aria-hidden />} />
          <SidebarRow
            to={screenPath("websites", {})}
            label={t("shell.websites")}
            icon={<PanelsTopLeft aria-hidden />}
          />
          <NewPageRow />
        </ul>
        {!minimized && <Sections />}
      </div>
      <div className="sidebar-foot">
        <SyncStatusLine />
        <AccountMenu minimized={minimized} />
      </div>
    </nav>
  );
}

const toggleMinimized = () =>
  void changePreferences((p) => ({ ...p, sidebar: { ...p.sidebar, minimized: !p.sidebar.minimized } }));

interface CollapseProps {
  minimized: boolean;
  onClose: (() => void) | undefined;
  onCollapse: () => void;
}

function CollapseButton({ minimized, onClose, onCollapse }: CollapseProps) {
  if (onClose) return <IconButton label={t("shell.nav_close")} icon={<X aria-hidden />} onClick={onClose} />;
  return (
    <IconButton
      label={t(minimized ? "shell.sidebar_expand" : "shell.sidebar_minimize")}
      icon={minimized ? <PanelLeftOpen aria-hidden /> : <PanelLeftClose aria-hidden />}
      onClick={onCollapse}
    />
  );
}

function SearchRow() {
  return (
    <li>
      <button type="button" className="sidebar-row" title={t("shell.search")} onClick={openSearch}>
        <Search aria-hidden />
        <span className="sidebar-label">{t("shell.search")}</span>
        <span className="sidebar-keys key-hint" aria-hidden>
          {formatShortcut("Ctrl K")}
        </span>
      </button>
    </li>
  );
}

function NewPageRow() {
  const { create, isCreating } = useCreatePage();
  return (
    <li>
      <button
        type="button"
        className="sidebar-row"
        title={t("shell.new_page")}
        aria-disabled={isCreating || undefined}
        onClick={() => {
          if (!isCreating) create();
        }}
      >
        <FilePlus2 aria-hidden />
        <span className="sidebar-label">{t("shell.new_page")}</span>
      </button>
    </li>
  );
}

function Sections() {
  const content = useAtomValue(contentAtom);
  const libraryItems = useMemo(() => indexLibraryItems(content), [content]);
  const sessions = useMemo(() => listResearch(libraryItems), [libraryItems]);
  const { research_minimized: hidesResearch } = useAtomValue(preferencesAtom).sidebar;
  const recent = useMemo(
    () => listRecents(libraryItems, hidesResearch ? [] : sessions),
    [libraryItems, hidesResearch, sessions],
  );
  return (
    <>
      <SidebarPins libraryItems={libraryItems} />
      <SidebarFolders libraryItems={libraryItems} />
      <SidebarResearch sessions={sessions} />
      <SidebarRecents recent={recent} />
      <Pages recent={recent} />
    </>
  );
}

function PageRow({ page: { _id: id, title, emoji } }: { page: Page }) {
  const isPending = usePending(id, "page");
  return (
    <SidebarRow
      to={screenPath("page", { id })}
      label={title || t("common.untitled")}
      icon={<LibraryItemIcon kind="page" emoji={emoji} />}
      note={isPending ? t("common.pending") : undefined}
    />
  );
}

/** Pages, most recent first. Pages that the open section Recents already lists are left out. */
function Pages({ recent }: { recent: readonly LibraryItem[] }) {
  const content = useAtomValue(contentAtom);
  const livePages = useAtomValue(livePagesAtom);
  const { content_show_all: showsAll, recents_minimized: hidesRecents } = useAtomValue(preferencesAtom).sidebar;
  const recentIds = new Set(hidesRecents ? [] : recent.map(({ id }) => id));
  const pages = livePages.filter(({ _id }) => !recentIds.has(_id));
  const isAllRecent = livePages.length > 0 && pages.length === 0;
  const shown = pages.slice(0, showsAll ? MAX_SHOWN : PAGES_SHOWN);
  return (
    <SidebarSection title={t("shell.pages")} preference="pages_minimized">
      {content.state === "loading" && <Skeleton label={t("common.loading")} lines={[70, 84, 56]} height={12} />}
      {content.state === "ready" && pages.length === 0 && (
        <p className="sidebar-empty">{t(isAllRecent ? "shell.pages_recent" : "shell.pages_empty")}</p>
      )}
      <ul role="list">
        {shown.map((page) => (
          <PageRow key={page._id} page={page} />
        ))}
      </ul>
      {pages.length > PAGES_SHOWN && (
        <button
          type="button"
          className="sidebar-row sidebar-more"
          aria-expanded={showsAll}
          onClick={() =>
            void changePreferences((p) => ({ ...p, sidebar: { ...p.sidebar, content_show_all: !showsAll } }))
          }
        >
          {showsAll ? t("shell.pages_fewer") : t("shell.pages_all", { count: pages.length })}
        </button>
      )}
    </SidebarSection>
  );
}
