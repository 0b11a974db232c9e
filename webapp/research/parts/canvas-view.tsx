import { CircleSlash } from "lucide-react";
import { Fragment, useState } from "react";
import { t } from "#shared/messages/translate.ts";
import { listShownSections } from "#shared/research/canvas.ts";
import { headingAbove, listBlocks, sentencesInBlock } from "#shared/research/canvas-blocks.ts";
import type { CanvasSection, CanvasSentence, Disagreement, ResearchSession } from "#shared/research/schema.ts";
import { EmptyState } from "#shared/ui/empty-state.tsx";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import { listSilentServices } from "../silent-services.ts";
import { CanvasActions } from "./canvas-actions.tsx";
import { NotesField, type SaveNotes } from "./notes-field.tsx";
import { EditedText, type SaveEdit, SectionBar, SectionEditor } from "./section-edit.tsx";
import { SentenceCitation, type CitationProps } from "./sentence-citation.tsx";
import { headingOf } from "./source-name.ts";

/** A longer last word may be on another line than its badge. */
const MAX_JOINED_CHARS = 24;

/** The index of the last word of a sentence, which stays on the same line as the badge. */
function findLastWord(text: string): number {
  const start = text.lastIndexOf(" ") + 1;
  return text.length - start > MAX_JOINED_CHARS ? text.length : start;
}

function Sentence({ sentence, ...props }: CitationProps & { sentence: CanvasSentence }) {
  const end = findLastWord(sentence.text);
  return (
    <span
      className={sentence.isSupported ? undefined : "research-unsupported"}
      title={sentence.isSupported ? undefined : t("research.unsupported")}
    >
      {sentence.text.slice(0, end)}
      <span className="research-sentence-end">
        {sentence.text.slice(end)}
        {sentence.cites.map((n) => (
          <SentenceCitation key={n} n={n} {...props} />
        ))}
      </span>{" "}
    </span>
  );
}

function DisagreementBox({ pair, ...props }: CitationProps & { pair: Disagreement }) {
  return (
    <div role="group" className="research-disagreement" aria-label={t("research.disagree")}>
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
    </div>
  );
}

const Paragraph = ({ sentences, ...props }: CitationProps & { sentences: readonly CanvasSentence[] }) => (
  <p className="research-text" dir="auto">
    {sentences.map((sentence) => (
      <Sentence key={sentence.text} sentence={sentence} {...props} />
    ))}
  </p>
);

/** The checked sentences of a section and the disagreements of its sources, below the headings of the sources. */
const CheckedText = ({ section, ...props }: CitationProps & { section: CanvasSection }) =>
  listBlocks(section).map((block) => {
    const heading = headingAbove(block);
    return (
      <Fragment key={`${block.pair ? "pair " : ""}${sentencesInBlock(block)[0]?.text}`}>
        {heading !== undefined && <h3 dir="auto">{heading}</h3>}
        {block.pair ? (
          <DisagreementBox pair={block.pair} {...props} />
        ) : (
          <Paragraph sentences={block.sentences} {...props} />
        )}
      </Fragment>
    );
  });

type WrittenProps = CitationProps & { section: CanvasSection; onEdit: SaveEdit };
type ShownSection = ReturnType<typeof listShownSections>[number];
type SectionProps = WrittenProps & { heading: "own" | "more" | "none" };

/** A section that is written: the student's version if there is one, otherwise the checked text. */
function WrittenSection({ section, onEdit, ...props }: WrittenProps) {
  const { session } = props;
  const edited = session.edits.find((edit) => edit.section === section.id);
  const [isEditing, setEditing] = useState(false);
  const [isCheckedShown, setCheckedShown] = useState(false);
  const canEdit = !session.read_only && session.run.status !== "running";
  if (isEditing)
    return (
      <SectionEditor
        section={section}
        edited={edited?.text ?? null}
        onSave={onEdit}
        onClose={() => setEditing(false)}
      />
    );
  return (
    <>
      {edited && (
        <div className="research-own">
          <p className="research-edited">{t("research.your_version")}</p>
          <EditedText text={edited.text} {...props} />
        </div>
      )}
      {(!edited || isCheckedShown) && <CheckedText section={section} {...props} />}
      {(edited !== undefined || canEdit) && (
        <SectionBar
          section={section}
          canEdit={canEdit}
          edited={edited?.text ?? null}
          isCheckedShown={isCheckedShown}
          onToggle={() => setCheckedShown(!isCheckedShown)}
          onEdit={() => setEditing(true)}
          onSave={onEdit}
        />
      )}
    </>
  );
}

