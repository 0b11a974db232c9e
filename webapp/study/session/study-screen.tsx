import { useNavigate } from "@tanstack/react-router";
import { useAtomValue } from "jotai/react";
import {
  lazy,
  Suspense,
  useCallback,
  useDeferredValue,
  useEffect,
  useEffectEvent,
  useMemo,
  useState,
  type ComponentType,
  type ReactNode,
} from "react";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import { cardsInBucket, countBuckets } from "#shared/study/buckets.ts";
import { canStudyCard } from "#shared/study/controller.ts";
import type { Bucket } from "#shared/user/schema.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { ErrorState } from "#shared/ui/empty-state.tsx";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import { studiableCardIds, studyDayOf } from "#shared/study/today.ts";
import { favouritesOfDeck } from "#webapp/flashcards/card-favourites.ts";
import { DeckMissing } from "#webapp/flashcards/deck/deck-missing.tsx";
import { changePreferences, preferencesAtom } from "#webapp/app/preferences.ts";
import { useScreenParams } from "#webapp/app/use-screen-params.ts";
import { userAtom } from "#webapp/app/session/session.ts";
import type { ModeProps, StudyMode } from "../study-mode.ts";
import { useTitle } from "#webapp/app/use-title.ts";
import { loadStreak } from "../home/home-state.ts";
import { recordModeReview, replaceModeReview } from "../modes/mode-reviews.ts";
import { ModeBar } from "../parts/mode-bar.tsx";
import { SessionEnd } from "../parts/session-end.tsx";
import { useNextDeck } from "./use-next-deck.ts";
import { SessionView } from "../parts/session-view.tsx";
import { useDailyLimit } from "./use-daily-limit.ts";
import { closeStudy, openStudy, resumeLearning, restartSession } from "./state.ts";
import { useWakeLock } from "../modes/use-wake-lock.ts";
import { studyAtom, type ActiveStudy, type StudyView } from "./study-view.ts";
import "./study-screen.css";

const importFlipView = () => import("../modes/flip-view.tsx");
const importMatchView = () => import("../modes/match-view.tsx");
const FlipView = lazy(async () => ({ default: (await importFlipView()).FlipView }));
const MatchView = lazy(async () => ({ default: (await importMatchView()).MatchView }));

/** Prefetches the other study modes for offline use. */
export const prefetchStudyModes = () => Promise.all([importFlipView(), importMatchView()]);

interface Props {
  mode?: StudyMode;
  /** Injected, because the quiz is a separate feature. */
  Quiz?: ComponentType<ModeProps> | undefined;
  /** The ids of the finished decks in a session across decks; undefined in a session of one deck. */
  done?: readonly string[] | undefined;
  /** Starts with due and new cards instead of the bucket that the student chose last. */
  startsWithDue?: boolean;
}

export function StudyScreen({ mode = "learn", Quiz, done, startsWithDue = false }: Props) {
  const { id: pageId, flashcard: componentId } = useScreenParams("study");
  const view = useAtomValue(studyAtom);
  const accountId = useAtomValue(userAtom)?._id;
  const bucket = startsWithDue ? "due" : undefined;
  // The bucket is read only when the deck opens, because a changed URL must not start the same deck again.
  const open = useEffectEvent((page: string, deck: string) => void openStudy(page, deck, bucket));
  useEffect(() => {
    if (accountId === undefined) return undefined;
    open(pageId, componentId);
    void loadStreak();
    return closeStudy;
  }, [accountId, pageId, componentId]);
  useDailyLimit(view.state === "ready");
  useTitle(view.state === "ready" ? view.deck.title : t("study.loading"));
  useWakeLock(useAtomValue(preferencesAtom).labs.stay_awake);
  if (view.state === "loading") return <Loading />;
  if (view.state === "failed") {
    const retry = () => void openStudy(pageId, componentId, bucket);
    return <StudyFailed reason={view.reason} onRetry={retry} />;
  }
  return <StudyContent view={view} mode={mode} Quiz={Quiz} done={done} />;
}

function Loading() {
  return (
    <main className="study-rest">
      <Skeleton label={t("study.loading")} lines={[70, 96, 60]} height={22} />
    </main>
  );
}

/** Quiz and match share a setting. */
const bucketPreference = (mode: "learn" | "quiz" | "match") => (mode === "learn" ? "bucket" : "quiz_bucket");

/**
 * The bucket of a mode, and a function to choose another. Flip starts with all cards, because it is for looking through a
 * deck and answers nothing; its choice lasts until the deck is closed.
 */
