import { useAtomValue } from "jotai/react";
import { useDeferredValue, useEffect, useMemo, useState } from "react";
import type { Flashcard } from "#shared/flashcards/schema.ts";
import { findDuplicates, cardMatches, splitSearchWords } from "#shared/flashcards/deck-edits.ts";
import { t } from "#shared/messages/translate.ts";
import { CARD_STAGES } from "#shared/study/buckets.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Select } from "#shared/ui/controls/select.tsx";
import { EmptyState } from "#shared/ui/empty-state.tsx";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import { TextField } from "#shared/ui/controls/text-field.tsx";
import { FilterSheet } from "#webapp/ui/filter-sheet.tsx";
import { DeckMissing } from "./deck-missing.tsx";
import { useScreenParams } from "#webapp/app/use-screen-params.ts";
import { userAtom } from "#webapp/app/session/session.ts";
import { useTitle } from "#webapp/app/use-title.ts";
import { favouritesOfDeck } from "../card-favourites.ts";
import { CardList } from "../parts/card-list.tsx";
import { BulkActionsBar } from "../parts/bulk-actions-bar.tsx";
import { DeckLoadError } from "../parts/deck-load-error.tsx";
import { DeckMenu } from "../parts/deck-menu.tsx";
import { DeckImportDialog } from "../parts/deck-import-dialog.tsx";
import { ListDialog } from "../parts/list-dialog.tsx";
import { DeckHead } from "./deck-head.tsx";
import { DeckProgress } from "./deck-progress.tsx";
import { CARD_ORDERS, sortCards, type CardOrder } from "./sort-cards.ts";
import { StageFilter, type CardFilter } from "./stage-filter.tsx";
import { useDeckStages, type DeckStages } from "./use-deck-stages.ts";
import { closeDeck, deckAtom, editCards, createCard, openDeck, undoEdit, type OpenDeck } from "./deck-state.ts";
import "./deck-screen.css";

export function DeckScreen() {
  const { id: pageId, slug } = useScreenParams("deck");
  const componentId = slug.split("/")[0] ?? "";
  const view = useAtomValue(deckAtom);
  const accountId = useAtomValue(userAtom)?._id;
  useEffect(() => {
    if (accountId === undefined) return undefined;
    void openDeck(pageId, componentId);
    return closeDeck;
  }, [accountId, pageId, componentId]);
  useTitle(view.state === "ready" ? view.title : t("flashcards.deck"));
  if (view.state === "loading")
    return (
      <main className="deck-screen">
        <Skeleton label={t("common.loading")} lines={[40, 90, 76, 82]} height={22} />
      </main>
    );
  if (view.state === "failed")
    return (
      <main className="deck-screen">
        {view.reason === "missing" ? (
          <DeckMissing />
        ) : (
          <DeckLoadError onRetry={() => void openDeck(pageId, componentId)} />
        )}
      </main>
    );
  return <Deck deck={view} cardId={slug.split("/")[1]} />;
}

/** The cards that match the search, the section and the stage filter, with the state of these controls. */
function useFilteredCards(deck: OpenDeck) {
  const { cards } = deck;
  const [query, setQuery] = useState("");
  const [filter, setFilter] = useState<CardFilter>("all");
  const [order, setOrder] = useState<CardOrder>("deck");
  const [chosenSection, setSection] = useState("");
  const sections = useMemo(() => [...new Set(cards.flatMap((card) => card.section ?? []))], [cards]);
  // The chosen section no longer exists once its last card is deleted.
  const section = sections.includes(chosenSection) ? chosenSection : "";
  const inSection = useMemo(
    () => (section === "" ? cards : cards.filter((card) => card.section === section)),
    [cards, section],
  );
  const stages = useDeckStages(deck);
  const starred = useAtomValue(useMemo(() => favouritesOfDeck(deck.componentId), [deck.componentId]));
  const deferredQuery = useDeferredValue(query);
  const shown = useMemo(() => {
    const candidates = filterCards(inSection, filter, { stages, starred });
    const queryWords = splitSearchWords(deferredQuery);
    const found = queryWords.length === 0 ? candidates : candidates.filter((card) => cardMatches(card, queryWords));
    return stages ? sortCards(found, order, stages.schedules) : found;
  }, [inSection, deferredQuery, filter, order, stages, starred]);
  const counts = useMemo(() => {
    const countIn = (ids: ReadonlySet<string>) => inSection.filter(({ id }) => ids.has(id)).length;
    return {
      all: inSection.length,
      ...(stages && Object.fromEntries(CARD_STAGES.map((stage) => [stage, countIn(stages.byStage[stage])]))),
      starred: countIn(starred),
    };
  }, [inSection, stages, starred]);
  const showAll = () => {
    setQuery("");
    setFilter("all");
    setOrder("deck");
    setSection("");
  };
  const filterFields = { query, setQuery, order, setOrder, section, setSection, sections };
  return { ...filterFields, filter, setFilter, showAll, stages, counts, shown };
}

interface FilterSets {
  stages: DeckStages | undefined;
  starred: ReadonlySet<string>;
}

