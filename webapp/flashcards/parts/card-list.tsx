import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useAtomValue } from "jotai/react";
import { Star } from "lucide-react";
import { memo, useEffect, useLayoutEffect, useMemo, useRef, useState, type KeyboardEvent, type RefObject } from "react";
import type { Flashcard } from "#shared/flashcards/schema.ts";
import { splitSectionLine } from "#shared/flashcards/section-line.ts";
import { t } from "#shared/messages/translate.ts";
import { IconButton } from "#shared/ui/controls/icon-button.tsx";
import "#shared/ui/controls/checkbox.css";
import { favouritesOfDeck } from "../card-favourites.ts";
import { uploadCardPicture, findImageFile } from "../card-pictures.ts";
import { CardBadge } from "./card-badge.tsx";
import { PictureButton } from "./picture-button.tsx";
import { PlaceholderLine } from "./placeholder-line.tsx";
import { RenderedSide } from "./rendered-side.tsx";
import { formatNextReview } from "../deck/format-next-review.ts";
import type { DeckStages } from "../deck/use-deck-stages.ts";
import { SectionLine } from "../section-line.tsx";
import { editCard, editCards, toggleFavourites } from "../deck/deck-state.ts";

const OVERSCAN = 5;
const ROW_PX = 84;
/** The height of the sticky search bar on a phone, which covers the top of the list while the page is scrolled. */
const STICKY_PX = 124;

interface Props {
  componentId: string;
  /** File names by component id. */
  sources: ReadonlyMap<string, string>;
  stages: DeckStages | undefined;
  cards: readonly Flashcard[];
  chosen: ReadonlySet<string>;
  /** The card whose question gets the focus. */
  focusId: string | null;
  onFocused: () => void;
  onChosen: (change: (chosen: ReadonlySet<string>) => ReadonlySet<string>) => void;
  onAddAfter: (id: string) => void;
}

/** The distance of an element from the top of the document. It changes with the content above the element. */
function useDocumentTop(element: RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    // Called once at the start, and whenever content above the list grows or shrinks.
    const observer = new ResizeObserver(() => {
      if (element.current) setTop(Math.round(element.current.getBoundingClientRect().top + window.scrollY));
    });
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [element]);
  return top;
}

function toggleId(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return next;
}

/** Virtualised list of the cards of a deck, which scrolls with the page. */
export function CardList(props: Props) {
  const { componentId, sources, stages, cards, chosen, focusId, onFocused, onChosen, onAddAfter } = props;
  const list = useRef<HTMLDivElement>(null);
  const scrollMargin = useDocumentTop(list);
  const favourites = useAtomValue(useMemo(() => favouritesOfDeck(componentId), [componentId]));
  // The rule concerns the React Compiler, which is not used here.
  // oxlint-disable-next-line react/incompatible-library
  const rows = useWindowVirtualizer({
    count: cards.length,
    scrollMargin,
    scrollPaddingStart: STICKY_PX,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
    getItemKey: (index) => cards[index]?.id ?? index,
  });
  useFocusOnCard(focusId, { cards, list, scrollTo: (index) => rows.scrollToIndex(index), onFocused });
  // Updates the current selection and not the rendered one, because memoised rows may call the function of an earlier
  // render.
  const choose = (id: string) => onChosen((current) => toggleId(current, id));
  return (
    <div ref={list} className="card-list">
      <div
        role="list"
        className="card-list-inner"
        style={{ blockSize: rows.getTotalSize() }}
        aria-label={t("flashcards.deck")}
      >
        {rows.getVirtualItems().map(({ index, start, key }) => {
          const card = cards[index];
          return (
            card && (
              <div
                key={key}
                ref={rows.measureElement}
                data-index={index}
                role="listitem"
                aria-posinset={index + 1}
                aria-setsize={cards.length}
                className="card-list-row"
                style={{ transform: `translateY(${start - scrollMargin}px)` }}
              >
                <Row
                  card={card}
                  sources={sources}
                  {...progressOf(card.id, stages)}
                  number={index + 1}
                  isChosen={chosen.has(card.id)}
                  isFavourite={favourites.has(card.id)}
                  onChoose={choose}
                  isScrolling={rows.isScrolling}
                  onAddAfter={onAddAfter}
                />
              </div>
            )
          );
        })}
      </div>
    </div>
  );
}

/** Returns primitive values instead of an object, so that a row renders again only if a value changes. */
const progressOf = (cardId: string, stages: DeckStages | undefined) => ({
  next: stages && formatNextReview(cardId, stages),
  isDue: stages?.byStage.due.has(cardId) ?? false,
});

interface FocusOptions {
  cards: readonly Flashcard[];
  list: RefObject<HTMLDivElement | null>;
  scrollTo: (index: number) => void;
  onFocused: () => void;
}

/** Scrolls to a card, which may be far below, and focuses its question once the row is rendered. */
function useFocusOnCard(focusId: string | null, options: FocusOptions): void {
  const latest = useRef(options);
  useEffect(() => {
    latest.current = options;
  });
  useEffect(() => {
    if (focusId === null) return undefined;
    const { cards, scrollTo } = latest.current;
    const index = cards.findIndex((card) => card.id === focusId);
    if (index !== -1) scrollTo(index);
    let frame = 0;
    let attempts = 0;
    const tryFocus = () => {
      const field = latest.current.list.current?.querySelector<HTMLElement>(
        `[data-card="${CSS.escape(focusId)}"] textarea`,
      );
      attempts += 1;
      if (field) {
        field.focus();
        latest.current.onFocused();
      } else if (attempts < 30) frame = requestAnimationFrame(tryFocus);
    };
    frame = requestAnimationFrame(tryFocus);
    return () => cancelAnimationFrame(frame);
  }, [focusId]);
}

