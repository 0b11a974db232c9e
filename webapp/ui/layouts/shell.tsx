import { useAtomValue } from "jotai/react";
import { Search } from "lucide-react";
import { lazy, Suspense, useState, type ReactNode } from "react";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { ErrorState } from "#shared/ui/empty-state.tsx";
import { IconButton } from "#shared/ui/controls/icon-button.tsx";
import { useContent } from "#webapp/library/use-content.ts";
import { useMediaQuery } from "#webapp/app/hooks/use-media-query.ts";
import { preferencesAtom } from "#webapp/app/preferences.ts";
import { openSearch } from "#webapp/app/search-state.ts";
import { startSession } from "#webapp/app/session/session.ts";
import { useSession } from "#webapp/app/session/use-session.ts";
import { Sidebar } from "../sidebar/sidebar.tsx";
import { SidebarDrawer } from "../sidebar/sidebar-drawer.tsx";
import { FramedContext } from "./framed-context.ts";
import "./shell.css";

/** As in shell.css: narrower windows have no sidebar. */
const PHONE = "(max-width: 760px)";
const PhoneBar = lazy(async () => ({ default: (await import("./phone-bar.tsx")).PhoneBar }));

/** The workspace, with a sidebar on large screens, and with a bar at the bottom and a drawer on phones. */
export function Shell({ children }: { children: ReactNode }) {
  const session = useSession();
  useContent();
  const { minimized } = useAtomValue(preferencesAtom).sidebar;
  const isPhone = useMediaQuery(PHONE);
  const [isDrawerOpen, setDrawerOpen] = useState(false);
  return (
    <div className={minimized ? "shell shell-small" : "shell"}>
      <a className="shell-skip" href="#content">
        {t("shell.skip")}
      </a>
      <aside className="shell-side">
        <Sidebar minimized={minimized} />
      </aside>
      <TopBar />
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
      <Suspense>{isPhone && <PhoneBar onMenu={() => setDrawerOpen(true)} />}</Suspense>
      <SidebarDrawer isOpen={isDrawerOpen} onClose={() => setDrawerOpen(false)} />
    </div>
  );
}

function TopBar() {
  return (
    <header className="shell-top">
      <span className="wordmark">{t("common.product")}</span>
      <IconButton label={t("shell.search")} icon={<Search aria-hidden />} aria-haspopup="dialog" onClick={openSearch} />
    </header>
  );
}
