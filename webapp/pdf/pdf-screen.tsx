import { useAtomValue } from "jotai/react";
import { useEffect, type ReactNode } from "react";
import { t } from "#shared/messages/translate.ts";
import type { DocumentPanel, SelectionAction } from "./document-port.tsx";
import type { DocumentTarget } from "./document-target.ts";
import { accountIdAtom } from "#webapp/app/session/account-atom.ts";
import { useTitle } from "#webapp/app/use-title.ts";
import { DocumentStatus } from "./parts/document-status.tsx";
import { PdfViews } from "./pdf-views.tsx";
import { SummaryPanel } from "./parts/summary-panel.tsx";
import { TextScreen } from "./text/text-screen.tsx";
import { openDocument, openDocumentAtom, type OpenDocument, type PagedDocument, type TextDocument } from "./state.ts";
import "./viewer/text-layer.css";
import "./pdf-screen.css";

interface Props extends DocumentTarget {
  componentId: string;
  /** Side panels and selection actions contributed by other features. */
  panels?: readonly DocumentPanel[];
  actions?: readonly SelectionAction[];
}

const NONE: readonly never[] = [];

const isReadable = (open: OpenDocument): open is PagedDocument | TextDocument =>
  open.state === "paged" || open.state === "text";

export function PdfScreen({ componentId, page, quote, arrival, panels = NONE, actions = NONE }: Props): ReactNode {
  const current = useAtomValue(openDocumentAtom);
  const accountId = useAtomValue(accountIdAtom);
  useEffect(() => (accountId === undefined ? undefined : openDocument(componentId)), [componentId, accountId]);
  const open: OpenDocument = current?.componentId === componentId ? current : { state: "loading", componentId };
  useTitle(isReadable(open) ? open.name : t("pdf.loading"));
  if (!isReadable(open))
    return (
      <main className="pdf-rest">
        <DocumentStatus open={open} />
      </main>
    );
  const summary = { id: "summary", label: t("pdf.tab_summary"), Panel: SummaryPanel };
  const shared = { target: { page, quote, arrival }, panels: [...panels, summary], actions };
  return open.state === "paged" ? <PdfViews open={open} {...shared} /> : <TextScreen open={open} {...shared} />;
}
