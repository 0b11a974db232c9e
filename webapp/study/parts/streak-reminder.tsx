import { useAtomValue } from "jotai/react";
import { t } from "#shared/messages/translate.ts";
import { liveStreakDays } from "#shared/user/streak.ts";
import { utcDay } from "#shared/user/days.ts";
import { streakAtom } from "../home/home-state.ts";

/** Reminds the student that the streak needs a review today, even if no card is due. */
export function StreakReminder({ now }: { now: number }) {
  const streak = useAtomValue(streakAtom);
  if (!streak || liveStreakDays(streak, now) === 0) return null;
  if (streak.lastStudied !== null && utcDay(streak.lastStudied) === utcDay(now)) return null;
  return <p className="streak-reminder">{t("study.streak_rest", { count: streak.currentStreak })}</p>;
}
