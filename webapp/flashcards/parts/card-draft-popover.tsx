import { useAtomValue } from "jotai/react";
import { useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent } from "react";
import { parseCitation } from "#shared/citations.ts";
import { t } from "#shared/messages/translate.ts";
import { CiteBadge } from "#shared/ui/content/cite-badge.tsx";
import { Button } from "#shared/ui/controls/button.tsx";
import { TextArea } from "#shared/ui/controls/text-area.tsx";
import { Kbd } from "#shared/ui/kbd.tsx";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import { client } from "#webapp/app/client.ts";
import { useEachFrame } from "#webapp/app/hooks/use-each-frame.ts";
import { logWarning } from "#webapp/app/log.ts";
import { contentAtom } from "#webapp/library/content.ts";
import { useContent } from "#webapp/library/use-content.ts";
import { chooseTarget, saveDraft, type CardDraft } from "../card-draft.ts";
import { CardText } from "../card-text.tsx";
import "./card-draft-popover.css";

const EDGE_PX = 8;
/** The endpoint's limit. */
const MAX_CHARS = 4000;

interface Sides {
  question: string;
  answer: string;
}

/** Resolves to the proposed card. If the call fails, the selected text becomes the answer of an empty question. */
async function proposeCard(text: string): Promise<Sides> {
  const cut = text.slice(0, MAX_CHARS);
  try {
    return await client.flashcards.draftCard({ text: cut });
  } catch (error) {
    logWarning("Could not propose a card", error);
    return { question: "", answer: cut };
  }
}

/** Places the popover below the selection, or above it if there is no space below. */
function usePosition(findBox: CardDraft["findBox"]) {
  const ref = useRef<HTMLDivElement>(null);
  const place = () => {
    const popover = ref.current;
    if (!popover) return;
    const { left, right, top, bottom } = findBox();
    const { width, height } = popover.getBoundingClientRect();
    const middle = (left + right) / 2 - width / 2;
    const below = bottom + EDGE_PX;
    const above = Math.max(EDGE_PX, Math.min(top, window.innerHeight) - height - EDGE_PX);
    popover.style.left = `${Math.max(EDGE_PX, Math.min(middle, window.innerWidth - width - EDGE_PX))}px`;
    popover.style.top = `${below + height + EDGE_PX <= window.innerHeight ? below : above}px`;
  };
  // After every render, because the popover's size depends on its content.
  useLayoutEffect(place);
  useEachFrame(true, place);
  return ref;
}

/** The sides of the card, which start as a proposal. If the proposal has no question, editing starts at once. */
function useProposedCard(text: string) {
  const [sides, setSides] = useState<Sides>();
  const [isEditing, setEditing] = useState(false);
  useEffect(() => {
    let isCurrent = true;
    const propose = async () => {
      const proposed = await proposeCard(text);
      if (!isCurrent) return;
      setSides(proposed);
      setEditing(proposed.question === "");
    };
    void propose();
    return () => {
      isCurrent = false;
    };
  }, [text]);
  const isComplete = sides !== undefined && sides.question.trim() !== "" && sides.answer.trim() !== "";
  return { sides, setSides, isEditing, startEditing: () => setEditing(true), isComplete };
}

interface FieldsProps {
  sides: Sides;
  onSides: (sides: Sides) => void;
}

function DraftFields({ sides, onSides }: FieldsProps) {
  const question = useRef<HTMLTextAreaElement>(null);
  useEffect(() => question.current?.focus(), []);
  return (
    <div className="card-draft-fields">
      <TextArea
        ref={question}
        label={t("flashcards.question")}
        dir="auto"
        rows={2}
        value={sides.question}
        onChange={(event) => onSides({ ...sides, question: event.target.value })}
      />
      <TextArea
        label={t("flashcards.answer")}
        dir="auto"
        rows={2}
        value={sides.answer}
        onChange={(event) => onSides({ ...sides, answer: event.target.value })}
      />
    </div>
  );
}

interface Props {
  draft: CardDraft;
  onClose: () => void;
}

/** Shows a card made from a selection, which the student adds, edits or discards. */
export function CardDraftPopover({ draft, onClose }: Props) {
  const { sides, setSides, isEditing, startEditing, isComplete } = useProposedCard(draft.text);
  const ref = usePosition(draft.findBox);
  const addButton = useRef<HTMLButtonElement>(null);
  // A document opened by its address has not loaded the list of decks.
  useContent();
  const hasDecks = useAtomValue(contentAtom).state !== "loading";
  const isShown = sides !== undefined && !isEditing;
  useEffect(() => {
    if (isShown && hasDecks) addButton.current?.focus();
    else if (!ref.current?.contains(document.activeElement)) ref.current?.focus();
  }, [isShown, hasDecks, ref]);
  const add = () => {
    if (!sides || !isComplete || !hasDecks) return;
    onClose();
    void saveDraft(draft, { question: sides.question.trim(), answer: sides.answer.trim() });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation();
    const hasControl = event.ctrlKey || event.metaKey;
    if (event.key === "Escape") onClose();
    else if (event.key === "e" && isShown && !hasControl) startEditing();
    else if (event.key === "Enter" && hasControl) add();
    else return;
    event.preventDefault();
  };
  const label = t("cardDialogs.draft");
  return (
    <div ref={ref} className="card-draft" role="dialog" aria-label={label} tabIndex={-1} {...{ onKeyDown }}>
      {!sides && <Skeleton label={t("cardDialogs.draft_loading")} lines={[80, 55]} height={16} />}
      {sides && isEditing && <DraftFields sides={sides} onSides={setSides} />}
      {isShown && <ProposedCard sides={sides} citation={draft.citation} />}
      <footer className="card-draft-actions">
        <Button ref={addButton} variant="primary" disabled={!isComplete || !hasDecks} onClick={add}>
          {t("cardDialogs.draft_keep")} {!isEditing && <Kbd>↵</Kbd>}
        </Button>
        {!isEditing && (
          <Button variant="quiet" disabled={!sides} onClick={startEditing}>
            {t("cardDialogs.draft_edit")} <Kbd>E</Kbd>
          </Button>
        )}
        <Button variant="quiet" onClick={onClose}>
          {t("cardDialogs.draft_drop")}
        </Button>
        {hasDecks && (
          <span className="card-draft-target">
            {t("cardDialogs.draft_target", { title: chooseTarget(draft).title })}
          </span>
        )}
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
