import { useAtomValue } from "jotai/react";
import { FileText, Headphones, Search } from "lucide-react";
import { t } from "#shared/messages/translate.ts";
import { IconButton } from "#shared/ui/controls/icon-button.tsx";
import { PinButton } from "#webapp/library/parts/pin-button.tsx";
import { openPodcastDialog } from "#webapp/podcasts/creation.ts";
import { annotationsAtom } from "../annotations/annotations.ts";
import type { TextDocument } from "../state.ts";
import { useDisplayedTitle } from "../suggest-title.ts";
import { useDocumentItems } from "../use-document-items.tsx";
import { DocumentBar, DocumentMenu, PanelButton } from "../parts/toolbar.tsx";

interface BarProps {
  open: TextDocument;
  /** Shows the pages of the PDF instead of its text. */
  onPages: (() => void) | undefined;
  isPanelOpen: boolean;
  onPanel: () => void;
  onExport: () => void;
  onFind: () => void;
}

function OwnTextBar({ open, ...panel }: BarProps) {
  const { componentId, name, pageId } = open;
  return (
    <DocumentBar name={name} pageId={pageId}>
      <PinButton item={{ id: componentId, kind: "pdf", title: name, emoji: null, pageId }} />
      <IconButton
        label={t("pdf.podcast")}
        icon={<Headphones aria-hidden />}
        onClick={() => openPodcastDialog([{ type: "pdf", id: componentId }])}
      />
      <PanelButton isOpen={panel.isPanelOpen} onPress={panel.onPanel} />
    </DocumentBar>
  );
}

function ReflowedBar({ open, onPages, onExport, onFind, ...panel }: BarProps) {
  const { annotations } = useAtomValue(annotationsAtom);
  const title = useDisplayedTitle(open);
  const items = useDocumentItems(open, annotations.length > 0, onExport);
  return (
    <DocumentBar name={title} pageId={open.pageId}>
      <IconButton label={t("pdf.show_pages")} icon={<FileText aria-hidden />} onClick={onPages} />
      <DocumentMenu groups={[[{ label: t("pdf.find_open"), icon: <Search aria-hidden />, onSelect: onFind }], items]} />
      <PanelButton isOpen={panel.isPanelOpen} onPress={panel.onPanel} />
    </DocumentBar>
  );
}

/** The bar over a text document, and over the text of a PDF. */
export const TextBar = (props: BarProps) => (props.open.paged ? <ReflowedBar {...props} /> : <OwnTextBar {...props} />);
