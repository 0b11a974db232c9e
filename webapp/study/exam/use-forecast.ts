import { useEffect, useState } from "react";
import { type Exam, type Forecast, computeForecast } from "./exams.ts";
import { showPlannedToday } from "./planned-today.ts";

/** Debounce while typing. */
const DEBOUNCE_MS = 300;

/** The forecast of the exam as entered; null while it is computed. */
export function useForecast(exam: Omit<Exam, "key"> | null): Forecast | null {
  const [result, setResult] = useState<{ key: string; forecast: Forecast } | null>(null);
  const key = exam === null ? "" : cacheKeyOf(exam);
  useEffect(() => {
    if (exam === null) return undefined;
    let isCancelled = false;
    const timer = setTimeout(() => {
      void computeForecast(exam).then((forecast) => !isCancelled && setResult({ key, forecast }));
    }, DEBOUNCE_MS);
    return () => {
      isCancelled = true;
      clearTimeout(timer);
    };
    // An equal exam in a new object does not start a new computation.
    // oxlint-disable-next-line react-hooks/exhaustive-deps, react/exhaustive-effect-dependencies
  }, [key]);
  return result?.key === key ? result.forecast : null;
}

/** The forecast of a saved exam. Also stores today's part of the plan for every screen that counts today's cards. */
export function usePlannedToday(exam: Exam, now: number): Forecast | null {
  const forecast = useForecast(exam.examAt > now ? exam : null);
  useEffect(() => {
    if (forecast) showPlannedToday(exam, forecast);
  }, [exam, forecast]);
  return forecast;
}

const cacheKeyOf = ({ decks, examAt, minutesPerDay }: Omit<Exam, "key">) =>
  JSON.stringify([decks.map(({ componentId, due, fresh }) => [componentId, due, fresh]), examAt, minutesPerDay]);
