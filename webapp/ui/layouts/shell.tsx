import { useAtomValue } from "jotai/react";
import { Menu } from "lucide-react";
import { useState, type ReactNode } from "react";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { ErrorState } from "#shared/ui/empty-state.tsx";
import { IconButton } from "#shared/ui/controls/icon-button.tsx";
import { useContent } from "#webapp/library/use-content.ts";
import { preferencesAtom } from "#webapp/app/preferences.ts";
import { startSession } from "#webapp/app/session/session.ts";
import { useSession } from "#webapp/app/session/use-session.ts";
import { Sidebar } from "../sidebar/sidebar.tsx";
import { SidebarDrawer } from "../sidebar/sidebar-drawer.tsx";
import { FramedContext } from "./framed-context.ts";
import "./shell.css";

/** The workspace, with a sidebar on large screens and a drawer on small screens. */
export function Shell({ children }: { children: ReactNode }) {
  const session = useSession();
  useContent();
  const { minimized } = useAtomValue(preferencesAtom).sidebar;
  return (
    <div className={minimized ? "shell shell-small" : "shell"}>
      <a className="shell-skip" href="#content">
        {t("shell.skip")}
      </a>
      <aside className="shell-side">
        <Sidebar minimized={minimized} />
      </aside>
      <Drawer />
      <main id="content" className="shell-main" tabIndex={-1}>
        {session.state === "failed" ? (
          <ErrorState
            title={session.message}
            headingLevel={1}
            action={<Button onClick={() => void startSession()}>{t("common.retry")}</Button>}
          >
            {t("shell.error_text")}
          </ErrorState>
        ) : (
          <FramedContext value>{children}</FramedContext>
        )}
      </main>
    </div>
  );
}

function Drawer() {
  const [isOpen, setOpen] = useState(false);
  return (
    <header className="shell-top">
      <IconButton
        label={t("shell.nav_open")}
        icon={<Menu aria-hidden />}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      />
      <span className="wordmark">{t("common.product")}</span>
      <SidebarDrawer isOpen={isOpen} onClose={() => setOpen(false)} />
    </header>
  );
}
