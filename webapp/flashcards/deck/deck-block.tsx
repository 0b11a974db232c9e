import { useAtomValue } from "jotai/react";
import {
  ChevronDown,
  ChevronRight,
  List,
  Map,
  MoreHorizontal,
  Plus,
  Sparkle,
  SquareArrowOutUpRight,
  Trash2,
  Type,
} from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import { DEFAULT_DECK_TITLE, DeckContent, type Flashcard } from "#shared/flashcards/schema.ts";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Chip } from "#shared/ui/controls/chip.tsx";
import { IconButton } from "#shared/ui/controls/icon-button.tsx";
import { Menu } from "#shared/ui/overlays/menu.tsx";
import { InnerLink } from "#webapp/app/inner-link.tsx";
import { goTo } from "#webapp/app/navigation.ts";
import { usePagePort, type BlockProps } from "#webapp/pages/page-port.tsx";
import { usePrinting } from "#webapp/app/hooks/use-printing.ts";
import { proposeTitle } from "./propose-title.ts";
import { CardRow } from "../parts/card-row.tsx";
import { CoveragePanel } from "../parts/coverage-panel.tsx";
import { HighlightsPanel } from "../parts/highlights-panel.tsx";
import { RunStatusLine } from "../parts/run-status-line.tsx";
import { createDueAtom, createIsMakingAtom, newCardId, resumeRun } from "../generation-runs.ts";
import "./deck-block.css";

/** A longer deck starts collapsed to this many cards. */
const COLLAPSED_COUNT = 12;
const UNDO_TIMEOUT_MS = 8000;

const parseDeck = (content: Record<string, unknown>): DeckContent => {
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
      dir="auto"
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
  return (
    <InnerLink className="button button-primary" to={screenPath("study", { id: pageId, flashcard: componentId })}>
      {t("flashcards.study")}
    </InnerLink>
  );
}

/** Deletes a card. The last deleted card can be restored to its position for a short time. */
function useDeletedCard(edit: (change: (cards: Flashcard[]) => Flashcard[]) => void) {
  const [deleted, setDeleted] = useState<{ card: Flashcard; index: number } | null>(null);
  useEffect(() => {
    if (!deleted) return undefined;
    const timer = setTimeout(() => setDeleted(null), UNDO_TIMEOUT_MS);
    return () => clearTimeout(timer);
  }, [deleted]);
  const remove = (card: Flashcard, index: number) => {
    edit((cards) => cards.filter(({ id }) => id !== card.id));
    setDeleted({ card, index });
  };
  const restore = () => {
    if (deleted) edit((cards) => cards.toSpliced(deleted.index, 0, deleted.card));
    setDeleted(null);
  };
  return { deleted, remove, restore };
}

interface HeaderProps {
  pageId: string;
  componentId: string;
  deck: DeckContent;
  onEdit: (change: Partial<DeckContent>) => void;
  onAdd: () => void;
  onRemove: () => void;
  onPanel: (panel: Panel) => void;
}

type Panel = "coverage" | "highlights";

function DeckHeader({ pageId, componentId, deck, onEdit, onAdd, onRemove, onPanel }: HeaderProps) {
  const pagePort = usePagePort();
  const dueCount = useAtomValue(useMemo(() => createDueAtom(componentId), [componentId]));
  const nameDeck = async () => {
    const title = await proposeTitle(deck.cards);
    if (title !== null) onEdit({ title });
  };
  return (
    <header className="deck-header">
      <IconButton
        label={t(deck.minimized ? "flashcards.unfold" : "flashcards.fold")}
        icon={deck.minimized ? <ChevronRight aria-hidden /> : <ChevronDown aria-hidden />}
        aria-expanded={!deck.minimized}
        onClick={() => onEdit({ minimized: !deck.minimized })}
      />
      <DeckTitle title={deck.title} onTitle={(title) => onEdit({ title })} />
      <Chip>{t("flashcards.count", { count: deck.cards.length })}</Chip>
      {dueCount > 0 && <Chip tone="lit">{t("flashcards.due", { count: dueCount })}</Chip>}
      <span className="deck-actions">
        <Menu
          trigger={<IconButton label={t("flashcards.menu")} icon={<MoreHorizontal aria-hidden />} />}
          groups={[
            [
              {
                label: t("flashcards.open_deck"),
                icon: <SquareArrowOutUpRight aria-hidden />,
                onSelect: () => goTo(screenPath("deck", { id: pageId, slug: componentId })),
              },
            ],
            [
              {
                label: t("flashcards.generate"),
                icon: <Sparkle aria-hidden />,
                onSelect: () => pagePort.openCardGenerator(),
              },
            ],
            [
              { label: t("flashcards.coverage"), icon: <Map aria-hidden />, onSelect: () => onPanel("coverage") },
              { label: t("flashcards.highlights"), icon: <List aria-hidden />, onSelect: () => onPanel("highlights") },
              {
                label: t("flashcards.name_deck"),
                icon: <Type aria-hidden />,
                onSelect: () => void nameDeck(),
              },
            ],
            [{ label: t("flashcards.remove"), icon: <Trash2 aria-hidden />, danger: true, onSelect: onRemove }],
          ]}
        />
        <Button variant="quiet" icon={<Plus aria-hidden />} onClick={onAdd}>
          {t("flashcards.add")}
        </Button>
        {deck.cards.length > 0 && <StudyLink pageId={pageId} componentId={componentId} />}
      </span>
    </header>
  );
}

