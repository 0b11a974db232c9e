import { Download, Headphones, TextCursorInput } from "lucide-react";
import { t } from "#shared/messages/translate.ts";
import type { MenuItem } from "#shared/ui/overlays/menu-items.ts";
import { usePinItem } from "#webapp/library/use-pin-item.tsx";
import { openPodcastDialog } from "#webapp/podcasts/creation.ts";
import type { DocumentInfo } from "./state.ts";
import { suggestTitle, useDisplayedTitle } from "./suggest-title.ts";

/** Pin, suggest a title, make a podcast and export, in the menus of a PDF. */
export function useDocumentItems(open: DocumentInfo, canExport: boolean, exportPdf: () => void): MenuItem[] {
  const { componentId: id, pageId } = open;
  const title = useDisplayedTitle(open);
  return [
    usePinItem({ id, kind: "pdf", title, emoji: null, pageId }),
    { label: t("pdf.suggest_title"), icon: <TextCursorInput aria-hidden />, onSelect: () => void suggestTitle(id) },
    {
      label: t("pdf.podcast"),
      icon: <Headphones aria-hidden />,
      onSelect: () => openPodcastDialog([{ type: "pdf", id: open.componentId }]),
    },
    { label: t("pdf.export"), icon: <Download aria-hidden />, onSelect: exportPdf, disabled: !canExport },
  ];
}
