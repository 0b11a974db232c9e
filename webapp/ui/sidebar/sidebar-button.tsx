import { PanelLeftOpen } from "lucide-react";
import { t } from "#shared/messages/translate.ts";
import { IconButton } from "#shared/ui/controls/icon-button.tsx";
import { useSidebarOpener } from "./sidebar-state.ts";

/** Opens the sidebar from the header of a page, a document, a deck or a video; nothing while it is pinned. */
export function SidebarButton() {
  const open = useSidebarOpener();
  if (!open) return null;
  return (
    <IconButton
      className="sidebar-opener"
      label={t("shell.sidebar_show")}
      icon={<PanelLeftOpen aria-hidden />}
      onClick={open}
    />
  );
}
