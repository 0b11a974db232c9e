import { Link } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { type Citation, parseCitation } from "#shared/citations.ts";
import type { Flashcard } from "#shared/flashcards/schema.ts";
import { splitSectionLine } from "#shared/flashcards/section-line.ts";
import { t } from "#shared/messages/translate.ts";
import type { Component } from "#shared/pages/schema.ts";
import { screenPath } from "#shared/screens.ts";
import { changesPage } from "#shared/sync/overlay.ts";
import { CiteBadge } from "#shared/ui/content/cite-badge.tsx";
import type { Change } from "#shared/sync/schema.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { EmptyState, ErrorState } from "#shared/ui/empty-state.tsx";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import { logWarning } from "#webapp/app/log.ts";
import { onRemoteChanges } from "#webapp/offline/remote-change-listeners.ts";
import { loadPage, queue } from "#webapp/offline/sync.ts";
import { useDocumentPort } from "#webapp/pdf/document-port.tsx";
import { formatCitationLocation } from "../card-source.tsx";
import { CardImage, CardText } from "../card-text.tsx";
import { QuestionPicture } from "../question-picture.tsx";
import "./document-cards.css";

interface DocumentCard {
  card: Flashcard;
  deckId: string;
  deckTitle: string;
  citation: Extract<Citation, { type: "pdf_citation" }>;
}

/** The cards in these components that cite a document, in the order of the cited pages. */
function listDocumentCards(components: readonly Component[], documentId: string): DocumentCard[] {
  return components
    .flatMap((deck) => (deck.type === "flash_cards" ? deck.content.cards.map((card) => ({ card, deck })) : []))
    .flatMap(({ card, deck }) => {
      const citation = card.citation === null ? undefined : parseCitation(card.citation);
      if (citation?.type !== "pdf_citation" || citation.componentId !== documentId) return [];
      return { card, deckId: deck._id, deckTitle: deck.content.title, citation };
    })
    .toSorted((a, b) => a.citation.page - b.citation.page);
}

/** The kinds of changes that can affect cards. Other kinds, such as a review or a job's progress, cannot. */
const PAGE_CHANGES = new Set<Change["kind"]>(["content", "page", "everything"]);

/** Calls `load` when a page or component has changed, on this or another device. Returns a function that stops this. */
function subscribeToPages(load: () => void): () => void {
  const syncQueue = queue();
  const listUnsaved = () =>
    syncQueue
      .unsaved()
      .filter(changesPage)
      .map(({ id }) => id)
      .join(" ");
  let unsaved = listUnsaved();
  const stopQueue = syncQueue.subscribe(() => {
    const next = listUnsaved();
    if (next === unsaved) return;
    unsaved = next;
    load();
  });
  const stopRemote = onRemoteChanges((changes) => {
    if (changes.some(({ kind }) => PAGE_CHANGES.has(kind))) load();
  });
  return () => {
    stopQueue();
    stopRemote();
  };
}

type LoadedCards = readonly DocumentCard[] | "failed" | undefined;

/** The cards on the document's page that cite the document; undefined until they are loaded. */
function useDocumentCards(pageId: string, documentId: string): { cards: LoadedCards; retry: () => void } {
  const [cards, setCards] = useState<LoadedCards>();
  const loadAgain = useRef(() => {});
  useEffect(() => {
    let latest = 0;
    const load = async () => {
      latest += 1;
      const number = latest;
      try {
        const { components } = await loadPage(pageId);
        // A later call has newer cards, so a slower response to an earlier call is discarded.
        if (number === latest) setCards(listDocumentCards(components, documentId));
      } catch (error) {
        logWarning("Could not load a document's cards", error);
        if (number === latest) setCards((before) => before ?? "failed");
      }
    };
    void load();
    loadAgain.current = () => void load();
    const stop = subscribeToPages(() => void load());
    return () => {
      latest = -1;
      stop();
    };
  }, [pageId, documentId]);
  const retry = () => {
    setCards(undefined);
    loadAgain.current();
  };
  return { cards, retry };
}