/** Focuses the question of a new card as soon as it is rendered. */
function useFocusOnCard(cardCount: number) {
  const rows = useRef<HTMLDivElement>(null);
  const pendingFocusId = useRef<string | null>(null);
  useEffect(() => {
    if (pendingFocusId.current === null || cardCount === 0) return;
    const row = rows.current?.querySelector<HTMLElement>(`[data-card="${pendingFocusId.current}"] textarea`);
    pendingFocusId.current = null;
    row?.focus();
  }, [cardCount]);
  const focusNext = (cardId: string) => {
    pendingFocusId.current = cardId;
  };
  return { rows, focusNext };
}

function DeletedNote({ onUndo }: { onUndo: () => void }) {
  return (
    <p className="deck-note" role="status">
      {t("flashcards.card_deleted")}
      <Button variant="quiet" onClick={onUndo}>
        {t("common.undo")}
      </Button>
    </p>
  );
}

function ShowAllButton({ showsAll, count, onPress }: { showsAll: boolean; count: number; onPress: () => void }) {
  return (
    <Button variant="quiet" className="deck-more" onClick={onPress}>
      {showsAll ? t("flashcards.show_less", { count: COLLAPSED_COUNT }) : t("flashcards.show_all", { count })}
    </Button>
  );
}

interface PanelProps {
  panel: Panel | null;
  pageId: string;
  deckId: string;
  cards: readonly Flashcard[];
  onClose: () => void;
}

function DeckPanel({ panel, pageId, deckId, cards, onClose }: PanelProps) {
  const deckLocation = { pageId, flashcardsId: deckId };
  if (panel === "coverage") return <CoveragePanel deckLocation={deckLocation} onClose={onClose} />;
  return panel === "highlights" ? (
    <HighlightsPanel deckLocation={deckLocation} cards={cards} onClose={onClose} />
  ) : null;
}

export function DeckBlock({ pageId, block, edit, remove: removeDeck }: BlockProps) {
  const pagePort = usePagePort();
  const deck = useMemo(() => parseDeck(block.content), [block.content]);
  const [showsAll, setShowsAll] = useState(false);
  const [panel, setPanel] = useState<Panel | null>(null);
  const { rows, focusNext } = useFocusOnCard(deck.cards.length);
  useEffect(() => void resumeRun(pagePort, block._id), [pagePort, block._id]);

  // Reads the latest content and not the rendered content, because cards may have arrived since the last render.
  const readLatest = () => parseDeck(pagePort.getContent(block._id) ?? block.content);
  const editCards = (change: (cards: Flashcard[]) => Flashcard[]) => {
    const latest = readLatest();
    edit({ ...latest, cards: change(latest.cards) });
  };
  const { deleted, remove, restore } = useDeletedCard(editCards);
  const insertCard = (index: number) => {
    const card: Flashcard = { id: newCardId(), question: "", answer: "", questionImage: null, citation: null };
    focusNext(card.id);
    if (index >= COLLAPSED_COUNT) setShowsAll(true);
    editCards((cards) => cards.toSpliced(index, 0, card));
  };
  const editCard = (id: string, change: Partial<Flashcard>) =>
    editCards((cards) => cards.map((card) => (card.id === id ? { ...card, ...change } : card)));

  const isGenerating = useAtomValue(useMemo(() => createIsMakingAtom(block._id), [block._id]));
  const isPrinting = usePrinting();
  const visibleCards = showsAll || isPrinting ? deck.cards : deck.cards.slice(0, COLLAPSED_COUNT);
  return (
    <section className="deck" aria-label={`${t("flashcards.deck")}: ${deck.title}`}>
      <DeckHeader
        pageId={pageId}
        componentId={block._id}
        deck={deck}
        onEdit={(change) => edit({ ...readLatest(), ...change })}
        onAdd={() => insertCard(readLatest().cards.length)}
        onRemove={removeDeck}
        onPanel={setPanel}
      />
      <DeckPanel panel={panel} pageId={pageId} deckId={block._id} cards={deck.cards} onClose={() => setPanel(null)} />
      <RunStatusLine componentId={block._id} />
      {!deck.minimized && (
        <div className="deck-cards" data-long={visibleCards.length > COLLAPSED_COUNT} ref={rows}>
          {visibleCards.map((card, i) => (
            <CardRow
              key={card.id}
              card={card}
              number={i + 1}
              onEdit={(change) => editCard(card.id, change)}
              onRemove={() => remove(card, i)}
              onNext={() => insertCard(i + 1)}
            />
          ))}
          {deck.cards.length === 0 && !isGenerating && <p className="deck-empty">{t("flashcards.empty")}</p>}
          {deck.cards.length > COLLAPSED_COUNT && (
            <ShowAllButton showsAll={showsAll} count={deck.cards.length} onPress={() => setShowsAll(!showsAll)} />
          )}
        </div>
      )}
      {deleted && <DeletedNote onUndo={restore} />}
    </section>
  );
}
