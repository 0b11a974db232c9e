import { useEffect } from "react";
import { t } from "#shared/messages/translate.ts";
import { countLearning, findNextLearning } from "#shared/study/all-due.ts";
import type { DueDeck } from "#shared/study/schema.ts";
import { useNow } from "#webapp/app/hooks/use-now.ts";
import { loadDue } from "../due.ts";
import { formatFutureTime } from "../format-interval.ts";

const DAY_MS = 86_400_000;

const Nothing = ({ title, text }: { title: string; text: string }) => (
  <header>
    <h2 className="today-count">{title}</h2>
    <p className="today-about">{text}</p>
  </header>
);

/** Nothing is due today. Names the next day on which cards come back. */
export function NothingToday({ forecast }: { forecast: readonly number[] }) {
  const now = useNow();
  const daysAhead = forecast.findIndex((count, ahead) => ahead > 0 && count > 0);
  const count = forecast[daysAhead] ?? 0;
  const when = formatFutureTime(now + daysAhead * DAY_MS, now);
  const next = count > 0 ? `${t("home.due_next", { count, when })} ` : "";
  return <Nothing title={t("home.due_none_title")} text={`${next}${t("home.due_none")}`} />;
}

/** Counts down to the first card that comes back today, and then loads the cards again. */
export function Waiting({ decks }: { decks: readonly DueDeck[] }) {
  const now = useNow();
  const nextAt = findNextLearning(decks);
  useEffect(() => {
    if (nextAt !== null && now >= nextAt) void loadDue();
  }, [nextAt, now]);
  const title =
    nextAt === null ? t("home.due_none_title") : t("home.learning_next", { when: formatFutureTime(nextAt, now) });
  return <Nothing title={title} text={t("home.due_learning", { count: countLearning(decks) })} />;
}