function useBucketChoice(mode: StudyMode): [Bucket, (bucket: Bucket) => void] {
  const { flashcards } = useAtomValue(preferencesAtom);
  const [flipBucket, setFlipBucket] = useState<Bucket>("all");
  if (mode === "flip") return [flipBucket, setFlipBucket];
  const key = bucketPreference(mode);
  const choose = (bucket: Bucket) => {
    void changePreferences((all) => ({ ...all, flashcards: { ...all.flashcards, [key]: bucket } }));
    if (mode === "learn") restartSession(bucket);
  };
  return [flashcards[key], choose];
}

function useBucketCards(
  { deck, schedules, allowance, shownAt, examPlan }: ActiveStudy,
  mode: StudyMode,
  bucket: Bucket,
) {
  const favourites = useAtomValue(useMemo(() => favouritesOfDeck(deck.componentId), [deck.componentId]));
  const bucketInput = useMemo(() => {
    const planned = examPlan ? new Set(examPlan.today) : undefined;
    return {
      cardIds: studiableCardIds(deck, shownAt),
      schedules,
      day: studyDayOf(shownAt, allowance),
      favourites,
      planned,
    };
  }, [deck, schedules, allowance, shownAt, favourites, examPlan]);
  const counts = useMemo(() => countBuckets(bucketInput), [bucketInput]);
  const isLearning = mode === "learn";
  const bucketCards = useMemo(() => {
    // A learning session has its own order of cards.
    if (isLearning) return { cards: [], inBucket: [] };
    const [ids, chosen] = [new Set(bucketInput.cardIds), new Set(cardsInBucket(bucket, bucketInput))];
    const cards = deck.cards.filter((card) => ids.has(card.id));
    return { cards, inBucket: cards.filter((card) => chosen.has(card.id)) };
  }, [deck, bucketInput, bucket, isLearning]);
  return { counts, ...bucketCards };
}

type ContentProps = Pick<Props, "Quiz" | "done"> & { view: ActiveStudy; mode: StudyMode };

function StudyContent({ view, mode, Quiz, done }: ContentProps) {
  const { deck } = view;
  // While learning, the counts are deferred so that they do not delay the next card.
  const deferredView = useDeferredValue(view);
  const [bucket, chooseBucket] = useBucketChoice(mode);
  const { cards, inBucket, counts } = useBucketCards(mode === "learn" ? deferredView : view, mode, bucket);
  const navigate = useNavigate();
  const leave = useCallback(
    () => void navigate({ to: screenPath("page", { id: deck.pageId }) }),
    [navigate, deck.pageId],
  );
  const modeBar = (
    <ModeBar
      deck={deck}
      mode={mode}
      bucket={mode === "learn" ? view.bucket : bucket}
      counts={counts}
      isPlanned={view.examPlan !== null}
      onBucket={chooseBucket}
    />
  );
  if (mode === "learn") return <Learning view={view} modeBar={modeBar} done={done} />;
  const props: ModeProps = {
    deck,
    cards,
    inBucket,
    bucket,
    schedules: view.schedules,
    dailyLimit: view.allowance.dailyLimit,
    canStudy: (cardId) => canStudyCard(view, cardId),
    recordReview: recordModeReview,
    replaceReview: replaceModeReview,
    studyAllCards: () => chooseBucket("all"),
    studyNewCards: () => chooseBucket("new"),
    leave,
    modeBar,
  };
  // A different bucket remounts the mode.
  const key = `${deck.componentId}:${bucket}`;
  return (
    <Suspense fallback={<Loading />}>
      {mode === "flip" && <FlipView key={key} {...props} />}
      {mode === "match" && <MatchView key={key} {...props} />}
      {mode === "quiz" && Quiz && <Quiz key={key} {...props} />}
    </Suspense>
  );
}

function Learning({ view, modeBar, done }: { view: ActiveStudy; modeBar: ReactNode } & Pick<Props, "done">) {
  useEffect(resumeLearning, []);
  const isOver = view.session.current === null;
  const isMovingOn = useNextDeck(view, isOver ? done : undefined);
  if (isMovingOn) return <Loading />;
  return isOver ? (
    <SessionEnd view={view} modeBar={modeBar} isAcrossDecks={done !== undefined} />
  ) : (
    <SessionView view={view} modeBar={modeBar} />
  );
}

interface FailedProps {
  onRetry: () => void;
  reason: Extract<StudyView, { state: "failed" }>["reason"];
}

function StudyFailed({ onRetry, reason }: FailedProps) {
  if (reason === "missing")
    return (
      <main className="study-rest">
        <DeckMissing />
      </main>
    );
  const retryButton = <Button onClick={onRetry}>{t("common.retry")}</Button>;
  return (
    <main className="study-rest">
      <ErrorState headingLevel={1} title={t("study.failed_title")} action={retryButton}>
        {reason === "offline" ? t("study.failed_offline") : t("study.failed_text")}
      </ErrorState>
    </main>
  );
}
