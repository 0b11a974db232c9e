import { useNavigate } from "@tanstack/react-router";
import { useAtomValue } from "jotai/react";
import { useCallback, useLayoutEffect, useMemo, useRef, type ReactNode } from "react";
import { formatTimeToReset } from "#shared/billing/rules.ts";
import { screenPath } from "#shared/screens.ts";
import { formatShare } from "#shared/messages/language.ts";
import { t } from "#shared/messages/translate.ts";
import { isHard } from "#shared/study/rules.ts";
import { nextDueAt, summariseSession, type StudyChoice } from "#shared/study/session.ts";
import { studiableCardIds } from "#shared/study/today.ts";
import { liveStreakDays } from "#shared/user/streak.ts";
import { openPlanModal } from "#webapp/app/overlays.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { EmptyState } from "#shared/ui/empty-state.tsx";
import { Kbd } from "#shared/ui/kbd.tsx";
import { StudyFrame } from "../study-frame.tsx";
import { useFolderOfSession } from "../use-folder-of-session.ts";
import { streakAtom } from "../home/home-state.ts";
import { formatFutureTime, formatDuration } from "../format-interval.ts";
import { restartSession, undo } from "../session/state.ts";
import { type ActiveStudy } from "../session/study-view.ts";
import { StreakReminder } from "./streak-reminder.tsx";
import { useStudyKeys } from "../session/use-study-keys.ts";

/** The end of a session: all cards done, none due, an empty deck, or the plan's daily limit reached. */
export function SessionEnd({
  view,
  modeBar,
  isAcrossDecks,
}: {
  view: ActiveStudy;
  modeBar: ReactNode;
  isAcrossDecks: boolean;
}) {
  const { deck, session } = view;
  const navigate = useNavigate();
  const folderId = useFolderOfSession();
  const end = !isAcrossDecks ? "page" : folderId === undefined ? "home" : "folder";
  const paths = {
    home: screenPath("home", {}),
    folder: screenPath("folder", { id: folderId ?? "" }),
    page: screenPath("page", { id: deck.pageId }),
  };
  const to = paths[end];
  const leave = useCallback(() => void navigate({ to }), [navigate, to]);
  const keys = useMemo(
    () => ({ isEnabled: false, isRevealed: false, reveal: () => {}, grade: () => {}, undo: () => void undo(), leave }),
    [leave],
  );
  useStudyKeys(keys);
  const hasAnswers = session.answers.length > 0;
  return (
    <StudyFrame deck={deck} modeBar={modeBar} isCached={view.isCached} onLeave={leave}>
      <div className="study-rest">
        {isAcrossDecks && session.state !== "limit_reached" ? (
          <h1 className="study-end-title">
            {t(end === "folder" ? "study.folder_done_title" : "study.all_done_title")}
          </h1>
        ) : (
          <EndMessage view={view} />
        )}
        {hasAnswers && <Summary view={view} />}
        <div className="study-end-actions">
          <BackButton label={t(`study.to_${end}`)} onBack={leave} />
          <MoreButtons view={view} />
          {hasAnswers && (
            <Button variant="quiet" onClick={() => void undo()}>
              <Kbd>Z</Kbd> {t("study.undo")}
            </Button>
          )}
        </div>
      </div>
    </StudyFrame>
  );
}

function BackButton({ label, onBack }: { label: string; onBack: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => button.current?.focus({ preventScroll: true }), []);
  return (
    <Button ref={button} variant="primary" size="l" onClick={onBack}>
      {label}
    </Button>
  );
}

function EndMessage({ view }: { view: ActiveStudy }): ReactNode {
  const { deck, session, schedules, allowance, shownAt } = view;
  if (session.state === "limit_reached")
    return (
      <EmptyState
        headingLevel={1}
        title={t("study.limit_title")}
        action={<Button onClick={() => openPlanModal(null, "studyCards")}>{t("study.limit_plans")}</Button>}
      >
        {t("study.limit_text", { count: allowance.dailyLimit ?? 0, reset: formatTimeToReset(shownAt) })}
      </EmptyState>
    );
  if (session.answers.length > 0) return <h1 className="study-end-title">{t("study.done_title")}</h1>;
  if (deck.cards.length === 0)
    return (
      <EmptyState headingLevel={1} title={t("study.empty_title")}>
        {t("study.empty_text")}
      </EmptyState>
    );
  if (view.bucket !== "due")
    return (
      <EmptyState headingLevel={1} title={t(`modes.none_${view.bucket}_title`)}>
        {t(`modes.none_${view.bucket}_text`)}
      </EmptyState>
    );
  if (view.examPlan)
    return (
      <EmptyState headingLevel={1} title={t("study.plan_done_title")}>
        {t("study.plan_done_text", { share: formatShare(view.examPlan.recall) })}
        <StreakReminder now={shownAt} />
      </EmptyState>
    );
  const next = nextDueAt(getStudiableIds(view), schedules);
  return (
    <EmptyState headingLevel={1} title={t("study.none_title")}>
      {next === null ? t("study.none_text_unknown") : t("study.none_text", { when: formatFutureTime(next, shownAt) })}
      <StreakReminder now={shownAt} />
    </EmptyState>
  );
}

/** The cards that a session can show: neither suspended nor buried. */
const getStudiableIds = ({ deck, shownAt }: ActiveStudy) => studiableCardIds(deck, shownAt);

function Summary({ view }: { view: ActiveStudy }) {
  const { session, schedules, shownAt } = view;
  const streak = useAtomValue(streakAtom);
  const { cards, again, durationMs } = summariseSession(session);
  const next = nextDueAt(getStudiableIds(view), schedules);
  const lines: readonly (readonly [string, string])[] = [
    [t("study.done_cards"), t("study.cards", { count: cards })],
    [t("study.done_again"), String(again)],
    [t("study.done_time"), formatDuration(durationMs)],
    ...(view.examPlan ? [[t("study.done_exam"), formatShare(view.examPlan.recall)] as const] : []),
    [t("study.done_next"), next === null ? t("study.done_next_none") : formatFutureTime(next, shownAt)],
    ...(streak
      ? [[t("study.done_streak"), t("study.streak_days", { count: liveStreakDays(streak, shownAt) })] as const]
      : []),
  ];
  return (
    <dl className="study-summary">
      {lines.map(([name, value]) => (
        <div key={name} className="study-summary-line">
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Buttons for more cards of this deck; none once the daily limit is reached. */
function MoreButtons({ view }: { view: ActiveStudy }) {
  const { schedules, session, preferences } = view;
  if (session.state === "limit_reached") return null;
  const cardIds = getStudiableIds(view);
  const unseen = cardIds.filter((id) => !schedules.has(id)).length;
  const fresh = Math.min(unseen, preferences.new_cards_per_day);
  const hard = cardIds.flatMap((id) => schedules.get(id) ?? []).filter(isHard).length;
  const offers: readonly (readonly [StudyChoice, string, boolean])[] = [
    ["new", t("study.study_new", { count: fresh }), fresh > 0],
    ["hard", t("study.study_hard", { count: hard }), hard > 0],
    ["all", t("study.study_all"), cardIds.length > 0],
  ];
  return offers
    .filter(([, , isOffered]) => isOffered)
    .map(([choice, label]) => (
      <Button key={choice} size="l" onClick={() => restartSession(choice)}>
        {label}
      </Button>
    ));
}
