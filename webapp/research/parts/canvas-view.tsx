import { CircleSlash } from "lucide-react";
import { parseCitation } from "#shared/citations.ts";
import { t } from "#shared/messages/translate.ts";
import { listMissingTopics } from "#shared/research/canvas.ts";
import type {
  CanvasSection,
  CanvasSentence,
  Disagreement,
  ResearchCitation,
  ResearchSession,
} from "#shared/research/schema.ts";
import { CiteBadge } from "#shared/ui/content/cite-badge.tsx";
import { EmptyState } from "#shared/ui/empty-state.tsx";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import { canOpenInApp, openCitation } from "#webapp/library/citation-navigation.ts";
import { CanvasActions } from "./canvas-actions.tsx";
import { NotesField } from "./notes-field.tsx";
import { formatResearchCitation, headingOf } from "./source-name.ts";

interface CanvasProps {
  session: ResearchSession;
  /** The citation under the pointer or the keyboard focus. */
  onLit: (citation: number | null) => void;
  onShow: (source: number, quote: string | null) => void;
}

function SentenceCitation({ cited, session, onLit, onShow }: CanvasProps & { cited: ResearchCitation }) {
  const source = session.sources.find(({ n }) => n === cited.source);
  if (!source) return null;
  const target = cited.citation === null ? undefined : parseCitation(cited.citation);
  const canOpen = target !== undefined && canOpenInApp(target) && !session.read_only;
  const place = formatResearchCitation(cited, source);
  const on = () => onLit(cited.n);
  const off = () => onLit(null);
  return (
    <span className="research-cite" onPointerEnter={on} onPointerLeave={off} onFocus={on} onBlur={off}>
      <CiteBadge
        place={place}
        label={`${place}: ${t("research.cite_label", { n: source.n, title: source.title || t("common.untitled") })}`}
        quote={cited.quote}
        passage={cited.passage}
        source={source.title || t("common.untitled")}
        onOpen={() => (canOpen ? openCitation(target) : onShow(source.n, cited.quote))}
      />
    </span>
  );
}

function Sentence({ sentence, ...props }: CanvasProps & { sentence: CanvasSentence }) {
  const cited = sentence.cites.flatMap((n) => props.session.citations.find((one) => one.n === n) ?? []);
  return (
    <span
      className={sentence.isSupported ? undefined : "research-unsupported"}
      title={sentence.isSupported ? undefined : t("research.unsupported")}
    >
      {sentence.text}
      {cited.map((citation) => (
        <SentenceCitation key={citation.n} cited={citation} {...props} />
      ))}{" "}
    </span>
  );
}

function DisagreementBox({ pair, ...props }: CanvasProps & { pair: Disagreement }) {
  return (
    <section className="research-disagreement" aria-label={t("research.disagree")}>
      <header>
        <strong>{t("research.disagree")}</strong>
        <span dir="auto">{pair.about}</span>
      </header>
      <div className="research-sides">
        {pair.sides.map((side) => (
          <blockquote key={side.text} dir="auto">
            <Sentence sentence={side} {...props} />
          </blockquote>
        ))}
      </div>
      <p>{t(`research.disagree_${pair.kind}`)}</p>
    </section>
  );
}

function Section({ section, ...props }: CanvasProps & { section: CanvasSection }) {
  const { status, paragraphs, disagreements } = section;
  const isRunning = props.session.run.status === "running";
  const isOpen = status === "waiting" || status === "searching";
  if ((isOpen && !isRunning) || (status === "not_found" && section.topic !== null)) return null;
  return (
    <section className="research-section" data-status={status}>
      <h2 dir="auto">{headingOf(section)}</h2>
      {isOpen && <Skeleton label={t(`research.task_${status}`)} lines={[94, 98, 63]} height={11} />}
      {status === "not_found" && (
        <p className="research-not-found">
          <CircleSlash aria-hidden />
          <span>
            <strong>{t("research.not_found")}</strong> {t("research.not_found_text")}
          </span>
        </p>
      )}
      {paragraphs.map((sentences) => (
        <p key={sentences[0]?.text} className="research-text" dir="auto">
          {sentences.map((sentence) => (
            <Sentence key={sentence.text} sentence={sentence} {...props} />
          ))}
        </p>
      ))}
      {disagreements.map((pair) => (
        <DisagreementBox key={pair.sides[0]?.text} pair={pair} {...props} />
      ))}
    </section>
  );
}

function MissingTopics({ sections }: Pick<ResearchSession, "sections">) {
  const topics = listMissingTopics(sections).map(headingOf).join(", ");
  if (topics === "") return null;
  return (
    <p className="research-not-found">
      <CircleSlash aria-hidden />
      <span>{t("research.missing_topics", { topics })}</span>
    </p>
  );
}

/** The result, growing section by section, and the student's own notes below it. */
export function CanvasView({ onNotes, ...props }: CanvasProps & { onNotes: (notes: string) => void }) {
  const { session } = props;
  const { run, sections } = session;
  const hasText = sections.some(({ status }) => status === "written");
  const isEnded = run.status !== "running" && run.status !== "idle";
  return (
    <article className="research-canvas" aria-label={t("research.result")} aria-busy={run.status === "running"}>
      {run.id === "" && <EmptyState title={t("research.empty_title")}>{t("research.empty")}</EmptyState>}
      {isEnded && !hasText && sections.length > 0 && (
        <EmptyState title={t("research.nothing_title")}>{t("research.nothing")}</EmptyState>
      )}
      {sections.map((section) => (
        <Section key={section.id} section={section} {...props} />
      ))}
      {hasText && <MissingTopics sections={sections} />}
      {isEnded && hasText && <CanvasActions session={session} />}
      {run.id !== "" && !session.read_only && <NotesField value={session.notes} onValue={onNotes} />}
    </article>
  );
}
