import * as Tabs from "radix-ui/tabs";
import { X } from "lucide-react";
import type { ReactNode } from "react";
import { t } from "#shared/messages/translate.ts";
import { IconButton } from "#shared/ui/controls/icon-button.tsx";

export interface PanelTab {
  id: string;
  label: string;
  content: ReactNode;
}

interface Props {
  tabs: readonly PanelTab[];
  chosen: string;
  onChoose: (id: string) => void;
  onClose: () => void;
}

/** In a narrow window the panel covers the pages, so it must close before a passage is shown. */
export function coversPages(): boolean {
  const panel = document.querySelector(".pdf-side");
  return panel !== null && getComputedStyle(panel).position === "fixed";
}

/** Side panel: thumbnails, outline, annotations, and panels of other features. */
export function SidePanel({ tabs, chosen, onChoose, onClose }: Props) {
  const activeId = tabs.some(({ id }) => id === chosen) ? chosen : (tabs[0]?.id ?? "");
  return (
    <aside className="pdf-side" aria-label={t("pdf.panel_name")}>
      <Tabs.Root className="pdf-tabs" value={activeId} onValueChange={onChoose}>
        <div className="pdf-tabs-head">
          <Tabs.List className="pdf-tab-list" aria-label={t("pdf.panel_name")}>
            {tabs.map(({ id, label }) => (
              <Tabs.Trigger key={id} value={id} className="pdf-tab">
                {label}
              </Tabs.Trigger>
            ))}
          </Tabs.List>
          <IconButton label={t("pdf.panel_close")} icon={<X aria-hidden />} onClick={onClose} />
        </div>
        {tabs.map(({ id, content }) => (
          <Tabs.Content key={id} value={id} className="pdf-tab-content">
            {content}
          </Tabs.Content>
        ))}
      </Tabs.Root>
    </aside>
  );
}
