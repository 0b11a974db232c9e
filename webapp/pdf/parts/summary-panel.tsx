import { useAtomValue } from "jotai/react";
import { Copy, FileText, Highlighter, RefreshCw, Sparkles, Square } from "lucide-react";
import { useEffect, useState, type ReactNode } from "react";
import { t } from "#shared/messages/translate.ts";
import type { Statement, SummaryPart } from "#shared/pdf/analysis.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { CiteBadge } from "#shared/ui/content/cite-badge.tsx";
import { Progress } from "#shared/ui/meter.tsx";
import { TextArea } from "#shared/ui/controls/text-area.tsx";
import { TextField } from "#shared/ui/controls/text-field.tsx";
import { useDocumentPort } from "../document-port.tsx";
import { highlightKeyPoints } from "../annotations/highlight-points.ts";
import { openDocumentAtom, type OpenDocument } from "../state.ts";
import {
  copySummary,
  insertKeyPoints,
  listKeyPoints,
  openSummary,
  stopSummary,
  sumUp,
  summaryAtom,
  type SummaryView,
  type SummaryOptions,
} from "../summary.ts";
import "./summary-panel.css";

function StatementItem({ statement }: { statement: Statement }) {
  const documentPort = useDocumentPort();
  const { text, page, quote } = statement;
  const pageLabel = t("pdf.summary_page", { page });
  return (
    <li className="pdf-point">
      {text}{" "}
      <CiteBadge
        place={pageLabel}
        label={t("pdf.summary_cited", { place: pageLabel, name: documentPort.name })}
        quote={quote}
        onOpen={() => documentPort.showPage(page, quote)}
      />
    </li>
  );
}

function SummarySection({ part }: { part: SummaryPart }) {
  const { firstPage, lastPage, statements } = part;
  if (statements.length === 0) return null;
  const pages =
    firstPage === lastPage ? t("pdf.page_n", { page: firstPage }) : t("pdf.summary_pages", { firstPage, lastPage });
  return (
    <section>
      <h3 className="pdf-part-pages">{pages}</h3>
      <ul role="list" className="pdf-points">
        {statements.map((statement) => (
          <StatementItem key={`${statement.page} ${statement.text}`} statement={statement} />
        ))}
      </ul>
    </section>
  );
}

interface FormProps {
  label: string;
  icon: ReactNode;
  onAsk: (options: SummaryOptions) => void;
}

/** Optional language and instructions for the summary. */
function SummaryOptionsForm({ label, icon, onAsk }: FormProps) {
  const [language, setLanguage] = useState("");
  const [instructions, setInstructions] = useState("");
  return (
    <form
      className="pdf-wishes"
      onSubmit={(event) => {
        event.preventDefault();
        onAsk({ language, instructions });
      }}
      onKeyDown={(event) => event.stopPropagation()}
    >
      <TextField
        label={t("pdf.summary_language")}
        hint={t("pdf.summary_language_hint")}
        value={language}
        maxLength={40}
        onChange={(event) => setLanguage(event.target.value)}
      />
      <TextArea
        label={t("pdf.summary_focus")}
        hint={t("pdf.summary_focus_hint")}
        value={instructions}
        rows={2}
        maxLength={2000}
        onChange={(event) => setInstructions(event.target.value)}
      />
      <Button type="submit" variant="primary" icon={icon}>
        {label}
      </Button>
    </form>
  );
}

function SummaryProgress({ view }: { view: SummaryView }) {
  const { done, total } = view;
  const text = total === 0 ? t("pdf.summary_reading") : t("pdf.summary_done", { done, total });
  return (
    <div className="pdf-summary-work" role="status">
      <Progress label={t("pdf.summary_working")} value={done} max={Math.max(1, total)} valueText={text} />
      <span>{text}</span>
      <Button variant="quiet" icon={<Square aria-hidden />} onClick={() => void stopSummary()}>
        {t("pdf.summary_stop")}
      </Button>
    </div>
  );
}

