import { Link } from "@tanstack/react-router";
import { useAtomValue } from "jotai/react";
import { FilePlus2, FileText, House, LibraryBig, PanelLeftClose, PanelLeftOpen, X } from "lucide-react";
import type { ReactNode } from "react";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import { IconButton } from "#shared/ui/icon-button.tsx";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import { contentAtom, livePagesAtom } from "#webapp/kit/content.ts";
import { dueCountAtom } from "#webapp/kit/due.ts";
import { changePreferences } from "#webapp/kit/preferences.ts";
import { AccountMenu } from "./account-menu.tsx";
import { useNewPage } from "./new-page-button.tsx";
import { SyncState } from "./sync-state.tsx";
import "./sidebar.css";

interface Props {
  /** Icons alone; the names are still read and shown on hover. */
  minimized: boolean;
  /** Given in the drawer, which closes instead of becoming small. */
  onClose?: () => void;
}

/** The sidebar lists so many; all of them stand under "All content". */
const PAGES_SHOWN = 20;

export function Sidebar({ minimized, onClose }: Props) {
  const dueCount = useAtomValue(dueCountAtom);
  const due = dueCount > 0 ? t("shell.due", { count: dueCount }) : undefined;
  return (
    <nav className={minimized ? "sidebar sidebar-small" : "sidebar"} aria-label={t("shell.nav")}>
      <div className="sidebar-head">
        {!minimized && <span className="wordmark">{t("common.product")}</span>}
        <Resize minimized={minimized} onClose={onClose} />
      </div>
      <ul role="list">
        <Row to={screenPath("home", {})} label={t("shell.home")} icon={<House aria-hidden />} note={due} />
        <Row to={screenPath("content", {})} label={t("shell.content")} icon={<LibraryBig aria-hidden />} />
        <NewPageRow />
      </ul>
      {!minimized && <Pages />}
      <div className="sidebar-foot">
        <SyncState />
        <AccountMenu minimized={minimized} />
      </div>
    </nav>
  );
}

function Resize({ minimized, onClose }: { minimized: boolean; onClose: (() => void) | undefined }) {
  if (onClose) return <IconButton label={t("shell.nav_close")} icon={<X aria-hidden />} onClick={onClose} />;
  return (
    <IconButton
      label={t(minimized ? "shell.sidebar_expand" : "shell.sidebar_minimize")}
      icon={minimized ? <PanelLeftOpen aria-hidden /> : <PanelLeftClose aria-hidden />}
      onClick={() =>
        void changePreferences((p) => ({ ...p, sidebar: { ...p.sidebar, minimized: !p.sidebar.minimized } }))
      }
    />
  );
}

interface RowProps {
  to: string;
  label: string;
  icon: ReactNode;
  note?: string | undefined;
}

function Row({ to, label, icon, note }: RowProps) {
  return (
    <li>
      <Link className="sidebar-row" to={to} title={label} activeOptions={{ exact: true }}>
        {icon}
        <span className="sidebar-label">{label}</span>
        {note !== undefined && <span className="sidebar-note">{note}</span>}
      </Link>
    </li>
  );
}

function NewPageRow() {
  const { make, isMaking } = useNewPage();
  return (
    <li>
      <button
        type="button"
        className="sidebar-row"
        title={t("shell.new_page")}
        aria-disabled={isMaking || undefined}
        onClick={() => {
          if (!isMaking) make();
        }}
      >
        <FilePlus2 aria-hidden />
        <span className="sidebar-label">{t("shell.new_page")}</span>
      </button>
    </li>
  );
}

function Pages() {
  const content = useAtomValue(contentAtom);
  const pages = useAtomValue(livePagesAtom);
  return (
    <section className="sidebar-pages">
      <h2>{t("shell.pages")}</h2>
      {content.state === "loading" && <Skeleton label={t("common.loading")} lines={[70, 84, 56]} height={12} />}
      {content.state === "ready" && pages.length === 0 && <p className="sidebar-empty">{t("shell.pages_empty")}</p>}
      <ul role="list">
        {pages.slice(0, PAGES_SHOWN).map((page) => (
          <Row
            key={page._id}
            to={screenPath("page", { id: page._id })}
            label={page.title || t("common.untitled")}
            icon={page.emoji ? <span aria-hidden>{page.emoji}</span> : <FileText aria-hidden />}
          />
        ))}
      </ul>
    </section>
  );
}
