import { useRouter } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { t } from "#shared/messages/translate.ts";
import { useRootAttribute } from "#shared/ui/root-attribute.ts";
import { Sidebar } from "./sidebar.tsx";

/** The sidebar over the content, in a native modal dialog, which traps focus and closes on Escape. */
export function SidebarDrawer({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const ref = useRef<HTMLDialogElement>(null);
  useRootAttribute(ref, "veiled", isOpen);
  const router = useRouter();
  useEffect(() => router.subscribe("onBeforeNavigate", () => ref.current?.close()), [router]);
  useEffect(() => {
    if (isOpen) ref.current?.showModal();
  }, [isOpen]);
  return (
    <dialog
      ref={ref}
      className="shell-drawer"
      aria-label={t("shell.nav")}
      onClose={onClose}
      onPointerDown={(event) => {
        if (event.target === ref.current) ref.current.close();
      }}
    >
      {isOpen && <Sidebar minimized={false} onClose={() => ref.current?.close()} />}
    </dialog>
  );
}