function SummaryNotices({ view }: { view: SummaryView }) {
  return (
    <div role="status" className="pdf-summary-notes">
      {view.notices.includes("not_translated") && <p>{t("pdf.summary_not_translated")}</p>}
      {view.notices.includes("model_gave_nothing") && <p>{t("pdf.summary_not_backed")}</p>}
      {view.state === "stopped" && <p>{t("pdf.summary_stopped")}</p>}
      {view.state === "failed" && <p className="pdf-summary-failed">{view.message}</p>}
      {view.isStored && <p>{t("pdf.summary_saved_earlier")}</p>}
    </div>
  );
}

function SummaryResult({ view }: { view: SummaryView }) {
  const keyPoints = listKeyPoints(view);
  return (
    <>
      <section>
        <h2 className="pdf-summary-title">{t("pdf.summary_key")}</h2>
        <ul role="list" className="pdf-points">
          {keyPoints.map((statement) => (
            <StatementItem key={`${statement.page} ${statement.text}`} statement={statement} />
          ))}
        </ul>
      </section>
      <section>
        <h2 className="pdf-summary-title">{t("pdf.tab_summary")}</h2>
        {view.parts.map((part) => (
          <SummarySection key={part.firstPage} part={part} />
        ))}
      </section>
    </>
  );
}

function HighlightButton({ open, view }: { open: OpenDocument | null; view: SummaryView }) {
  const [isPending, setPending] = useState(false);
  // Documents shown as text have no page positions to highlight.
  if (open?.state !== "paged") return null;
  const highlight = async () => {
    setPending(true);
    await highlightKeyPoints(open, listKeyPoints(view));
    setPending(false);
  };
  return (
    <Button icon={<Highlighter aria-hidden />} pending={isPending} onClick={() => void highlight()}>
      {t("pdf.summary_highlight")}
    </Button>
  );
}

function SummaryActions({ open, view }: { open: OpenDocument | null; view: SummaryView }) {
  const { name } = useDocumentPort();
  const pageId = open && "pageId" in open ? open.pageId : undefined;
  return (
    <div className="pdf-summary-actions">
      <HighlightButton open={open} view={view} />
      <Button icon={<Copy aria-hidden />} onClick={() => void copySummary(name)}>
        {t("pdf.summary_copy")}
      </Button>
      {pageId !== undefined && (
        <Button icon={<FileText aria-hidden />} onClick={() => void insertKeyPoints(pageId, name)}>
          {t("pdf.summary_insert")}
        </Button>
      )}
    </div>
  );
}

/** The summary, streamed section by section; each statement links to its passage. */
export function SummaryPanel() {
  const { componentId } = useDocumentPort();
  const view = useAtomValue(summaryAtom);
  const open = useAtomValue(openDocumentAtom);
  useEffect(() => openSummary(componentId), [componentId]);
  const hasFound = view.parts.some(({ statements }) => statements.length > 0);
  if (view.componentId !== componentId) return null;
  if (view.state === "none")
    return (
      <div className="pdf-summary">
        <p className="pdf-summary-about">{t("pdf.summary_about")}</p>
        <SummaryOptionsForm
          label={t("pdf.summary_ask")}
          icon={<Sparkles aria-hidden />}
          onAsk={(options) => void sumUp(componentId, options, false)}
        />
      </div>
    );
  return (
    <div className="pdf-summary">
      {view.state === "running" && <SummaryProgress view={view} />}
      <SummaryNotices view={view} />
      {hasFound && <SummaryResult view={view} />}
      {hasFound && view.state !== "running" && <SummaryActions open={open} view={view} />}
      {view.state !== "running" && (
        <details className="pdf-summary-again" open={!hasFound}>
          <summary>{t("pdf.summary_again")}</summary>
          <SummaryOptionsForm
            label={t("pdf.summary_regenerate")}
            icon={<RefreshCw aria-hidden />}
            onAsk={(options) => void sumUp(componentId, options, true)}
          />
        </details>
      )}
    </div>
  );
}