/** The heading of a section. A heading that repeats the session's title, the question, is replaced with "Answer". */
function shownHeading(section: CanvasSection, { conversation_title: title }: ResearchSession): string {
  const heading = headingOf(section);
  return heading === title ? t("research.answer") : heading;
}

function describeNotFound({ missing = [], notAsked }: CanvasSection): string {
  if (notAsked) return t(`research.not_asked_${notAsked}`);
  return missing.length > 0
    ? t("research.not_found_words", { words: missing.join(", ") })
    : t("research.not_found_text");
}

const NotFound = ({ section }: { section: CanvasSection }) => (
  <p className="research-not-found">
    <CircleSlash aria-hidden />
    <span>
      <strong>{t(section.notAsked ? "research.not_looked_up" : "research.not_found")}</strong>{" "}
      {describeNotFound(section)}
    </span>
  </p>
);

function Section({ section, heading, ...props }: SectionProps) {
  const { status } = section;
  const isRunning = props.session.run.status === "running";
  const isOpen = status === "waiting" || status === "searching";
  if (isOpen && !isRunning) return null;
  return (
    <section className="research-section" data-status={status}>
      {heading === "own" && <h2 dir="auto">{shownHeading(section, props.session)}</h2>}
      {heading === "more" && <h2>{headingOf({ ...section, topic: "more" })}</h2>}
      {isOpen && <Skeleton label={t(`research.task_${status}`)} lines={[94, 98, 63]} height={11} />}
      {status === "not_found" && <NotFound section={section} />}
      {status === "written" && <WrittenSection section={section} {...props} />}
    </section>
  );
}

/** The student's own notes. In a read-only session they are shown as text, or not at all if they are empty. */
function Notes({ session, onNotes }: { session: ResearchSession; onNotes: SaveNotes }) {
  if (!session.read_only) return <NotesField value={session.notes} onValue={onNotes} />;
  if (session.notes === "") return null;
  return (
    <section className="research-notes">
      <h2>{t("research.notes")}</h2>
      <p className="research-own-notes">{session.notes}</p>
    </section>
  );
}

interface CanvasViewProps extends CitationProps {
  onNotes: SaveNotes;
  onEdit: SaveEdit;
}

/** Why there is no result: if services gave no answer, more material or other sources may not be needed. */
function describeNothing(session: ResearchSession): string {
  const silent = listSilentServices(session);
  return silent.length === 0 ? t("research.nothing") : t("research.nothing_silent", { sources: silent.join(", ") });
}

/** Without any result, only the questions that are not the session's title need a heading of their own. */
function headingWithoutResult({ heading, section }: ShownSection, session: ResearchSession): ShownSection["heading"] {
  return headingOf(section) === session.conversation_title ? "none" : heading;
}

/** The result, growing section by section, and the student's own notes below it. */
export function CanvasView({ onNotes, onEdit, ...props }: CanvasViewProps) {
  const { session } = props;
  const { run, sections } = session;
  const hasText = sections.some(({ status }) => status === "written");
  const isEnded = run.status !== "running" && run.status !== "idle";
  return (
    <article className="research-canvas" aria-label={t("research.result")} aria-busy={run.status === "running"}>
      {run.id === "" && <EmptyState title={t("research.empty_title")}>{t("research.empty")}</EmptyState>}
      {isEnded && !hasText && sections.length > 0 && (
        <EmptyState title={t("research.nothing_title")}>{describeNothing(session)}</EmptyState>
      )}
      {listShownSections(sections).map(({ section, heading }) => (
        <Section
          key={section.id}
          section={section}
          heading={isEnded && !hasText ? headingWithoutResult({ section, heading }, session) : heading}
          onEdit={onEdit}
          {...props}
        />
      ))}
      {isEnded && hasText && <CanvasActions session={session} />}
      {run.id !== "" && <Notes session={session} onNotes={onNotes} />}
    </article>
  );
}