function filterCards(cards: readonly Flashcard[], filter: CardFilter, { stages, starred }: FilterSets) {
  if (filter === "all") return cards;
  if (filter === "duplicates") return findDuplicates(cards).flat();
  const wanted = filter === "starred" ? starred : stages?.byStage[filter];
  return cards.filter(({ id }) => wanted?.has(id));
}

const appendCards = (cards: readonly Flashcard[]) => editCards((current) => [...current, ...cards]);

function Deck({ deck, cardId }: { deck: OpenDeck; cardId: string | undefined }) {
  const { showAll, stages, shown, ...choice } = useFilteredCards(deck);
  const { filter, setFilter } = choice;
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [isImporting, setImporting] = useState(false);
  const [isListOpen, setListOpen] = useState(false);
  const [focusId, setFocusId] = useState<string | null>(cardId ?? null);
  const [lastCardId, setLastCardId] = useState(cardId);
  // A search can lead to another card of the open deck.
  if (cardId !== lastCardId) {
    setLastCardId(cardId);
    setFocusId(cardId ?? null);
    if (cardId !== undefined) showAll();
  }
  const addAfter = (id: string | null) => {
    const card = createCard();
    editCards((cards) => {
      const index = id === null ? -1 : cards.findIndex((other) => other.id === id);
      return index === -1 ? [...cards, card] : cards.toSpliced(index + 1, 0, card);
    });
    showAll();
    setFocusId(card.id);
  };
  return (
    <main className="deck-screen">
      <DeckHead deck={deck} due={stages?.byStage.due.size} onAdd={() => addAfter(null)}>
        <DeckMenu
          deck={deck}
          isDuplicates={filter === "duplicates"}
          onDuplicates={() => setFilter(filter === "duplicates" ? "all" : "duplicates")}
          onImport={() => setImporting(true)}
          onList={() => setListOpen(true)}
          onUndo={undoEdit}
        />
      </DeckHead>
      {stages && <DeckProgress deck={deck} stages={stages} />}
      <div className="deck-screen-bar">
        <DeckToolbar {...choice} shown={shown.length === deck.cards.length ? null : shown.length} />
        {chosen.size > 0 && <BulkActionsBar deck={deck} shown={shown} chosen={chosen} onChosen={setChosen} />}
      </div>
      {deck.cards.length === 0 ? (
        <NoCards onAdd={() => addAfter(null)} />
      ) : (
        <CardList
          componentId={deck.componentId}
          sources={deck.sources}
          stages={stages}
          cards={shown}
          chosen={chosen}
          focusId={focusId}
          onFocused={() => setFocusId(null)}
          onChosen={setChosen}
          onAddAfter={addAfter}
        />
      )}
      {isListOpen && <ListDialog onCards={appendCards} onClose={() => setListOpen(false)} />}
      {isImporting && <DeckImportDialog deck={deck} onClose={() => setImporting(false)} />}
    </main>
  );
}

function NoCards({ onAdd }: { onAdd: () => void }) {
  return (
    <EmptyState title={t("flashcards.empty")} action={<Button onClick={onAdd}>{t("flashcards.add")}</Button>}>
      {t("flashcards.empty_import")}
    </EmptyState>
  );
}

type CardChoice = ReturnType<typeof useFilteredCards>;

interface DeckToolbarProps extends Omit<CardChoice, "shown" | "stages" | "showAll"> {
  /** The number of cards shown; null if all cards are shown. */
  shown: number | null;
}

function DeckToolbar({ shown, filter, setFilter, counts, ...filterFields }: DeckToolbarProps) {
  const { query, order, section } = filterFields;
  return (
    <div className="deck-screen-tools">
      <StageFilter counts={counts} chosen={filter} onChoose={setFilter} />
      <span role="status">{shown !== null && t("flashcards.shown", { count: shown })}</span>
      {filter === "duplicates" && (
        <Button variant="quiet" onClick={() => setFilter("all")}>
          {t("flashcards.show_every")}
        </Button>
      )}
      <FilterSheet label={t("flashcards.search_and_sort")} isSet={query !== "" || order !== "deck" || section !== ""}>
        <FilterFields {...filterFields} />
      </FilterSheet>
    </div>
  );
}

type FilterFieldsProps = Pick<
  CardChoice,
  "query" | "setQuery" | "order" | "setOrder" | "section" | "setSection" | "sections"
>;

function FilterFields({ query, setQuery, order, setOrder, section, setSection, sections }: FilterFieldsProps) {
  return (
    <>
      {sections.length > 1 && (
        <Select
          label={t("flashcards.section")}
          labelHidden
          value={section}
          onValue={setSection}
          options={[
            { value: "", label: t("flashcards.sections_all") },
            ...sections.map((value) => ({ value, label: value })),
          ]}
        />
      )}
      <Select
        label={t("flashcards.order")}
        labelHidden
        value={order}
        onValue={setOrder}
        options={CARD_ORDERS.map((value) => ({ value, label: t(`flashcards.order_${value}`) }))}
      />
      <TextField
        type="search"
        label={t("flashcards.search")}
        placeholder={t("flashcards.search_hint")}
        labelHidden
        value={query}
        onChange={(event) => setQuery(event.target.value)}
      />
    </>
  );
}
