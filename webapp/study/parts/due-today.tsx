import { Link, useNavigate } from "@tanstack/react-router";
import { useAtomValue } from "jotai/react";
import { useMemo } from "react";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import { decksInSession, decksToStudy, isPlanned, summariseToday } from "#shared/study/all-due.ts";
import { USUAL_SECONDS } from "#shared/study/day.ts";
import type { DueDeck } from "#shared/study/schema.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { ErrorState } from "#shared/ui/empty-state.tsx";
import { Kbd } from "#shared/ui/kbd.tsx";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import { useNow } from "#webapp/app/hooks/use-now.ts";
import { accountIdAtom } from "#webapp/app/session/account-atom.ts";
import { livePagesAtom } from "#webapp/library/content.ts";
import { getSamplePageIds } from "#webapp/user/sample-ids.ts";
import { dueAtom, loadDue } from "../due.ts";
import { useModeKeys } from "../use-mode-keys.ts";

interface Props {
  /** Mean time of an answer; undefined until known. */
  secondsPerReview: number | undefined;
}

/** The cards due today, with one session across all decks. */
export function DueToday({ secondsPerReview }: Props) {
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
      return <Decks decks={due.decks} secondsPerReview={secondsPerReview} />;
    default:
      return due satisfies never;
  }
}

/** The student's own decks come first, those of the sample last. */
function useDueOptions() {
  const now = useNow();
  const accountId = useAtomValue(accountIdAtom);
  return useMemo(
    () => ({ now, samplePageIds: new Set(Object.values(getSamplePageIds(accountId ?? ""))) }),
    [now, accountId],
  );
}

function Decks({ decks, secondsPerReview = USUAL_SECONDS }: { decks: readonly DueDeck[] } & Partial<Props>) {
  const options = useDueOptions();
  const pages = useAtomValue(livePagesAtom);
  const titles = new Map(pages.map((page) => [page._id, page.title || t("common.untitled")]));
  const studiable = decksToStudy(decks, options);
  const rest = decks.length - studiable.length;
  if (decks.length === 0) return <Nothing text={t("home.due_no_decks")} />;
  if (studiable.length === 0) return <Nothing text={t("home.due_none")} />;
  return (
    <>
      <Head session={decksInSession(decks, options)} {...summariseToday(decks, options, secondsPerReview)} />
      <ul role="list" className="home-list">
        {studiable.map((deck) => (
          <li key={deck.componentId} className="home-deck">
            <span className="home-deck-title">
              {deck.title}
              {titles.has(deck.pageId) && titles.get(deck.pageId) !== deck.title && (
                <span className="home-deck-page">{titles.get(deck.pageId)}</span>
              )}
            </span>
            <span className="home-deck-count" data-due={deck.due > 0 && !isPlanned(deck, options.now)}>
              {isPlanned(deck, options.now) ? t("home.due_planned") : describeCounts(deck)}
            </span>
            <Link
              className="button button-secondary"
              to={screenPath("study", { id: deck.pageId, flashcard: deck.componentId })}
              aria-label={t("home.study_deck", { title: deck.title })}
            >
              {t("home.study")}
            </Link>
          </li>
        ))}
      </ul>
      {rest > 0 && <p className="home-note">{t("home.due_other", { count: rest })}</p>}
    </>
  );
}

const Nothing = ({ text }: { text: string }) => (
  <>
    <h2 className="today-count">{t("home.due_title")}</h2>
    <p className="home-note">{text}</p>
  </>
);

interface HeadProps {
  session: readonly DueDeck[];
  due: number;
  fresh: number;
  later: number;
  minutes: number;
}

function Head({ session, due, fresh, later, minutes }: HeadProps) {
  const navigate = useNavigate();
  const [first] = session;
  const target = first && { to: screenPath("study", { id: first.pageId, flashcard: first.componentId }) };
  const search = { all: "" };
  useModeKeys({ s: target && (() => void navigate({ ...target, search })) });
  const parts = [
    t("home.today_minutes", { count: minutes }),
    due > 0 && t("home.today_review", { count: due }),
    due > 0 && fresh > 0 && t("home.today_new", { count: fresh }),
    due === 0 && later > 0 && t("home.today_later", { count: later }),
  ];
  return (
    <header className="today-head">
      <div>
        <h2 className="today-count">{t(due > 0 ? "home.today_cards" : "home.today_fresh", { count: due || fresh })}</h2>
        <p className="today-about">{parts.filter(Boolean).join(" · ")}</p>
      </div>
      {target && (
        <Link className="button button-primary button-l" {...target} search={search}>
          {t(due > 0 ? "home.study_all" : "home.study_new")} <Kbd>S</Kbd>
        </Link>
      )}
    </header>
  );
}

const describeCounts = ({ due, fresh }: DueDeck) =>
  [due > 0 && t("home.due_count", { count: due }), fresh > 0 && t("home.new_count", { count: fresh })]
    .filter(Boolean)
    .join(" · ");
