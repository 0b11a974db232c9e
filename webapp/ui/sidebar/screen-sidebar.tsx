import { useEffect, useRef } from "react";
import { t } from "#shared/messages/translate.ts";
import { useContent } from "#webapp/library/use-content.ts";
import { Sidebar } from "./sidebar.tsx";
import { SidebarDrawer } from "./sidebar-drawer.tsx";
import "../layouts/shell.css";

function focusScreen(): void {
  const main = document.querySelector<HTMLElement>(".framed-main main");
  if (main && !main.hasAttribute("tabindex")) main.tabIndex = -1;
  main?.focus();
}

interface PinnedProps {
  /** Whether the student has just pinned the sidebar. */
  takesFocus: boolean;
  onUnpin: () => void;
}

function PinnedSidebar({ takesFocus, onUnpin }: PinnedProps) {
  const ref = useRef<HTMLElement>(null);
  useEffect(() => {
    if (takesFocus) ref.current?.querySelector<HTMLElement>(".sidebar-head button")?.focus();
  }, [takesFocus]);
  return (
    <aside ref={ref} className="shell-side">
      <button type="button" className="shell-skip" onClick={focusScreen}>
        {t("shell.skip")}
      </button>
      <Sidebar minimized={false} onCollapse={onUnpin} />
    </aside>
  );
}

interface Props extends PinnedProps {
  isPinned: boolean;
  isDrawerOpen: boolean;
  onDrawerClose: () => void;
}

/**
 * The sidebar of a screen without the default layout: a column beside the screen if pinned, otherwise a drawer over it.
 */
export function ScreenSidebar({ isPinned, isDrawerOpen, onDrawerClose, ...pinned }: Props) {
  useContent();
  return isPinned ? <PinnedSidebar {...pinned} /> : <SidebarDrawer isOpen={isDrawerOpen} onClose={onDrawerClose} />;
}
