import { Link, useNavigate } from "@tanstack/react-router";
import { useAtomValue } from "jotai/react";
import { lazy, Suspense } from "react";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import {
  countLearning,
  countToday,
  decksInSession,
  decksToStudy,
  summariseToday,
  type DeckToday,
  type TodaySummary,
} from "#shared/study/all-due.ts";
import { USUAL_SECONDS } from "#shared/study/day.ts";
import type { DueDeck } from "#shared/study/schema.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { ErrorState } from "#shared/ui/empty-state.tsx";
import { Kbd } from "#shared/ui/kbd.tsx";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import { livePagesAtom } from "#webapp/library/content.ts";
import { dueAtom, loadDue } from "../due.ts";
import { useModeKeys } from "../use-mode-keys.ts";
import { useTodayOptions } from "../use-today-options.ts";

/** Loaded on demand, so that they do not delay a screen with due cards. */
const NothingToday = lazy(async () => ({ default: (await import("./nothing-due.tsx")).NothingToday }));
const Waiting = lazy(async () => ({ default: (await import("./nothing-due.tsx")).Waiting }));

interface Props {
  /** Mean time of an answer; undefined until known. */
  secondsPerReview: number | undefined;
  /** Cards due on each day, today first; empty until known. */
  forecast: readonly number[];
}

/** The cards due today, with one session across all decks. */
export function DueToday(props: Props) {
  const due = useAtomValue(dueAtom);
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
      return <Decks decks={due.decks} {...props} />;
    default:
      return due satisfies never;
  }
}

function Decks({ decks, secondsPerReview = USUAL_SECONDS, forecast }: { decks: readonly DueDeck[] } & Props) {
  const options = useTodayOptions();
  const pages = useAtomValue(livePagesAtom);
  const titles = new Map(pages.map((page) => [page._id, page.title || t("common.untitled")]));
  const studiable = decksToStudy(decks, options);
  const waiting = decks.filter((deck) => !studiable.includes(deck) && countLearning([deck]) > 0);
  const otherCount = decks.length - studiable.length - waiting.length;
  if (decks.length === 0) return <NoDecks />;
  if (studiable.length + waiting.length === 0)
    return (
      <Suspense>
        <NothingToday forecast={forecast} />
      </Suspense>
    );
  return (
    <>
      {studiable.length > 0 ? (
        <Head session={decksInSession(decks, options)} summary={summariseToday(decks, options, secondsPerReview)} />
      ) : (
        <Suspense>
          <Waiting decks={waiting} />
        </Suspense>
      )}
      <ul role="list" className="home-list">
        {[...studiable, ...waiting].map((deck) => (
          <DeckRow
            key={deck.componentId}
            deck={deck}
            pageTitle={titles.get(deck.pageId)}
            today={countToday(deck, options)}
          />
        ))}
      </ul>
      {otherCount > 0 && <p className="home-note">{t("home.due_other", { count: otherCount })}</p>}
    </>
  );
}

interface RowProps {
  deck: DueDeck;
  pageTitle: string | undefined;
  today: DeckToday | undefined;
}

function DeckRow({ deck, pageTitle, today }: RowProps) {
  const { title, pageId, componentId } = deck;
  return (
    <li className="home-deck">
      <span className="home-deck-title">
        {title}
        {pageTitle !== undefined && pageTitle !== title && <span className="home-deck-page">{pageTitle}</span>}
      </span>
      <span className="home-deck-count">{today ? <Counts {...today} /> : <span>{t("home.due_planned")}</span>}</span>
      <Link
        className="button button-secondary"
        to={screenPath("study", { id: pageId, flashcard: componentId })}
        search={{ bucket: "due" }}
        aria-label={t("home.study_deck", { title })}
      >
        {t("home.study")}
      </Link>
    </li>
  );
}

const Counts = ({ due, learning, fresh, planned }: DeckToday) => (
  <>
    {due > 0 && <span data-due>{t("home.due_count", { count: due })}</span>}
    {learning > 0 && <span>{t("home.learning_count", { count: learning })}</span>}
    {fresh > 0 && <span>{t("home.new_count", { count: fresh })}</span>}
    {planned > 0 && <span>{t("home.planned_count", { count: planned })}</span>}
  </>
);

const NoDecks = () => (
  <>
    <h2 className="today-count">{t("home.due_title")}</h2>
    <p className="home-note">{t("home.due_no_decks")}</p>
  </>
);

interface HeadProps {
  session: readonly DueDeck[];
  /** Undefined until the exam plans are computed. */
  summary: TodaySummary | undefined;
}

function Head({ session, summary }: HeadProps) {
  const navigate = useNavigate();
  const [first] = session;
  const target = first && { to: screenPath("study", { id: first.pageId, flashcard: first.componentId }) };
  const search = { all: "" };
  useModeKeys({ s: target && (() => void navigate({ ...target, search })) });
  return (
    <header className="today-head">
      <div>
        <h2 className="today-count">
          {summary ? t("home.today_cards", { count: countCards(summary) }) : t("home.due_title")}
        </h2>
        <p className="today-about">{summary ? describe(summary) : t("planning.working")}</p>
      </div>
      {target && (
        <Link className="button button-primary button-l" {...target} search={search}>
          {t("home.study_all")} <Kbd>S</Kbd>
        </Link>
      )}
    </header>
  );
}

const countCards = ({ due, fresh, planned }: DeckToday) => due + fresh + planned;

const describe = ({ due, fresh, planned, later, minutes }: TodaySummary) =>
  [
    t("home.today_minutes", { count: minutes }),
    due > 0 && t("home.due_count", { count: due }),
    fresh > 0 && t("home.new_count", { count: fresh }),
    planned > 0 && t("home.planned_count", { count: planned }),
    later > 0 && t("home.today_later", { count: later }),
  ]
    .filter(Boolean)
    .join(" · ");
