import { useAtomValue } from "jotai/react";
import { formatShare } from "#shared/messages/language.ts";
import { formatNumber, t } from "#shared/messages/translate.ts";
import { MIN_TESTED } from "#shared/study/deck/progress.ts";
import { liveStreakDays } from "#shared/user/streak.ts";
import { preferencesAtom } from "#webapp/app/preferences.ts";
import { streakAtom } from "../home/home-state.ts";
import { formatDayName, type Statistics } from "./statistics.ts";

const WEEK_DAYS = 7;

interface Fact {
  name: string;
  value: string;
  note?: string | undefined;
}

export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="numbers-facts">
      {facts.map(({ name, value, note }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <span className="numbers-value">{value}</span>
            {note !== undefined && <span className="numbers-reason">{note}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

const formatDays = (count: number) => t("planning.streak_days", { count });

/** The answers of the last week and the time they took. */
function describeWeek(days: Statistics["days"]): Fact {
  const week = days.filter(({ ago }) => ago < WEEK_DAYS);
  const count = week.reduce((sum, { reviews }) => sum + reviews, 0);
  const minutes = Math.round(week.reduce((sum, day) => sum + day.minutes, 0));
  const isBrief = minutes < 1 && count > 0;
  return {
    name: t("planning.week"),
    value: t("planning.answer_count", { count }),
    note: isBrief ? t("planning.week_brief") : t("planning.week_minutes", { minutes }),
  };
}

/** What the study days add up to. */
export function DayFacts({ days, now }: { days: Statistics["days"]; now: number }) {
  const total = days.reduce((sum, { reviews }) => sum + reviews, 0);
  const best = days.reduce<Statistics["days"][number] | undefined>(
    (most, day) => (most && most.reviews >= day.reviews ? most : day),
    undefined,
  );
  if (!best) return null;
  const average = t("planning.answer_count", { count: Math.round(total / days.length) });
  return (
    <Facts
      facts={[
        { name: t("planning.study_days"), value: formatNumber(days.length), note: t("planning.per_day", { average }) },
        {
          name: t("planning.best_day"),
          value: t("planning.answer_count", { count: best.reviews }),
          note: best.ago === 0 ? t("planning.day_today") : formatDayName(now, -best.ago),
        },
      ]}
    />
  );
}

/** The streak, how much is remembered, and the last week. */
export function MainFacts({ figures, now }: { figures: Statistics; now: number }) {
  const streak = useAtomValue(streakAtom);
  const goal = useAtomValue(preferencesAtom).flashcards.desired_retention;
  const { count: tested, actual } = figures.calibration;
  const facts: Fact[] = [];
  if (streak)
    facts.push({
      name: t("planning.streak"),
      value: formatDays(liveStreakDays(streak, now)),
      note: t("planning.longest", { days: formatDays(streak.longestStreak) }),
    });
  if (tested >= MIN_TESTED)
    facts.push({
      name: t("planning.remembered"),
      value: formatShare(actual, { maximumFractionDigits: 0 }),
      note: t("planning.goal", { share: formatShare(goal, { maximumFractionDigits: 0 }) }),
    });
  facts.push(describeWeek(figures.days), {
    name: t("planning.pace"),
    value: t("planning.pace_seconds", { seconds: Math.round(figures.secondsPerReview) }),
  });
  return <Facts facts={facts} />;
}