interface RowProps {
  card: Flashcard;
  sources: ReadonlyMap<string, string>;
  /** The text for the card's next review. */
  next: string | undefined;
  isDue: boolean;
  number: number;
  isChosen: boolean;
  isFavourite: boolean;
  /** Whether the list is being scrolled. */
  isScrolling: boolean;
  onChoose: (id: string) => void;
  onAddAfter: (id: string) => void;
}

const editableKeys = ["card", "sources", "next", "isDue", "number", "isChosen", "isFavourite"] as const;
const rowKeys = [...editableKeys, "isScrolling"] as const;
const Row = memo(ScrollAwareRow, (a, b) => rowKeys.every((key) => a[key] === b[key]));

/** Rows that appear during scrolling show plain text until it stops, because text fields are expensive to render. */
function ScrollAwareRow(props: RowProps) {
  const { isScrolling } = props;
  const [hasRendered, setHasRendered] = useState(!isScrolling);
  if (!hasRendered && !isScrolling) setHasRendered(true);
  return hasRendered || !isScrolling ? (
    <EditableRow {...props} />
  ) : (
    <PlaceholderLine card={props.card} number={props.number} />
  );
}

const EditableRow = memo(CardLine, (a, b) => editableKeys.every((key) => a[key] === b[key]));

function CardLine({ card, sources, next, isDue, number, isChosen, isFavourite, onChoose, onAddAfter }: RowProps) {
  const { id } = card;
  const onEnter = (event: KeyboardEvent<HTMLTextAreaElement>, side: "question" | "answer") => {
    if (event.key === "Backspace" && event.currentTarget.value === "" && card.question === "" && card.answer === "") {
      event.preventDefault();
      editCards((cards) => cards.filter((other) => other.id !== id));
      return;
    }
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    const row = event.currentTarget.closest("[data-card]");
    if (side === "question") row?.querySelectorAll<HTMLTextAreaElement>("textarea")[1]?.focus();
    else onAddAfter(id);
  };
  return (
    <div
      className={card.isSuspended ? "card-line card-line-off" : "card-line"}
      data-card={id}
      role="group"
      aria-label={t("flashcards.card", { number })}
    >
      <input
        type="checkbox"
        className="checkbox-box card-line-choose"
        aria-label={t("flashcards.select_card", { number })}
        checked={isChosen}
        onChange={() => onChoose(id)}
      />
      <CardSideField card={card} side="question" number={number} onEnter={onEnter} />
      <CardSideField card={card} side="answer" number={number} onEnter={onEnter} />
      <span className="card-line-end">
        <CardBadge citation={card.citation} sources={sources} />
        {next !== undefined && (
          <span className={isDue ? "card-line-next card-line-due" : "card-line-next"}>{next}</span>
        )}
        <IconButton
          className={isFavourite ? "card-line-star card-line-starred" : "card-line-star"}
          label={t(isFavourite ? "flashcards.unfavourite" : "flashcards.favourite", { number })}
          aria-pressed={isFavourite}
          icon={<Star aria-hidden />}
          onClick={() => void toggleFavourites(new Set([id]))}
        />
      </span>
    </div>
  );
}

interface CardSideFieldProps {
  card: Flashcard;
  side: "question" | "answer";
  number: number;
  onEnter: (event: KeyboardEvent<HTMLTextAreaElement>, side: "question" | "answer") => void;
}

const hasPicture = (card: Flashcard, side: "question" | "answer") =>
  ((side === "question" ? card.questionImage : card.answerImage) ?? null) !== null;

/** One side of a card, edited in place. Its formulas, code and pictures are rendered below the field. */
function CardSideField({ card, side, number, onEnter }: CardSideFieldProps) {
  const { tags } = card;
  const { prefix, question } = splitSectionLine(card);
  const text = side === "question" ? question : card.answer;
  // The section line is not in the field, but it stays part of the stored question, for exports and other programs.
  const toStored = (value: string) => (side === "question" && value !== "" ? prefix + value : value);
  const uploadPictureFrom = (event: { preventDefault: () => void }, data: DataTransfer | null) => {
    const picture = findImageFile(data);
    if (!picture) return;
    event.preventDefault();
    void uploadCardPicture(card.id, side, picture);
  };
  return (
    <div
      className="card-line-side"
      // Without this, the browser would open a dropped file instead of the page.
      onDragOver={(event) => event.dataTransfer.types.includes("Files") && event.preventDefault()}
      onDrop={(event) => uploadPictureFrom(event, event.dataTransfer)}
    >
      {side === "question" && <SectionLine card={card} />}
      <textarea
        rows={1}
        dir="auto"
        aria-label={t(side === "question" ? "flashcards.question_of" : "flashcards.answer_of", { number })}
        placeholder={t(side === "question" ? "flashcards.question" : "flashcards.answer")}
        maxLength={20_000}
        value={text}
        onChange={(event) => editCard(card.id, { [side]: toStored(event.target.value) })}
        onPaste={(event) => uploadPictureFrom(event, event.clipboardData)}
        onKeyDown={(event) => onEnter(event, side)}
      />
      <PictureButton cardId={card.id} side={side} number={number} hasPicture={hasPicture(card, side)} />
      <RenderedSide card={card} side={side} />
      {side === "question" && tags && (
        <span className="card-line-tags" dir="auto">
          {tags.map((tag) => `#${tag}`).join(" ")}
        </span>
      )}
      {side === "question" && card.isSuspended && <span className="card-line-tags">{t("flashcards.suspended")}</span>}
    </div>
  );
}
