import { PanelLeftOpen } from "lucide-react";
import { t } from "#shared/messages/translate.ts";
import { IconButton } from "#shared/ui/controls/icon-button.tsx";
import { useSidebarOpener } from "./sidebar-state.ts";

/** A button in the header of a screen such as a page or document that opens the sidebar; hidden if it is pinned. */
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
