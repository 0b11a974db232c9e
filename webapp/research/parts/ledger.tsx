import { CircleCheck, CircleDotDashed, CircleSlash, Copy, FileText } from "lucide-react";
import { useAtomValue } from "jotai/react";
import { useState } from "react";
import { parseCitation } from "#shared/citations.ts";
import { t } from "#shared/messages/translate.ts";
import { countSupport } from "#shared/research/canvas.ts";
import type { LedgerSource, ResearchCitation, ResearchSession } from "#shared/research/schema.ts";
import { Button, ButtonLink } from "#shared/ui/controls/button.tsx";
import { quoteContext } from "#shared/ui/quote-context.ts";
import { openCitation, webSourceHref } from "#webapp/library/citation-navigation.ts";
import { contentAtom } from "#webapp/library/content.ts";
import { canOpenCited } from "./cited-source.ts";

const icons = {
  reading: CircleDotDashed,
  read: CircleCheck,
  abstract: FileText,
  copy: Copy,
  unreachable: CircleSlash,
  refused: CircleSlash,
} as const;

function SourceStatus({ source }: { source: LedgerSource }) {
  const Icon = icons[source.status];
  const text =
    source.status === "copy"
      ? t("research.status_copy", { n: source.copyOf ?? 0 })
      : t(`research.status_${source.status}`);
  return (
    <span className="research-status" data-status={source.status}>
      <Icon aria-hidden />
      {text}
    </span>
  );
}

function describeOrigin({ via, host, container, year }: LedgerSource): string {
  const origin = via === "library" ? t("research.in_library") : (container ?? host);
  return year === null ? origin : `${origin}, ${year}`;
}

/** Whether the problem adds something to the status, which is shown next to it. */
const hasOwnProblem = ({ status, problem }: LedgerSource) => problem !== null && problem !== status;

interface RowProps {
  source: LedgerSource;
  session: ResearchSession;
  supports: number;
  highlighted: ResearchCitation | undefined;
  onShow: (source: number, quote: string | null) => void;
}

function OpenButton({ source, session }: Pick<RowProps, "source" | "session">) {
  const content = useAtomValue(contentAtom);
  const first = session.citations.find((citation) => citation.source === source.n);
  const target = first?.citation ? parseCitation(first.citation) : undefined;
  if (source.url !== null)
    return (
      <ButtonLink href={webSourceHref(source.url, first?.quote)} target="_blank" rel="noopener noreferrer">
        {t("research.open_source")}
      </ButtonLink>
    );
  if (session.read_only || !target || !canOpenCited(target, source, content)) return null;
  const label =
    target.type === "pdf_citation" ? t("research.open_page", { page: target.page }) : t("research.open_source");
  return <Button onClick={() => openCitation(target)}>{label}</Button>;
}

function LitQuote({ citation }: { citation: ResearchCitation }) {
  const { before, after } = quoteContext(citation.passage, citation.quote);
  return (
    <blockquote dir="auto">
      {before}
      <span className="lit">{citation.quote}</span>
      {after}
    </blockquote>
  );
}

function SourceAbout({ source, session, supports }: Pick<RowProps, "source" | "session" | "supports">) {
  const isOpen = session.run.status === "running";
  // Only a finished run shows which sources were not needed.
  const unused = isOpen ? "" : ` · ${t("research.not_needed")}`;
  const counted = supports > 0 ? ` · ${t("research.supports", { count: supports })}` : unused;
  return (
    <>
      <p className="research-source-about">
        <SourceStatus source={source} /> · {describeOrigin(source)}
        {(source.sha256 !== "" || supports > 0) && source.copyOf === null && counted}
        {source.isRetracted && <strong className="research-bad"> · {t("research.retracted")}</strong>}
        {source.problem !== null && hasOwnProblem(source) && ` · ${t(`research.problem_${source.problem}`)}`}
      </p>
      {source.recheck !== null && (
        <p className="research-recheck" data-state={source.recheck.state}>
          {t(`research.recheck_${source.recheck.state}`)}
        </p>
      )}
    </>
  );
}

function SourceEntry({ source, session, supports, highlighted, onShow }: RowProps) {
  const [isOpen, setOpen] = useState(false);
  const first = session.citations.find((citation) => citation.source === source.n);
  const shown = highlighted ?? (isOpen ? first : undefined);
  const isRead = source.sha256 !== "";
  return (
    <li className="research-source" data-lit={highlighted !== undefined} data-unused={supports === 0}>
      <span className="research-source-n">{source.n}</span>
      <div className="research-source-text">
        <button
          type="button"
          className="research-source-title"
          dir="auto"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {source.title || t("common.untitled")}
        </button>
        <SourceAbout source={source} session={session} supports={supports} />
        {shown && <LitQuote citation={shown} />}
        {isOpen && (
          <div className="research-source-actions">
            <OpenButton source={source} session={session} />
            {isRead && (
              <Button variant="quiet" onClick={() => onShow(source.n, first?.quote ?? null)}>
                {t("research.show_snapshot")}
              </Button>
            )}
          </div>
        )}
      </div>
    </li>
  );
}

interface LedgerProps {
  session: ResearchSession;
  /** The number of the citation to highlight. */
  highlighted: number | null;
  onShow: (source: number, quote: string | null) => void;
  onRecheck: () => Promise<void>;
}

/** Every source of the session with its state. */
export function Ledger({ session, highlighted, onShow, onRecheck }: LedgerProps) {
  const [isChecking, setChecking] = useState(false);
  const { sources, sections, citations, run } = session;
  const supports = countSupport(sections, citations);
  const highlightedCitation = citations.find(({ n }) => n === highlighted);
  const read = sources.filter(({ status }) => status === "read").length;
  const abstracts = sources.filter(({ status }) => status === "abstract").length;
  const recheck = async () => {
    setChecking(true);
    await onRecheck();
    setChecking(false);
  };
  return (
    <aside id="research-sources" className="research-ledger" aria-label={t("research.sources")}>
      <header>
        <h2>{t("research.sources_count", { count: sources.length })}</h2>
        <span className="research-ledger-counts">
          {read > 0 && t("research.sources_read", { count: read })}
          {abstracts > 0 && `, ${t("research.sources_abstract", { count: abstracts })}`}
        </span>
        {!session.read_only && run.status !== "running" && sources.length > 0 && (
          <Button variant="quiet" pending={isChecking} onClick={() => void recheck()}>
            {t(isChecking ? "research.rechecking" : "research.recheck")}
          </Button>
        )}
      </header>
      {sources.length === 0 && (
        <p className="research-ledger-empty">
          {t(run.status === "running" || run.id === "" ? "research.sources_none" : "research.sources_unread")}
        </p>
      )}
      <ol role="list">
        {sources.map((source) => (
          <SourceEntry
            key={source.n}
            source={source}
            session={session}
            supports={supports.get(source.n) ?? 0}
            highlighted={highlightedCitation?.source === source.n ? highlightedCitation : undefined}
            onShow={onShow}
          />
        ))}
      </ol>
    </aside>
  );
}