/** Scrolls the list, once, to the cards of the page that is being read. */
function useScrollToPage(cards: LoadedCards, currentPage: () => number) {
  const list = useRef<HTMLUListElement>(null);
  const isDone = useRef(false);
  useEffect(() => {
    if (isDone.current || cards === undefined || cards === "failed") return;
    isDone.current = true;
    const index = cards.findIndex(({ citation }) => citation.page >= currentPage());
    if (index > 0) list.current?.children[index]?.scrollIntoView({ block: "start" });
  }, [cards, currentPage]);
  return list;
}

function CardItem({ card, citation }: DocumentCard) {
  const { name, showPage } = useDocumentPort();
  const place = formatCitationLocation(citation);
  const quote = citation.quote ?? undefined;
  return (
    <li className="document-card">
      <p dir="auto">
        <CardText text={splitSectionLine(card).question} />
      </p>
      <QuestionPicture card={card} isRevealed={false} />
      <p className="document-card-answer" dir="auto">
        <CardText text={card.answer} />{" "}
        <CiteBadge
          place={place}
          label={t("study.cite_open", { place, source: name })}
          quote={quote}
          onOpen={() => showPage(citation.page, quote)}
        />
      </p>
      <CardImage address={card.answerImage} />
    </li>
  );
}

/** Id and title of each deck that has at least one of these cards. */
const listDecks = (cards: readonly DocumentCard[]): [deckId: string, title: string][] => [
  ...new Map(cards.map(({ deckId, deckTitle }) => [deckId, deckTitle || t("common.untitled")])),
];

/** Opens the page with the card maker, in which this document is preselected. */
function MakeCards() {
  const { componentId, pageId } = useDocumentPort();
  return (
    <Link
      className="button button-secondary"
      to={screenPath("page", { id: pageId })}
      search={{ make: "cards", from: componentId }}
    >
      {t("flashcards.maker_title")}
    </Link>
  );
}

/** Shown beside a document: the cards that cite it, each with its citation. */
export function DocumentCards() {
  const { componentId, pageId, currentPage } = useDocumentPort();
  const { cards, retry } = useDocumentCards(pageId, componentId);
  const list = useScrollToPage(cards, currentPage);
  if (cards === undefined)
    return (
      <div className="document-cards-note">
        <Skeleton label={t("common.loading")} />
      </div>
    );
  if (cards === "failed")
    return (
      <div className="document-cards-none">
        <ErrorState
          title={t("flashcards.document_failed")}
          headingLevel={2}
          action={<Button onClick={retry}>{t("common.retry")}</Button>}
        >
          {t("flashcards.document_failed_text")}
        </ErrorState>
      </div>
    );
  if (cards.length === 0)
    return (
      <div className="document-cards-none">
        <EmptyState title={t("flashcards.document_none")} headingLevel={2} action={<MakeCards />}>
          {t("flashcards.document_none_text")}
        </EmptyState>
      </div>
    );
  return (
    <>
      <div className="document-cards-head">
        {listDecks(cards).map(([deckId, title], _, decks) => (
          <Link
            key={deckId}
            className="button button-primary"
            to={screenPath("study", { id: pageId, flashcard: deckId })}
            aria-label={t("home.study_deck", { title })}
          >
            {decks.length === 1 ? t("flashcards.study") : t("home.study_deck", { title })}
          </Link>
        ))}
        <MakeCards />
        <span className="document-cards-count">{t("flashcards.count", { count: cards.length })}</span>
      </div>
      <ul role="list" className="document-cards" ref={list}>
        {cards.map((documentCard) => (
          <CardItem key={`${documentCard.deckId} ${documentCard.card.id}`} {...documentCard} />
        ))}
      </ul>
    </>
  );
}
