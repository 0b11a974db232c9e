import { Trash2 } from "lucide-react";
import { useSyncExternalStore, type KeyboardEvent } from "react";
import { parseCitation } from "#shared/citations.ts";
import type { Flashcard } from "#shared/flashcards/schema.ts";
import { splitSectionLine } from "#shared/flashcards/section-line.ts";
import { t } from "#shared/messages/translate.ts";
import { CiteBadge } from "#shared/ui/content/cite-badge.tsx";
import { IconButton } from "#shared/ui/controls/icon-button.tsx";
import { openCitation } from "#webapp/library/citation-navigation.ts";
import { usePagePort } from "#webapp/pages/page-port.tsx";
import { useDraft } from "#webapp/app/hooks/use-draft.ts";
import type { CardSideName } from "../card-pictures.ts";
import { SectionLine } from "../section-line.tsx";
import { CardBadge } from "./card-badge.tsx";
import { RenderedSide } from "./rendered-side.tsx";

const DEBOUNCE_MS = 600;

type Cited = NonNullable<ReturnType<typeof parseCitation>>;

interface CardSideFieldProps {
  card: Flashcard;
  side: CardSideName;
  number: number;
  onEdit: (change: Partial<Flashcard>) => void;
  onEnter: (event: KeyboardEvent<HTMLTextAreaElement>) => void;
}

/** One side of a card, edited in place. */
function CardSideField({ card, side, number, onEdit, onEnter }: CardSideFieldProps) {
  const { prefix, question } = splitSectionLine(card);
  const isQuestion = side === "question";
  // The section line is not in the field, but it stays part of the stored question, for exports and other programs.
  const onValue = (value: string) => onEdit({ [side]: isQuestion && value !== "" ? prefix + value : value });
  const { shown, write, end } = useDraft({
    value: isQuestion ? question : card.answer,
    debounceMs: DEBOUNCE_MS,
    onValue,
  });
  return (
    <div className="card-writing">
      {isQuestion && <SectionLine card={card} />}
      <textarea
        className="card-side"
        rows={1}
        dir="auto"
        aria-label={t(`flashcards.${side}_of`, { number })}
        placeholder={t(`flashcards.${side}`)}
        maxLength={20_000}
        value={shown}
        onChange={(event) => write(event.target.value)}
        onBlur={end}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          onEnter(event);
        }}
      />
      <RenderedSide card={card} side={side} />
    </div>
  );
}

const subscribeToNothing = () => () => undefined;

/** The citation of a card made from a page's own text, with a note if the quote is no longer on the page. */
function PageCitation({
  cited,
  isOnThisPage,
}: {
  cited: Extract<Cited, { type: "page_citation" }>;
  isOnThisPage: boolean;
}) {
  const { quotes } = usePagePort();
  const quote = cited.quote ?? undefined;
  const isWatched = isOnThisPage && quote !== undefined;
  const isQuotePresent = useSyncExternalStore(
    isWatched ? (onChange) => quotes.subscribe(onChange) : subscribeToNothing,
    () => !isWatched || quotes.contains(quote),
  );
  const label = t("flashcards.source_place");
  return (
    <>
      {!isQuotePresent && <span className="card-source-changed">{t("flashcards.source_changed")}</span>}
      <CiteBadge place={label} label={label} quote={quote} onOpen={() => openCitation(cited)} />
    </>
  );
}

function Citation({ citation }: { citation: string }) {
  const pagePort = usePagePort();
  const cited = parseCitation(citation);
  if (cited?.type === "page_citation")
    return <PageCitation cited={cited} isOnThisPage={cited.pageId === pagePort.pageId} />;
  const sources = new Map(pagePort.listSources().map(({ componentId, name }) => [componentId, name]));
  return <CardBadge citation={citation} sources={sources} />;
}

interface Props {
  card: Flashcard;
  number: number;
  onEdit: (change: Partial<Flashcard>) => void;
  onRemove: () => void;
  /** Enter in the answer adds a new card below. */
  onNext: () => void;
}

export function CardRow({ card, number, onEdit, onRemove, onNext }: Props) {
  return (
    <div className="card-row" data-card={card.id} role="group" aria-label={t("flashcards.card", { number })}>
      <div className="card-cell">
        <CardSideField
          card={card}
          side="question"
          number={number}
          onEdit={onEdit}
          onEnter={(event) => {
            const row = event.currentTarget.closest(".card-row");
            row?.querySelectorAll<HTMLTextAreaElement>("textarea")[1]?.focus();
          }}
        />
      </div>
      <div className="card-cell card-answer">
        <CardSideField card={card} side="answer" number={number} onEdit={onEdit} onEnter={onNext} />
        {card.citation !== null && <Citation citation={card.citation} />}
        <IconButton
          className="card-delete"
          label={t("flashcards.delete_card", { number })}
          icon={<Trash2 aria-hidden />}
          onClick={onRemove}
        />
      </div>
    </div>
  );
}
