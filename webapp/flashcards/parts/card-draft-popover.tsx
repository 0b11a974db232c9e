import { useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent } from "react";
import { parseCitation } from "#shared/citations.ts";
import { t } from "#shared/messages/translate.ts";
import { CiteBadge } from "#shared/ui/content/cite-badge.tsx";
import { Button } from "#shared/ui/controls/button.tsx";
import { TextArea } from "#shared/ui/controls/text-area.tsx";
import { Kbd } from "#shared/ui/kbd.tsx";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import { client } from "#webapp/app/client.ts";
import { logWarning } from "#webapp/app/log.ts";
import { chooseTarget, keepDraft, type CardDraft } from "../card-draft.ts";
import { CardText } from "../card-text.tsx";
import "./card-draft-popover.css";

const EDGE_PX = 8;
/** The endpoint's limit. */
const MAX_CHARS = 4000;

interface Sides {
  question: string;
  answer: string;
}

/** The card that is proposed; without one, or a network, the selected text is the answer. */
async function proposeCard(text: string): Promise<Sides> {
  const cut = text.slice(0, MAX_CHARS);
  try {
    return await client.flashcards.draftCard({ text: cut });
  } catch (error) {
    logWarning("Could not propose a card", error);
    return { question: "", answer: cut };
  }
}

/** Below the selection, or above it where there is no space. */
function usePosition({ left, right, top, bottom }: CardDraft["box"], trigger: unknown) {
  const ref = useRef<HTMLDivElement>(null);
  const [position, setPosition] = useState({ left: EDGE_PX, top: bottom + EDGE_PX });
  useLayoutEffect(() => {
    const { width = 0, height = 0 } = ref.current?.getBoundingClientRect() ?? {};
    const middle = (left + right) / 2 - width / 2;
    const below = bottom + EDGE_PX;
    const fitsBelow = below + height + EDGE_PX <= window.innerHeight;
    setPosition({
      left: Math.max(EDGE_PX, Math.min(middle, window.innerWidth - width - EDGE_PX)),
      top: fitsBelow ? below : Math.max(EDGE_PX, Math.min(top, window.innerHeight) - height - EDGE_PX),
    });
  }, [left, right, top, bottom, trigger]);
  return { ref, position };
}

interface Props {
  draft: CardDraft;
  onClose: () => void;
}

/** A card made from a selection: keep it, edit it, or drop it. */
export function CardDraftPopover({ draft, onClose }: Props) {
  const [sides, setSides] = useState<Sides>();
  const [isEditing, setEditing] = useState(false);
  const { ref, position } = usePosition(draft.box, `${String(isEditing)} ${sides?.question ?? ""}`);
  const keepButton = useRef<HTMLButtonElement>(null);
  const question = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    let isCurrent = true;
    void proposeCard(draft.text).then((proposed) => {
      if (!isCurrent) return;
      setSides(proposed);
      setEditing(proposed.question === "");
    });
    return () => {
      isCurrent = false;
    };
  }, [draft.text]);
  const isReady = sides !== undefined;
  useEffect(() => {
    if (!isReady) ref.current?.focus();
    else if (isEditing) question.current?.focus();
    else keepButton.current?.focus();
  }, [isReady, isEditing, ref]);

  const isComplete = sides !== undefined && sides.question.trim() !== "" && sides.answer.trim() !== "";
  const keep = () => {
    if (!isComplete) return;
    onClose();
    void keepDraft(draft, { question: sides.question.trim(), answer: sides.answer.trim() });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.key === "Escape") onClose();
    else if (event.key === "e" && isReady && !isEditing && !event.ctrlKey && !event.metaKey) setEditing(true);
    else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) keep();
    else return;
    event.preventDefault();
  };
  return (
    <div
      ref={ref}
      className="card-draft"
      role="dialog"
      aria-label={t("making.draft")}
      tabIndex={-1}
      style={position}
      onKeyDown={onKeyDown}
    >
      {!sides && <Skeleton label={t("making.draft_loading")} lines={[80, 55]} height={16} />}
      {sides && isEditing && (
        <div className="card-draft-fields">
          <TextArea
            ref={question}
            label={t("flashcards.question")}
            dir="auto"
            rows={2}
            value={sides.question}
            onChange={(event) => setSides({ ...sides, question: event.target.value })}
          />
          <TextArea
            label={t("flashcards.answer")}
            dir="auto"
            rows={2}
            value={sides.answer}
            onChange={(event) => setSides({ ...sides, answer: event.target.value })}
          />
        </div>
      )}
      {sides && !isEditing && <ProposedCard sides={sides} citation={draft.citation} />}
      <footer className="card-draft-actions">
        <Button ref={keepButton} variant="primary" disabled={!isComplete} onClick={keep}>
          {t("making.draft_keep")} {!isEditing && <Kbd>↵</Kbd>}
        </Button>
        {!isEditing && (
          <Button variant="quiet" disabled={!isReady} onClick={() => setEditing(true)}>
            {t("making.draft_edit")} <Kbd>E</Kbd>
          </Button>
        )}
        <Button variant="quiet" onClick={onClose}>
          {t("making.draft_drop")}
        </Button>
        <span className="card-draft-target">{t("making.draft_target", { title: chooseTarget(draft).title })}</span>
      </footer>
    </div>
  );
}

function ProposedCard({ sides: { question, answer }, citation }: { sides: Sides; citation: string }) {
  const cited = parseCitation(citation);
  const place =
    cited?.type === "pdf_citation" ? t("flashcards.page_place", { page: cited.page }) : t("flashcards.source_place");
  return (
    <>
      <p className="card-draft-question" dir="auto">
        <CardText text={question} />
      </p>
      <p className="card-draft-answer" dir="auto">
        <CardText text={answer} /> {cited && <CiteBadge place={place} label={place} quote={cited.quote ?? undefined} />}
      </p>
    </>
  );
}
