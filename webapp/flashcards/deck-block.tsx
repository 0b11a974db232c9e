import { useAtomValue } from "jotai/react";
import { ChevronDown, ChevronRight, MoreHorizontal, Plus, Sparkle, Trash2 } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import { DEFAULT_DECK_TITLE, DeckContent, type Flashcard } from "#shared/flashcards/schema.ts";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import { Button, ButtonLink } from "#shared/ui/button.tsx";
import { Chip } from "#shared/ui/chip.tsx";
import { IconButton } from "#shared/ui/icon-button.tsx";
import { Menu } from "#shared/ui/menu.tsx";
import { goTo } from "#webapp/kit/navigation.ts";
import { usePageDoor, type BlockProps } from "#webapp/kit/page-door.tsx";
import { CardRow } from "./parts/card-row.tsx";
import { RunLine } from "./parts/run-line.tsx";
import { dueOfAtom, newCardId, resumeRun } from "./state.ts";
import "./deck-block.css";

/** A longer deck begins folded to this many cards. */
const FIRST_CARDS = 12;
const UNDO_MS = 8000;

const readDeck = (content: Record<string, unknown>): DeckContent => {
  const deck = DeckContent.safeParse(content);
  return deck.success ? deck.data : { title: DEFAULT_DECK_TITLE, cards: [], minimized: false };
};

function DeckTitle({ title, onTitle }: { title: string; onTitle: (title: string) => void }) {
  const [draft, setDraft] = useState<string | null>(null);
  const commit = () => {
    const next = draft?.trim();
    if (next !== undefined && next !== title) onTitle(next || DEFAULT_DECK_TITLE);
    setDraft(null);
  };
  return (
    <input
      className="deck-title"
      aria-label={t("flashcards.deck_title")}
      value={draft ?? title}
      maxLength={500}
      onChange={(event) => setDraft(event.target.value)}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === "Enter") event.currentTarget.blur();
      }}
    />
  );
}

function StudyLink({ pageId, componentId }: { pageId: string; componentId: string }) {
  const href = screenPath("study", { id: pageId, flashcard: componentId });
  return (
    <ButtonLink
      variant="primary"
      href={href}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        goTo(href);
      }}
    >
      {t("flashcards.study")}
    </ButtonLink>
  );
}

/** Deleted cards can be brought back for a while, each to where it was. */
function useDeletedCard(edit: (change: (cards: Flashcard[]) => Flashcard[]) => void) {
  const [deleted, setDeleted] = useState<{ card: Flashcard; index: number } | null>(null);
  useEffect(() => {
    if (!deleted) return undefined;
    const timer = setTimeout(() => setDeleted(null), UNDO_MS);
    return () => clearTimeout(timer);
  }, [deleted]);
  const remove = (card: Flashcard, index: number) => {
    edit((cards) => cards.filter((each) => each.id !== card.id));
    setDeleted({ card, index });
  };
  const restore = () => {
    if (deleted) edit((cards) => cards.toSpliced(deleted.index, 0, deleted.card));
    setDeleted(null);
  };
  return { deleted, remove, restore };
}

export function DeckBlock({ pageId, block, edit, remove: removeDeck }: BlockProps) {
  const door = usePageDoor();
  const deck = useMemo(() => readDeck(block.content), [block.content]);
  const [showsAll, setShowsAll] = useState(false);
  const due = useAtomValue(useMemo(() => dueOfAtom(block._id), [block._id]));
  const rows = useRef<HTMLDivElement>(null);
  const focusAfter = useRef<string | null>(null);

  useEffect(() => void resumeRun(door, block._id), [door, block._id]);
  useEffect(() => {
    if (focusAfter.current === null) return;
    const row = rows.current?.querySelector<HTMLElement>(`[data-card="${focusAfter.current}"] textarea`);
    focusAfter.current = null;
    row?.focus();
  }, [deck.cards.length]);

  // From the newest content, not the one last drawn: cards may have come in between.
  const current = () => readDeck(door.contentOf(block._id) ?? block.content);
  const editCards = (change: (cards: Flashcard[]) => Flashcard[]) => {
    const now = current();
    edit({ ...now, cards: change(now.cards) });
  };
  const { deleted, remove, restore } = useDeletedCard(editCards);
  const add = (after?: number) => {
    const card: Flashcard = { id: newCardId(), question: "", answer: "", questionImage: null, citation: null };
    focusAfter.current = card.id;
    if (after === undefined || after >= FIRST_CARDS - 1) setShowsAll(true);
    editCards((cards) => cards.toSpliced(after === undefined ? cards.length : after + 1, 0, card));
  };

  const isFolded = !showsAll && deck.cards.length > FIRST_CARDS;
  const shown = isFolded ? deck.cards.slice(0, FIRST_CARDS) : deck.cards;
  return (
    <section className="deck" aria-label={`${t("flashcards.deck")}: ${deck.title}`}>
      <header className="deck-header">
        <IconButton
          label={t(deck.minimized ? "flashcards.unfold" : "flashcards.fold")}
          icon={deck.minimized ? <ChevronRight aria-hidden /> : <ChevronDown aria-hidden />}
          aria-expanded={!deck.minimized}
          onClick={() => edit({ ...current(), minimized: !deck.minimized })}
        />
        <DeckTitle title={deck.title} onTitle={(title) => edit({ ...current(), title })} />
        <Chip>{t("flashcards.count", { count: deck.cards.length })}</Chip>
        {due > 0 && <Chip tone="lit">{t("flashcards.due", { count: due })}</Chip>}
        <span className="deck-actions">
          <Menu
            trigger={<IconButton label={t("flashcards.menu")} icon={<MoreHorizontal aria-hidden />} />}
            groups={[
              [{ label: t("flashcards.generate"), icon: <Sparkle aria-hidden />, onSelect: () => door.askForCards() }],
              [{ label: t("flashcards.remove"), icon: <Trash2 aria-hidden />, danger: true, onSelect: removeDeck }],
            ]}
          />
          <Button variant="quiet" icon={<Plus aria-hidden />} onClick={() => add()}>
            {t("flashcards.add")}
          </Button>
          {deck.cards.length > 0 && <StudyLink pageId={pageId} componentId={block._id} />}
        </span>
      </header>
      <RunLine componentId={block._id} />
      {!deck.minimized && (
        <div className="deck-cards" ref={rows}>
          {shown.map((card, i) => (
            <CardRow
              key={card.id}
              card={card}
              number={i + 1}
              onEdit={(change) =>
                editCards((cards) => cards.map((each) => (each.id === card.id ? { ...each, ...change } : each)))
              }
              onRemove={() => remove(card, i)}
              onNext={() => add(i)}
            />
          ))}
          {deck.cards.length === 0 && <p className="deck-empty">{t("flashcards.empty")}</p>}
        </div>
      )}
      {deck.cards.length > FIRST_CARDS && !deck.minimized && (
        <Button variant="quiet" className="deck-more" onClick={() => setShowsAll(isFolded)}>
          {isFolded
            ? t("flashcards.show_all", { count: deck.cards.length })
            : t("flashcards.show_less", { count: FIRST_CARDS })}
        </Button>
      )}
      {deleted && (
        <p className="deck-note" role="status">
          {t("flashcards.card_deleted")}
          <Button variant="quiet" onClick={restore}>
            {t("common.undo")}
          </Button>
        </p>
      )}
    </section>
  );
}
