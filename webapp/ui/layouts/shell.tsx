import { useRouter } from "@tanstack/react-router";
import { useAtomValue } from "jotai/react";
import { Menu } from "lucide-react";
import { useEffect, useRef, useState, type ReactNode } from "react";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { ErrorState } from "#shared/ui/empty-state.tsx";
import { IconButton } from "#shared/ui/controls/icon-button.tsx";
import { useRootAttribute } from "#shared/ui/root-attribute.ts";
import { useContent } from "#webapp/library/use-content.ts";
import { preferencesAtom } from "#webapp/app/preferences.ts";
import { startSession } from "#webapp/app/session/session.ts";
import { useSession } from "#webapp/app/session/use-session.ts";
import { Sidebar } from "../sidebar/sidebar.tsx";
import "./shell.css";

/** The workspace: sidebar on large screens, drawer on small ones. */
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
          children
        )}
      </main>
    </div>
  );
}

/** A native modal dialog, which traps focus and closes on Escape. */
function Drawer() {
  const ref = useRef<HTMLDialogElement>(null);
  const [isOpen, setOpen] = useState(false);
  useRootAttribute(ref, "veiled", isOpen);
  const router = useRouter();
  useEffect(() => router.subscribe("onBeforeNavigate", () => ref.current?.close()), [router]);
  return (
    <header className="shell-top">
      <IconButton
        label={t("shell.nav_open")}
        icon={<Menu aria-hidden />}
        aria-haspopup="dialog"
        onClick={() => {
          setOpen(true);
          ref.current?.showModal();
        }}
      />
      <span className="wordmark">{t("common.product")}</span>
      <dialog
        ref={ref}
        className="shell-drawer"
        aria-label={t("shell.nav")}
        onClose={() => setOpen(false)}
        onPointerDown={(event) => {
          if (event.target === ref.current) ref.current.close();
        }}
      >
        {isOpen && <Sidebar minimized={false} onClose={() => ref.current?.close()} />}
      </dialog>
    </header>
  );
}
