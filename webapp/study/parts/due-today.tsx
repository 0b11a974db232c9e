import { Link } from "@tanstack/react-router";
import { useAtomValue } from "jotai/react";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import type { DueDeck } from "#shared/study/schema.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Chip } from "#shared/ui/controls/chip.tsx";
import { ErrorState } from "#shared/ui/empty-state.tsx";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import { livePagesAtom } from "#webapp/library/content.ts";
import { useNow } from "#webapp/app/hooks/use-now.ts";
import { dueAtom, dueCountAtom, isPlanned, loadDue } from "../due.ts";

export function DueToday() {
  const due = useAtomValue(dueAtom);
  const count = useAtomValue(dueCountAtom);
  switch (due.state) {
    case "loading":
      return <Skeleton label={t("common.loading")} lines={[30, 100, 100]} height={18} />;
    case "failed":
      return (
        <ErrorState
          title={t("home.due_failed")}
          action={<Button onClick={() => void loadDue()}>{t("common.retry")}</Button>}
        >
          {t("home.failed_text")}
        </ErrorState>
      );
    case "ready":
      return (
        <>
          <h2>
            {t("home.due_title")}
            {count > 0 && <Chip tone="lit">{t("home.due_count", { count })}</Chip>}
          </h2>
          <Decks decks={due.decks} />
        </>
      );
    default:
      return due satisfies never;
  }
}

function Decks({ decks }: { decks: readonly DueDeck[] }) {
  const pages = useAtomValue(livePagesAtom);
  const now = useNow();
  const titles = new Map(pages.map((page) => [page._id, page.title || t("common.untitled")]));
  const countDue = (deck: DueDeck) => (isPlanned(deck, now) ? 0 : deck.due);
  const studyable = decks
    .filter((deck) => deck.due > 0 || deck.fresh > 0)
    .toSorted((a, b) => countDue(b) - countDue(a));
  if (decks.length === 0) return <p className="home-note">{t("home.due_no_decks")}</p>;
  if (studyable.length === 0) return <p className="home-note">{t("home.due_none")}</p>;
  return (
    <ul role="list" className="home-list">
      {studyable.map((deck, index) => (
        <li key={deck.componentId} className="home-deck">
          <span className="home-deck-title">
            {deck.title}
            {titles.has(deck.pageId) && <span className="home-deck-page">{titles.get(deck.pageId)}</span>}
          </span>
          <span className="home-deck-count">{isPlanned(deck, now) ? t("home.due_planned") : describeCounts(deck)}</span>
          <Link
            className={`button ${index === 0 ? "button-primary" : "button-secondary"}`}
            to={screenPath("study", { id: deck.pageId, flashcard: deck.componentId })}
            aria-label={t("home.study_deck", { title: deck.title })}
          >
            {t("home.study")}
          </Link>
        </li>
      ))}
    </ul>
  );
}

const describeCounts = ({ due, fresh }: DueDeck) =>
  [due > 0 && t("home.due_count", { count: due }), fresh > 0 && t("home.new_count", { count: fresh })]
    .filter(Boolean)
    .join(" · ");
