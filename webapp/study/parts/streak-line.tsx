import { useAtomValue } from "jotai/react";
import { t } from "#shared/messages/translate.ts";
import { liveStreakDays } from "#shared/user/streak.ts";
import { utcDay } from "#shared/user/days.ts";
import { useNow } from "#webapp/app/hooks/use-now.ts";
import { streakAtom } from "../home/home-state.ts";

export function StreakLine() {
  const streak = useAtomValue(streakAtom);
  const now = useNow();
  if (!streak) return null;
  const days = liveStreakDays(streak, now);
  if (days === 0) return <p className="home-note">{t("home.streak_none")}</p>;
  const isDone = streak.lastStudied !== null && utcDay(streak.lastStudied) === utcDay(now);
  const parts = [
    t("home.streak", { count: days }),
    t(isDone ? "home.streak_done" : "home.streak_open"),
    streak.longestStreak > days && t("home.streak_longest", { count: streak.longestStreak }),
  ];
  return <p className="home-note">{parts.filter(Boolean).join(" · ")}</p>;
}
